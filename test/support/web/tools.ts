import type { ToolContext, ToolOutcome } from "../../../src/agent/tool.ts";

/** A tool's context with values that tests don't care about. */
export function contextOf(signal: AbortSignal = new AbortController().signal): ToolContext {
  return { signal, sessionId: "session-1", turnId: "turn-1", agent: "conclave", question: "a question" };
}

/** The content of an outcome; the failure's sentence when it has none. */
export function textOf(outcome: ToolOutcome): string {
  return outcome.ok ? outcome.content : outcome.failure.message;
}
