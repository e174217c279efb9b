import { CANCELLED, describeError, failed, success, type Result } from "../failure.ts";
import type { ChatRequest } from "../models/types.ts";
import { raceAbort } from "../timer.ts";
import type { JudgeCost, JudgeDeps } from "./types.ts";

/** Text (UTF-16 units), thinking included, that is taken of one reply: for servers that heed no limit of tokens. */
const MAX_REPLY = 64 * 1024;

/** What a judge wrote. */
export interface JudgeReply {
  readonly text: string;
  /** It was cut: at the limit of tokens, or of what is taken. */
  readonly cut: boolean;
}

/** Adds up what judging costs. */
export class Meter {
  #attempts = 0;
  #inputTokens: number | undefined;
  #outputTokens: number | undefined;
  #durationMs = 0;

  /** Notes one request: how long it took, and its tokens where the server counted them. */
  add(durationMs: number, inputTokens: number | undefined, outputTokens: number | undefined): void {
    this.#attempts += 1;
    this.#durationMs += Math.max(0, durationMs);
    if (inputTokens !== undefined) this.#inputTokens = (this.#inputTokens ?? 0) + inputTokens;
    if (outputTokens !== undefined) this.#outputTokens = (this.#outputTokens ?? 0) + outputTokens;
  }

  /** All of it so far. */
  cost(): JudgeCost {
    return {
      attempts: this.#attempts,
      durationMs: this.#durationMs,
      ...(this.#inputTokens !== undefined && { inputTokens: this.#inputTokens }),
      ...(this.#outputTokens !== undefined && { outputTokens: this.#outputTokens }),
    };
  }
}

/**
 * Sends one request to a judge, behind everybody else at the gate. Thinking is left out of what is given. Never throws;
 * stops within a moment of the signal, whether the model heeds it or not.
 */
export async function askJudge(
  request: ChatRequest,
  { model, gate, now }: Pick<JudgeDeps, "model" | "gate" | "now">,
  meter: Meter,
  signal: AbortSignal,
): Promise<Result<JudgeReply>> {
  const leave = await gate.enter(signal, "low");
  if (leave === undefined) return { ok: false, failure: CANCELLED };
  const began = now();
  const tokens: Tokens = {};
  try {
    const raced = await raceAbort(signal, () => read(model.chat(request, signal), tokens));
    if (raced.kind === "value") return raced.value;
    if (raced.kind === "aborted") return { ok: false, failure: CANCELLED };
    return failed("internal", "The judge's client broke down.", { cause: describeError(raced.error) });
  } finally {
    leave();
    meter.add(now() - began, tokens.input, tokens.output);
  }
}

interface Tokens {
  input?: number | undefined;
  output?: number | undefined;
}

async function read(
  chunks: ReturnType<JudgeDeps["model"]["chat"]>,
  tokens: Tokens,
): Promise<Result<JudgeReply>> {
  let text = "";
  let taken = 0;
  for await (const chunk of chunks) {
    if (chunk.type === "content") text += chunk.text;
    else if (chunk.type === "retract") text = "";
    else if (chunk.type === "failure") {
      noteTokens(tokens, chunk.usage);
      return { ok: false, failure: chunk.failure };
    } else if (chunk.type === "end") {
      noteTokens(tokens, chunk.usage);
      return success({ text, cut: chunk.finishReason === "length" });
    }
    if (chunk.type === "content" || chunk.type === "thinking") taken += chunk.text.length;
    if (taken > MAX_REPLY) break;
  }
  return success({ text: text.slice(0, MAX_REPLY), cut: true });
}

function noteTokens(
  tokens: Tokens,
  usage: { readonly inputTokens?: number; readonly outputTokens?: number },
): void {
  tokens.input = usage.inputTokens;
  tokens.output = usage.outputTokens;
}
