import { prepareContext, prepareTools } from "./budget/prepare-context.ts";
import type { ModelContext } from "./budget/model-context.ts";
import type { ChosenTools } from "./budget/relevant-tools.ts";
import type { Emitter } from "./emitter.ts";
import { CANCELLED, failed, success, type Failure, type Result } from "./failure.ts";
import { contextLengthFor } from "./models/capabilities.ts";
import type { ChatModel, ModelInfo } from "./models/types.ts";
import { callingProfile, type CallingProfile } from "./model-profile.ts";
import { raceAbort } from "./timer.ts";
import type { AgentJob, TurnDeps, TurnInput } from "./turn-types.ts";

/** What an agent stands on before its own words come: its model, and what that one is told. */
export interface Footing {
  readonly model: ChatModel;
  /** What the model can do; absent where its server can't say. */
  readonly info: ModelInfo | undefined;
  readonly context: ModelContext;
  readonly maxOutputTokens: number;
  /** How well it calls tools. */
  readonly calling: CallingProfile;
  /** Of the tools that the agent has, those that it is told of. */
  readonly chosen: ChosenTools;
}

/** Agents of a turn that answer the same question and are told of the same tools. */
export interface Company {
  /** Names of tools in the files of all of them. */
  readonly named: readonly string[];
  /** By server and model: what was found out for one of them holds for all. */
  readonly footings: Map<string, Footing>;
}

/** The model that an agent is asked with: the turn's own wish, what the job says, its file, the settings. */
export function modelOf(
  { model, definition }: Pick<AgentJob, "model" | "definition">,
  { request, settings }: TurnInput,
): string {
  return model ?? request.options?.model ?? definition?.model ?? settings.model;
}

/** What was found out for another agent of the same company; nothing where it has to be found out. */
export function knownFooting(
  job: AgentJob,
  input: TurnInput,
  { signal }: TurnDeps,
): Result<Footing> | undefined {
  const known = signal.aborted ? undefined : job.company?.footings.get(keyOf(job, input));
  return known === undefined ? undefined : success(known);
}

/**
 * Finds an agent's model, asks what it can do, and decides what it is told. Never throws; fails with what the chat
 * itself would fail with.
 */
export async function footingOf(
  job: AgentJob,
  input: TurnInput,
  deps: TurnDeps,
  emitter: Emitter,
): Promise<Result<Footing>> {
  const { settings } = input;
  const found = findModel(modelOf(job, input), job.host, deps);
  if (!found.ok) return found;
  const model = found.value;
  const described = await describe(model, deps.signal);
  if (!described.ok) return described;
  const info = described.value;
  const contextLength = contextLengthFor(settings.contextLength, info);
  warnReload(model.name, contextLength, deps, emitter);
  const maxOutputTokens = Math.min(settings.maxOutputTokens, contextLength);
  const context = prepareContext(job, input, deps, model, { contextLength, maxOutputTokens });
  const calling = callingProfile(info, deps.lessons.of(model.name, info?.capabilities));
  const told = { model: model.name, context, isFew: calling.skill !== "well" };
  const chosen = await prepareTools(job, input, deps, told, emitter);
  const footing = { model, info, context, maxOutputTokens, calling, chosen };
  // A server that could not say what the model can is asked again for the next one.
  if (info !== undefined) job.company?.footings.set(keyOf(job, input), footing);
  return success(footing);
}

function keyOf(job: AgentJob, input: TurnInput): string {
  return `${job.host ?? ""} ${modelOf(job, input)}`;
}

/** Servers load a model anew for another context length, which takes its time: it is said. */
function warnReload(model: string, contextLength: number, { lessons }: TurnDeps, emitter: Emitter): void {
  const before = lessons.contextLength(model, contextLength);
  if (before === undefined || before === contextLength) return;
  const message = `The context of ${model} is now ${contextLength} tokens (${before} before), so it is loaded anew.`;
  emitter.warn("context_changed", message, { from: before, to: contextLength });
}

function findModel(name: string, host: string | undefined, deps: TurnDeps): Result<ChatModel> {
  if (name.trim() === "") {
    return failed("no_model", "No chat model is chosen yet. Select one.", { action: "select_model" });
  }
  const found = deps.model(name, host);
  return "code" in found ? { ok: false, failure: found } : success(found);
}

/** Failures that the chat itself would meet too; with any other one the chat may still work. */
const FINAL: ReadonlySet<Failure["code"]> = new Set([
  "bad_input",
  "cancelled",
  "model_missing",
  "no_model",
  "server_unreachable",
  "timeout",
  "unauthorized",
]);

/** What is known of the model; nothing when the server can't say and the chat is worth a try all the same. */
async function describe(model: ChatModel, signal: AbortSignal): Promise<Result<ModelInfo | undefined>> {
  const known = signal.aborted ? undefined : model.known?.();
  if (known !== undefined) return success(known);
  const raced = await raceAbort(signal, () => model.describe(signal));
  if (raced.kind === "aborted") return { ok: false, failure: CANCELLED };
  if (raced.kind === "thrown") return success(undefined);
  const described = raced.value;
  return described.ok || FINAL.has(described.failure.code) ? described : success(undefined);
}
