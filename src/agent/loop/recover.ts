import { doesNotFit, halveOwnResults, leaveOut } from "../budget/fit.ts";
import type { ToolProtocol } from "../events.ts";
import type { Failure } from "../failure.ts";
import type { Run } from "./types.ts";
import type { Think } from "../models/types.ts";
import { useRecalled } from "./use-recalled.ts";

/** What to fall back to when a protocol does not work with a server. */
const FALLBACK: { readonly [from in ToolProtocol]: ToolProtocol | undefined } = {
  native: "constrained",
  constrained: "react",
  react: "none",
  none: undefined,
};

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
  if (to === "none" && run.recalled === undefined) await useRecalled(run, await run.deps.recall(to));
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
  const { past, contextLength } = run.input.context;
  run.deps.counts.refused({ estimate: run.estimate, contextLength });
  const turns = past.groups.length;
  if (turns > 0) {
    leaveOut(run, stepId, Math.ceil(turns / 2));
    return undefined;
  }
  if (past.summary !== undefined) {
    past.dropSummary();
    return undefined;
  }
  return halveOwnResults(run, stepId) ? undefined : doesNotFit(run, problem.cause ?? problem.message);
}

/** The least thinking a model can be asked for, for a second try after it thought without answering. */
export function lessThinking(think: Think | undefined): Think | undefined {
  if (think === undefined) return undefined;
  return typeof think === "string" ? "low" : false;
}
