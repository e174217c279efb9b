import { warnContextCut } from "./ask-model.ts";
import { cutResult, messageTokens } from "./context.ts";
import type { ToolProtocol } from "./events.ts";
import { failure, type Failure } from "./failure.ts";
import type { Run } from "./loop-types.ts";
import { CONTEXT_SETTING } from "./models/errors.ts";
import type { Think } from "./models/types.ts";

/** What to fall back to when a protocol does not work with a server. */
const FALLBACK: { readonly [from in ToolProtocol]: ToolProtocol | undefined } = {
  native: "constrained",
  constrained: "react",
  react: "none",
  none: undefined,
};

/** Tool results smaller than this, in tokens, are not cut further. */
const SMALL_RESULT = 256;

/**
 * Decides whether a failed model call is worth another try, and prepares it: another protocol, no thinking, less
 * history. Gives nothing when the step is to run again, else the failure that ends the turn.
 */
export async function recover(run: Run, problem: Failure, stepId: string): Promise<Failure | undefined> {
  switch (problem.code) {
    case "tools_unsupported":
    case "invalid_format":
      return (await fallBack(run, problem.message, stepId, true)) ? undefined : problem;
    case "thinking_unsupported":
      return withoutThinking(run, stepId) ? undefined : problem;
    case "tool_call_unparsable":
      return retryUnparsable(run, problem, stepId);
    case "context_overflow":
      return shrink(run, problem, stepId);
    default:
      return problem;
  }
}

/** Goes on with the next protocol, if there is one. */
export async function fallBack(run: Run, why: string, stepId: string, remember: boolean): Promise<boolean> {
  const from = run.protocol;
  const to = FALLBACK[from];
  if (to === undefined) return false;
  run.protocol = to;
  if (remember) run.deps.learn({ protocol: to });
  if (to === "none") run.recalled = await run.deps.recall(to);
  run.deps.emitter.warn(
    "protocol_changed",
    `Tools are now offered to ${run.input.model.name} in another way (${from} to ${to}): ${why}`,
    { from, to },
    stepId,
  );
  return true;
}

function withoutThinking(run: Run, stepId: string): boolean {
  if (run.think === undefined) return false;
  run.think = undefined;
  run.deps.learn({ think: false });
  const message = `${run.input.model.name} can't think before it answers; it is asked without.`;
  run.deps.emitter.warn("protocol_changed", message, { think: "off" }, stepId);
  return true;
}

async function retryUnparsable(run: Run, problem: Failure, stepId: string): Promise<Failure | undefined> {
  run.met.unparsable += 1;
  if (run.met.unparsable > 1) {
    return (await fallBack(run, problem.message, stepId, false)) ? undefined : problem;
  }
  const correction =
    "Your last tool call was not valid JSON. Make it again with valid JSON, or answer without it.";
  run.own.push(...run.deps.adapter(run.protocol).correction(correction));
  run.deps.emitter.warn("retried", `${problem.message} The model is asked once more.`, undefined, stepId);
  return undefined;
}

/** Half of the history goes, as often as it takes; without history, half of each long result of this turn. */
function shrink(run: Run, problem: Failure, stepId: string): Failure | undefined {
  const turns = run.history.length;
  const dropped = Math.ceil(turns / 2);
  if (dropped > 0) {
    run.history = run.history.slice(dropped);
    warnContextCut(run, dropped, turns, stepId);
    return undefined;
  }
  if (halveResults(run, stepId)) return undefined;
  const { contextLength } = run.input.runner;
  return failure(
    "context_overflow",
    `The question with its material does not fit the context of ${contextLength} tokens. Attach less, start a new session, or raise the context length.`,
    { action: "open_settings", target: CONTEXT_SETTING, cause: problem.cause ?? problem.message },
  );
}

function halveResults(run: Run, stepId: string): boolean {
  let cut = 0;
  run.own.forEach((message, index) => {
    const tokens = messageTokens(message);
    if (message.role !== "tool" || tokens <= SMALL_RESULT) return;
    const shorter = { ...message, content: cutResult(message.content, Math.floor(tokens / 2)).text };
    const kept = run.kept.indexOf(message);
    run.own[index] = shorter;
    if (kept >= 0) run.kept[kept] = shorter;
    cut += 1;
  });
  if (cut === 0) return false;
  const { contextLength } = run.input.runner;
  run.deps.emitter.warn(
    "context_cut",
    `${cut} results of tools were cut to half: they don't fit the context of ${contextLength} tokens.`,
    { results: cut, context_length: contextLength },
    stepId,
  );
  return true;
}

/** The least thinking a model can be asked for, for a second try after it thought without answering. */
export function lessThinking(think: Think | undefined): Think | undefined {
  if (think === undefined) return undefined;
  return typeof think === "string" ? "low" : false;
}
