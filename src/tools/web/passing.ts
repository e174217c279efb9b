import type { Failure } from "../../agent/failure.ts";

/** Statuses of servers that have too much to do, or can't reach what stands behind them, at this moment. */
const BUSY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** Codes of failures that may be gone a moment later. */
const PASSING: ReadonlySet<Failure["code"]> = new Set(["stream_broken", "server_busy"]);

/** The code of the failure that an error's status means: `server_busy` where the same request may do better soon. */
export function statusCode(status: number): "server_busy" | "tool_failed" {
  return BUSY_STATUSES.has(status) ? "server_busy" : "tool_failed";
}

/** True for a broken connection or a busy server; a refusal, a limit or an answer that can't be read stays. */
export function mayPass({ code }: Failure): boolean {
  return PASSING.has(code);
}
