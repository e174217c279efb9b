import type { EventOf, TurnEvent, TurnEventType } from "../../../src/agent/events.ts";

let ids = 0;

/** An event of one turn, with the parts that the tests of views don't look at filled in. */
export function event<Type extends TurnEventType>(
  type: Type,
  data: EventOf<Type>["data"],
  sessionId = "s1",
): TurnEvent {
  ids += 1;
  const base = { id: `e${ids}`, parentId: "t1", time: ids, sessionId, turnId: "t1" };
  return { ...base, agent: "conclave", respondent: "A", type, data } as TurnEvent;
}

/** A model call begins. */
export const modelStart = (model = "qwen3:8b", sessionId = "s1"): TurnEvent =>
  event(
    "model.start",
    {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "ollama",
      "gen_ai.request.model": model,
      "gen_ai.request.max_tokens": 100,
      "conclave.context_length": 4_096,
      "conclave.think": "true",
      "conclave.messages": [],
    },
    sessionId,
  );

/** Text arrives. */
export const delta = (channel: "thinking" | "answer", text: string): TurnEvent =>
  event("model.delta", { channel, text });

/** A turn ends, with an error's sentence where one is given. */
export const turnEnd = (error?: string, sessionId = "s1"): TurnEvent =>
  event(
    "turn.end",
    {
      outcome: error === undefined ? "answered" : "failed",
      "conclave.duration_ms": 1,
      "conclave.steps": 1,
      "conclave.messages": [],
      ...(error === undefined ? {} : { error: { code: "server_unreachable", message: error } }),
    },
    sessionId,
  );
