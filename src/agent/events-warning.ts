import type { Event } from "./event-base.ts";
import type { JsonObject } from "./models/types.ts";

/** Things worth knowing that did not stop the turn. */
export type WarningCode =
  | "step_limit"
  | "repeated_call"
  | "token_budget"
  | "protocol_changed"
  | "context_cut"
  | "context_changed"
  | "answer_cut"
  | "references_cut"
  | "memory_unavailable"
  | "format_broken"
  | "web_off"
  | "retried"
  | "runaway"
  | "agent_unknown"
  | "tool_unknown"
  | "agent_failed"
  | "committee_too_small"
  | "no_synthesis"
  | "stopped_early"
  | "output_invalid"
  | "chained_tool"
  | "delegation_refused"
  | "prompt_truncated";

/** Something to know: numbers are in `detail`. */
export type Warning = Event<
  "warning",
  { readonly code: WarningCode; readonly message: string; readonly detail?: JsonObject }
>;
