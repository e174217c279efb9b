import { CANCELLED, describeError, failed, failure, success, type Failure, type Result } from "../failure.ts";
import type { Gate } from "../gate.ts";
import { contextLengthFor } from "../models/capabilities.ts";
import type { ChatModel, ModelUsage, RunnerOptions } from "../models/types.ts";
import type { StepRequest } from "../protocol.ts";
import type { EngineSettings } from "../settings.ts";
import { raceAbort, type Timer } from "../timer.ts";
import { budgetSettings } from "./settings.ts";

/** An answer does not wait longer than this for a summary, in milliseconds. */
export const SUMMARY_TIMEOUT_MS = 90_000;

/** Text (UTF-16 units) that is taken of a summary, for servers that heed no limit. */
const MAX_TEXT = 64 * 1024;

/** What is to be summed up. */
export interface SummaryJob {
  /**
   * The prompt that asks for it, in at most `room` plain estimated tokens; nothing where it can't be that small. For
   * the answering model it begins as that one's own prompts do, so that its server finds the beginning in its cache;
   * `plain`: for a model that knows no tools.
   */
  readonly prompt: (room: number, plain: boolean) => StepRequest | undefined;
  /** Upper bound of the summary, in plain estimated tokens. */
  readonly size: number;
}

/** A summary as a model wrote it. */
export interface WrittenSummary {
  readonly text: string;
  readonly model: string;
  readonly usage: ModelUsage;
}

/** What came of asking for a summary. */
export interface SummaryAttempt {
  /** The model that was asked. */
  readonly model: string;
  readonly written: Result<WrittenSummary>;
}

/** Asks for a summary. Never throws; ends within a moment of the turn's signal. */
export type SumUp = (job: SummaryJob) => Promise<SummaryAttempt>;

/** What summing up works with. */
export interface SumUpDeps {
  readonly settings: EngineSettings;
  /** The model that answers, and how it is loaded. */
  readonly answering: ChatModel;
  readonly runner: RunnerOptions;
  readonly find: (name: string) => ChatModel | Failure;
  /** Tokens that a model's server counts for one of the plain estimate. */
  readonly calibration: (model: string) => number;
  readonly gate: Gate;
  readonly signal: AbortSignal;
  readonly timer: Timer;
}

/** The way to sum up for one agent; nothing where the settings turn it off. */
export function createSumUp(deps: SumUpDeps): SumUp | undefined {
  const { settings, answering } = deps;
  const { summary, summaryModel } = budgetSettings(settings);
  if (!summary) return undefined;
  return async (job) => {
    const named = [summaryModel, settings.helperModel ?? ""].map((name) => name.trim());
    const wanted = named.find((name) => name !== "") ?? answering.name;
    return { model: wanted, written: await sumUp(job, wanted, deps) };
  };
}

async function sumUp(job: SummaryJob, wanted: string, deps: SumUpDeps): Promise<Result<WrittenSummary>> {
  const own = new AbortController();
  const stop = (): void => own.abort();
  deps.signal.addEventListener("abort", stop, { once: true });
  if (deps.signal.aborted) stop();
  const leave = await deps.gate.enter(own.signal);
  if (leave === undefined) return { ok: false, failure: CANCELLED };
  const cancelTimer = deps.timer(SUMMARY_TIMEOUT_MS, stop);
  try {
    const raced = await raceAbort(own.signal, () => ask(job, wanted, deps, own.signal));
    if (deps.signal.aborted) return { ok: false, failure: CANCELLED };
    if (raced.kind === "value") return raced.value;
    if (raced.kind === "thrown")
      return failed("internal", "The model's client broke down.", { cause: describeError(raced.error) });
    return failed("timeout", `${wanted} gave no summary within ${SUMMARY_TIMEOUT_MS / 1_000} s.`);
  } finally {
    cancelTimer();
    deps.signal.removeEventListener("abort", stop);
    leave();
    // What the client may still have open belongs to a request that is over.
    own.abort();
  }
}

async function ask(
  job: SummaryJob,
  wanted: string,
  { settings, answering, runner, find, calibration }: SumUpDeps,
  signal: AbortSignal,
): Promise<Result<WrittenSummary>> {
  if (wanted === answering.name) return read(job, answering, runner, calibration(wanted), signal);
  const model = find(wanted);
  if ("code" in model) return { ok: false, failure: model };
  const described = await model.describe(signal);
  if (!described.ok) return described;
  const contextLength = contextLengthFor(settings.contextLength, described.value);
  return read(job, model, { contextLength, keepAlive: runner.keepAlive }, calibration(wanted), signal, true);
}

async function read(
  { prompt, size }: SummaryJob,
  model: ChatModel,
  runner: RunnerOptions,
  calibration: number,
  signal: AbortSignal,
  plain = false,
): Promise<Result<WrittenSummary>> {
  const maxTokens = Math.ceil(size * calibration);
  const step = prompt(Math.floor((runner.contextLength - maxTokens) / calibration), plain);
  if (step === undefined) {
    const message = `The turns to sum up don't fit the context of ${model.name} (${runner.contextLength} tokens).`;
    return { ok: false, failure: failure("context_overflow", message) };
  }
  const { messages, tools } = step;
  const request = { messages, think: false, temperature: 0, maxTokens, runner, ...(tools && { tools }) };
  let text = "";
  for await (const chunk of model.chat(request, signal)) {
    if (chunk.type === "content") text += chunk.text;
    else if (chunk.type === "retract") text = "";
    else if (chunk.type === "failure") return { ok: false, failure: chunk.failure };
    else if (chunk.type === "end") {
      // One that was cut at its limit is worth having: what must not be lost stands beside it.
      if (text.trim() === "") break;
      return success({ text, model: model.name, usage: chunk.usage });
    }
    if (text.length > MAX_TEXT) break;
  }
  return { ok: false, failure: failure("empty_answer", `${model.name} wrote no summary.`) };
}
