import { createEmitter } from "../../../../src/agent/emitter.ts";
import type { EventOf, EventSink } from "../../../../src/agent/events.ts";
import { SteadyIdentity } from "./steady-identity.ts";

/** A turn that has ended. */
interface Place {
  readonly sessionId: string;
  readonly turnId: string;
}

/** What respondent B says in the tests. */
export const OTHER_ANSWER =
  "On 12 March you chose an **in-process LRU** with a 10-minute lifetime. Since the 20th there are two replicas (told on 18 March), so that it no longer holds.";

/** The model that respondent B is. */
export const OTHER_MODEL = "llama3.2:3b";

/**
 * Tells what the engine tells of respondent B: an agent of its own with a step, a tool and tokens, all of it under the
 * turn, and at last its answer. Gives the id of B's agent.
 *
 * @param until `working`: the window was closed before it had answered
 */
export function otherAnswers(
  { sessionId, turnId }: Place,
  sink: EventSink,
  options: {
    readonly identity?: SteadyIdentity;
    readonly answer?: string;
    readonly until?: "working";
    readonly data?: Partial<EventOf<"shadow.answer">["data"]>;
  } = {},
): string {
  const identity = options.identity ?? new SteadyIdentity(undefined, 900_000);
  const { answer = OTHER_ANSWER } = options;
  const emitter = createEmitter({ sessionId, turnId, agent: "second", respondent: "B" }, identity, sink);
  const { agentId } = emitter;
  const step = identity.spanId();
  const inStep = { parentId: step, stepId: step };
  const usage = { "gen_ai.usage.input_tokens": 5_000, "gen_ai.usage.output_tokens": 400 };
  emitter.emit(
    "agent.start",
    { id: agentId, parentId: turnId },
    { "gen_ai.agent.name": "second", "gen_ai.request.model": OTHER_MODEL, "conclave.role": "shadow" },
  );
  emitter.emit(
    "tool.schema",
    { parentId: agentId },
    {
      tools: [{ name: "read_notes", description: "Reads.", parameters: { type: "object" } }],
      "conclave.protocol": "react",
    },
  );
  emitter.emit(
    "step.start",
    { id: step, parentId: agentId, stepId: step },
    { index: 7, "conclave.protocol": "react", "conclave.last_step": false },
  );
  const model = emitter.emit("model.start", inStep, {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "ollama",
    "gen_ai.request.model": OTHER_MODEL,
    "gen_ai.request.max_tokens": 512,
    "conclave.context_length": 4_096,
    "conclave.think": "false",
    "conclave.messages": [{ role: "user", content: "the question, once more" }],
  });
  if (options.until === "working") return agentId;
  emitter.emit(
    "model.end",
    { id: model, ...inStep },
    {
      content: answer,
      thinking: "B thinks of replicas.",
      tool_calls: [],
      "gen_ai.response.model": OTHER_MODEL,
      "gen_ai.response.finish_reasons": ["stop"],
      "conclave.duration_ms": 2_500,
      ...usage,
    },
  );
  const call = emitter.emit("tool.request", inStep, {
    name: "read_notes",
    arguments: { about: "cache" },
    "gen_ai.tool.call.id": "call_b",
  });
  emitter.emit(
    "tool.result",
    { id: call, ...inStep },
    { name: "read_notes", result: answer, "conclave.duration_ms": 3, "conclave.attempts": 1 },
  );
  emitter.emit("step.end", { id: step, parentId: agentId, stepId: step }, { index: 7 });
  emitter.emit("response.generation", { parentId: agentId }, { answer, thinking: "", tool_calls: [] });
  emitter.emit(
    "agent.end",
    { id: agentId, parentId: turnId },
    { outcome: "answered", "conclave.duration_ms": 2_600, ...usage },
  );
  emitter.emit(
    "shadow.answer",
    { parentId: turnId },
    {
      answer,
      outcome: "answered",
      "gen_ai.request.model": OTHER_MODEL,
      "gen_ai.request.temperature": 0.2,
      "conclave.asked_by": "user",
      "conclave.duration_ms": 2_700,
      "conclave.episode_ids": ["00000000-0000-4000-8000-0000000000b0"],
      ...usage,
      ...options.data,
    },
  );
  return agentId;
}
