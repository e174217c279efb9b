import { createEmitter, type Emitter } from "../../../../src/agent/emitter.ts";
import type { EventSink } from "../../../../src/agent/events.ts";
import { SteadyIdentity } from "./steady-identity.ts";

/** What the deepest agent of the turn said. */
export const DEEPEST_ANSWER = "Yes: there was a release this month.";

/** An agent's part of a turn that is told, and how it is told on. */
interface Part {
  readonly emitter: Emitter;
  readonly name: string;
}

/**
 * A turn in which an agent asks another, that one asks the next, and so on; each has a step of its own, and answers.
 *
 * @param names who asks whom, the answering agent first
 */
export function askedTurn(
  sink: EventSink,
  names: readonly string[] = ["conclave", "Researcher", "Skeptic"],
  identity = new SteadyIdentity(),
): { readonly sessionId: string; readonly turnId: string } {
  const place = { sessionId: identity.uuid(), turnId: identity.turnId() };
  const began = identity.now();
  const of = (agent: string): Emitter => createEmitter({ ...place, agent, respondent: "A" }, identity, sink);
  const first = of(names[0] ?? "");
  first.emit(
    "turn.start",
    { id: place.turnId, parentId: null },
    {
      "gen_ai.conversation.id": place.sessionId,
      "conclave.parent_turn_id": null,
      "conclave.door": "panel",
    },
  );
  first.emit("query.received", { parentId: place.turnId }, { query: "Which cache should I take?" });
  const parts = names.map((name, at): Part => ({ name, emitter: at === 0 ? first : of(name) }));
  work(parts, place.turnId, identity);
  first.emit(
    "turn.end",
    { id: place.turnId, parentId: null },
    {
      outcome: "answered",
      "conclave.duration_ms": identity.now() - began,
      "conclave.steps": 1,
      "conclave.messages": [],
    },
  );
  return place;
}

/** An agent's work: a step with a model call, in it a question to the next agent, then its answer. Gives the answer. */
function work([part, ...others]: readonly Part[], parentId: string, identity: SteadyIdentity): string {
  if (part === undefined) return "";
  const { emitter, name } = part;
  const began = identity.now();
  const isFirst = emitter.origin.agent === "conclave";
  emitter.emit(
    "agent.start",
    { id: emitter.agentId, parentId },
    {
      "gen_ai.agent.name": name,
      "gen_ai.request.model": "qwen3:8b",
      ...(!isFirst && { "conclave.role": "delegate" as const }),
    },
  );
  const stepId = identity.spanId();
  const step = { parentId: stepId, stepId };
  emitter.emit(
    "step.start",
    { id: stepId, parentId: emitter.agentId, stepId },
    { index: 1, "conclave.protocol": "native", "conclave.last_step": false },
  );
  const answer = others.length === 0 ? DEEPEST_ANSWER : `${name} has heard of it.`;
  call(emitter, step, answer, identity);
  if (others.length > 0) ask(emitter, step, others, identity);
  emitter.emit("step.end", { id: stepId, parentId: emitter.agentId, stepId }, { index: 1 });
  emitter.emit(
    "response.generation",
    { parentId: emitter.agentId },
    { answer, thinking: "", tool_calls: [] },
  );
  emitter.emit(
    "agent.end",
    { id: emitter.agentId, parentId },
    { outcome: "answered", "conclave.duration_ms": identity.now() - began },
  );
  return answer;
}

interface InStep {
  readonly parentId: string;
  readonly stepId: string;
}

function call(emitter: Emitter, step: InStep, content: string, identity: SteadyIdentity): void {
  const id = emitter.emit("model.start", step, {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "ollama",
    "gen_ai.request.model": "qwen3:8b",
    "gen_ai.request.max_tokens": 8_192,
    "conclave.context_length": 32_768,
    "conclave.think": "off",
    "conclave.messages": [{ role: "user", content: "…" }],
  });
  identity.time += 500;
  emitter.emit(
    "model.end",
    { id, ...step },
    {
      ...{ content, thinking: "", tool_calls: [] },
      "gen_ai.response.model": "qwen3:8b",
      "gen_ai.response.finish_reasons": ["stop"],
      "conclave.duration_ms": 500,
      "gen_ai.usage.input_tokens": 1_000,
      "gen_ai.usage.output_tokens": 50,
    },
  );
}

function ask(emitter: Emitter, step: InStep, others: readonly Part[], identity: SteadyIdentity): void {
  const began = identity.now();
  const id = emitter.emit("tool.request", step, {
    name: "ask_agent",
    arguments: { agent: others[0]?.name ?? "", question: "Is it still maintained?" },
    "gen_ai.tool.call.id": `call_${identity.spanId()}`,
  });
  const answer = work(others, id, identity);
  emitter.emit(
    "tool.result",
    { id, ...step },
    {
      name: "ask_agent",
      result: `${others[0]?.name ?? ""} answers:\n${answer}`,
      details: { summary: `${others[0]?.name ?? ""} answered with qwen3:8b` },
      "conclave.duration_ms": identity.now() - began,
      "conclave.attempts": 1,
    },
  );
}
