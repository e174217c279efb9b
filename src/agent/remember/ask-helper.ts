import { describeError, failure, success, type Failure, type Result } from "../failure.ts";
import type { Gate } from "../gate.ts";
import { contextLengthFor } from "../models/capabilities.ts";
import type { ChatMessage, ChatModel, JsonObject, ModelUsage } from "../models/types.ts";
import type { EngineSettings } from "../settings.ts";
import { raceAbort } from "../timer.ts";

/** Tokens that a reading may take; a longer one is cut and counts as none. */
const MAX_TOKENS = 700;

/** Text (UTF-16 units) that is taken of one answer, for servers that heed no limit. */
const MAX_TEXT = 64 * 1024;

/** One small job for a model. */
export interface HelperJob {
  readonly messages: readonly ChatMessage[];
  readonly format: JsonObject;
}

/** What a model answered to a small job. */
export interface HelperAnswer {
  readonly text: string;
  readonly usage: ModelUsage;
}

/** What a small job is done with. */
export interface HelperDeps {
  readonly settings: EngineSettings;
  readonly gate: Gate;
}

/** The name of the model for small jobs: the helper model, or the chat model. */
export function helperName({ helperModel = "", model }: EngineSettings, used: string): string {
  if (helperModel.trim() !== "") return helperModel.trim();
  return model.trim() === "" ? used : model;
}

/**
 * Asks a model for a small, structured answer without thinking, behind everybody else at the gate. Sends the same
 * runner options as the chat does, so that nothing is loaded anew. Never throws; stops within a moment of the signal.
 */
export async function askHelper(
  model: ChatModel,
  job: HelperJob,
  { settings, gate }: HelperDeps,
  signal: AbortSignal,
): Promise<Result<HelperAnswer>> {
  const leave = await gate.enter(signal, "low");
  if (leave === undefined) return { ok: false, failure: stopped() };
  try {
    const raced = await raceAbort(signal, () => ask(model, job, settings, signal));
    if (raced.kind === "value") return raced.value;
    if (raced.kind === "aborted") return { ok: false, failure: stopped() };
    return {
      ok: false,
      failure: failure("internal", "The model's client broke down.", { cause: describeError(raced.error) }),
    };
  } finally {
    leave();
  }
}

function stopped(): Failure {
  return failure("cancelled", "It was stopped.");
}

async function ask(
  model: ChatModel,
  { messages, format }: HelperJob,
  { contextLength, keepAlive }: EngineSettings,
  signal: AbortSignal,
): Promise<Result<HelperAnswer>> {
  const described = await model.describe(signal);
  const info = described.ok ? described.value : undefined;
  const runner = { contextLength: contextLengthFor(contextLength, info), keepAlive };
  const request = { messages, format, think: false, temperature: 0, maxTokens: MAX_TOKENS, runner };
  let text = "";
  for await (const chunk of model.chat(request, signal)) {
    if (chunk.type === "content") text += chunk.text;
    else if (chunk.type === "retract") text = "";
    else if (chunk.type === "failure") return { ok: false, failure: chunk.failure };
    else if (chunk.type === "end") {
      if (chunk.finishReason === "length") break;
      return success({ text, usage: chunk.usage });
    }
    if (text.length > MAX_TEXT) break;
  }
  return { ok: false, failure: failure("stream_broken", "The model's answer was cut.") };
}
