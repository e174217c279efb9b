import type { WarningCode } from "../../agent/events.ts";

/** What changes how an answer is to be read. */
const OF_THE_ANSWER: ReadonlySet<WarningCode> = new Set([
  "step_limit",
  "token_budget",
  "context_cut",
  "answer_cut",
  "references_cut",
  "memory_unavailable",
  "agent_unknown",
  "tool_unknown",
  "agent_failed",
  "committee_too_small",
  "stopped_early",
  "chained_tool",
  "prompt_truncated",
]);

/** Of those, what concerns the one agent that it happened to. */
const OF_ONE_AGENT: ReadonlySet<WarningCode> = new Set([
  "step_limit",
  "token_budget",
  "context_cut",
  "answer_cut",
  "chained_tool",
]);

/**
 * Whether a warning stays under the answer, or passes by while the turn runs. Of an agent whose words are not the answer
 * only what concerns the whole turn stays.
 */
export function keptWarning(code: WarningCode, answers: boolean): boolean {
  return OF_THE_ANSWER.has(code) && (answers || !OF_ONE_AGENT.has(code));
}
