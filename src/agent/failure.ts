/** What went wrong, as a stable code that code can branch on. The sentence for people is `Failure.message`. */
export type FailureCode =
  | "cancelled"
  | "timeout"
  | "server_unreachable"
  | "server_error"
  | "server_busy"
  | "unauthorized"
  | "model_missing"
  | "no_model"
  | "tools_unsupported"
  | "thinking_unsupported"
  | "context_overflow"
  | "tool_call_unparsable"
  | "invalid_format"
  | "output_invalid"
  | "runner_stopped"
  | "stream_broken"
  | "empty_answer"
  | "tool_unknown"
  | "tool_arguments"
  | "tool_failed"
  | "tool_disabled"
  | "address_refused"
  | "rate_limited"
  | "memory_unavailable"
  | "session_busy"
  | "bad_input"
  | "internal";

/** Something a person can do about a failure; the views turn it into a button. */
export type FailureAction =
  | "start_ollama"
  | "select_model"
  | "pull_model"
  | "open_settings"
  | "enable_web"
  | "cancel_running"
  | "check_setup"
  | "open_agent"
  | "retry";

/**
 * A failure as a value: model clients, tools and memory return or yield it, they never throw it across a layer.
 */
export interface Failure {
  readonly code: FailureCode;
  /** One or two sentences for people: what happened and what to do. */
  readonly message: string;
  /** What a view can offer to mend it. */
  readonly action?: FailureAction;
  /** What the action is about: a model's name, a setting's key. */
  readonly target?: string;
  /** The other side's own words, or a stack; for the trace, never for the chat. */
  readonly cause?: string;
}

/** A value or a failure. */
export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

/** Wraps a value as a success. */
export function success<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** Makes a failure; `extra` carries action, target and cause. */
export function failure(
  code: FailureCode,
  message: string,
  extra: Omit<Failure, "code" | "message"> = {},
): Failure {
  return { code, message, ...extra };
}

/** Wraps a failure as the unsuccessful side of a `Result`. */
export function failed(
  code: FailureCode,
  message: string,
  extra: Omit<Failure, "code" | "message"> = {},
): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failure(code, message, extra) };
}

/** The failure for something the user or a caller stopped. */
export const CANCELLED: Failure = failure("cancelled", "Cancelled.");

/** The text of anything thrown, for `Failure.cause`. */
export function describeError(error: unknown): string {
  if (error instanceof Error) {
    const inner = error.cause instanceof Error ? ` (${error.cause.message})` : "";
    return `${error.message}${inner}`;
  }
  return String(error);
}
