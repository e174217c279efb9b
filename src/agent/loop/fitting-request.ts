import { doesNotFit, fit, promptLimit } from "../budget/fit.ts";
import { emitBudget, requestTokens, sentTokens } from "../budget/gauge.ts";
import { CANCELLED, success, type Result } from "../failure.ts";
import type { ChatMessage, ChatRequest } from "../models/types.ts";
import type { ProtocolAdapter } from "../protocol.ts";
import { NO_TOOLS } from "../tool.ts";
import type { Run } from "./types.ts";
import { conversation } from "./conversation.ts";

/** Times that a request is made smaller before it counts as one that can't be. */
const MAX_FITTINGS = 4;

/** The longest output where a sentence or two are asked for: a model that finds no end does not hold the turn up. */
const SHORT_TOKENS = 512;

/**
 * The next request, small enough for the context; what had to go for it is told. Fails where nothing more can go, and
 * with `cancelled`.
 */
export async function fittingRequest(
  run: Run,
  adapter: ProtocolAdapter,
  stepId: string,
): Promise<Result<ChatRequest>> {
  let excess = 0;
  for (let tries = 0; tries < MAX_FITTINGS; tries += 1) {
    const problem = await fit(run, stepId, excess);
    if (run.deps.signal.aborted) return { ok: false, failure: CANCELLED };
    if (problem !== undefined) return { ok: false, failure: problem };
    const messages = conversation(run);
    const request = prepare(run, adapter, messages);
    run.estimate = request.messages === messages ? sentTokens(run, request) : requestTokens(request);
    const over = run.estimate - promptLimit(run);
    if (over <= 0) {
      emitBudget(run, stepId);
      return success(request);
    }
    // A protocol's own words, which are not known before it has put them.
    excess += over;
  }
  return { ok: false, failure: doesNotFit(run) };
}

function prepare(run: Run, adapter: ProtocolAdapter, messages: readonly ChatMessage[]): ChatRequest {
  const { input } = run;
  const tools = run.met.insisted > 0 ? NO_TOOLS : input.tools;
  const form = run.index === 1 ? run.form : undefined;
  const step = adapter.prepare(messages, tools, run.stopped !== undefined, form);
  return {
    messages: step.messages,
    maxTokens: longestOutput(run),
    runner: input.runner,
    ...(step.tools && { tools: step.tools }),
    ...(step.format ? { format: step.format } : !step.tools && input.format && { format: input.format }),
    ...(step.stop && { stop: step.stop }),
    ...(run.think !== undefined && { think: run.think }),
    ...(input.temperature !== undefined && { temperature: input.temperature }),
    ...(input.seed !== undefined && { seed: input.seed }),
  };
}

/** The most tokens of the next output. Thinking counts, and may be long before a short answer. */
export function longestOutput({ input: { maxOutputTokens }, isShort, think }: Run): number {
  const thinks = think !== undefined && think !== false;
  return isShort && !thinks ? Math.min(maxOutputTokens, SHORT_TOKENS) : maxOutputTokens;
}
