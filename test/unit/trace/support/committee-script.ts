import { createEmitter, type Emitter } from "../../../../src/agent/emitter.ts";
import type { AgentRole, EventOf, EventSink } from "../../../../src/agent/events.ts";
import type { Position } from "../../../../src/agent/events-committee.ts";
import type { Failure } from "../../../../src/agent/failure.ts";
import type { SteadyIdentity } from "./steady-identity.ts";

const QUESTION = "Should the cache stay in process now that there are two replicas?";
/** The model that most members speak with. */
export const MODEL = "qwen3:8b";

/** A member of a committee: what it says in each round, and why it changes. */
export interface Member {
  readonly name: string;
  readonly model: string;
  readonly said: readonly string[];
  readonly reason?: string;
}

/** The committee of three. */
export const MEMBERS: readonly Member[] = [
  {
    name: "Skeptic",
    model: MODEL,
    said: [
      "No. A write on one replica leaves the other stale for up to ten minutes.",
      "No. Stale reads are the failure that nobody will see until it costs something.",
    ],
  },
  {
    name: "Evidence Seeker",
    model: "gemma3:4b",
    said: [
      "Memory says the decision of 12 March was made for one replica. Measure how often rows change first.",
      "Keep it, and drop entries on the row.changed event: the bus is there already.",
    ],
    reason: "the event bus makes dropping entries cheap, which I had not known",
  },
  {
    name: "Pragmatist",
    model: MODEL,
    said: [
      "Keep it. Drop entries on the row.changed event; that is ten lines.",
      "Keep it, and drop entries on the row.changed event.",
    ],
  },
];

const SYNTHESIS =
  "Keep the cache in process, and drop entries on the `row.changed` event, which both replicas hear.\n\n" +
  "**Another view** — stale reads are hard to see: count how often an entry is older than its row before you trust it.";

/** How a member's context is shared out. */
const BUDGET: EventOf<"context.budget">["data"] = {
  "conclave.context_length": 32_768,
  parts: {
    ...{ system: 210, tools: 320, history: 420, memory: 90, references: 0 },
    ...{ question: 60, steps: 200, answer: 4_096 },
  },
  calibration: 1.06,
};

function modelStart(model: string): EventOf<"model.start">["data"] {
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "ollama",
    "gen_ai.request.model": model,
    "gen_ai.request.max_tokens": 8_192,
    "conclave.context_length": 32_768,
    "conclave.think": "off",
    "conclave.messages": [{ role: "user", content: QUESTION }],
  };
}

/** A committee's turn that is told event by event. */
export class CommitteeScript {
  readonly sessionId: string;
  readonly turnId: string;
  readonly #sink: EventSink;
  readonly #identity: SteadyIdentity;
  readonly #turn: Emitter;
  readonly #committeeId: string;
  readonly #positions: Position[] = [];
  readonly #began: number;
  readonly #of: number;

  constructor(
    sink: EventSink,
    identity: SteadyIdentity,
    sessionId = identity.uuid(),
    members: readonly Member[] = MEMBERS,
    of = 2,
  ) {
    this.#of = of;
    this.#sink = sink;
    this.#identity = identity;
    this.#began = identity.now();
    this.sessionId = sessionId;
    this.turnId = identity.turnId();
    this.#turn = this.#emitter("committee");
    this.#turn.emit(
      "turn.start",
      { id: this.turnId, parentId: null },
      {
        "gen_ai.conversation.id": sessionId,
        "conclave.parent_turn_id": null,
        "conclave.door": "panel",
      },
    );
    this.#turn.emit("query.received", { parentId: this.turnId }, { query: QUESTION });
    this.#committeeId = this.#turn.emit(
      "committee.start",
      { parentId: this.turnId },
      {
        "conclave.strategy": "blind",
        "conclave.rounds": of,
        "conclave.personas": members.map(({ name, model }) => ({ name, model })),
        "conclave.synthesizer": "The Self",
        "conclave.estimated_tokens": 24_000,
      },
    );
  }

  round(index: number): string {
    this.#positions.length = 0;
    return this.#turn.emit("round.start", { parentId: this.#committeeId }, { index, of: this.#of });
  }

  speaks(round: string, { name, model, said, reason }: Member, at: number): void {
    const answer = said[at] ?? "";
    const agentId = this.#agent(round, name, "persona", model, answer);
    const changed = at > 0 && reason !== undefined;
    this.#positions.push({
      ...{ agent: name, agentId, model, answer },
      ...(changed && { changed, reason }),
    });
  }

  fails(round: string, name: string, error: Failure): void {
    const emitter = this.#emitter(name);
    this.#start(emitter, round, "persona", MODEL);
    this.#identity.time += 600_000;
    emitter.emit(
      "agent.end",
      { id: emitter.agentId, parentId: round },
      { outcome: "failed", "conclave.duration_ms": 600_000, error },
    );
    this.#positions.push({ agent: name, agentId: emitter.agentId, model: MODEL, answer: "", error });
  }

  roundEnd(id: string, index: number, agreed = false): void {
    this.#turn.emit(
      "round.end",
      { id, parentId: this.#committeeId },
      {
        index,
        positions: [...this.#positions],
        "conclave.agreed": agreed,
        "conclave.agreement": agreed ? "Two of three hold that the cache stays." : "They differ.",
      },
    );
  }

  sumsUp(): void {
    this.#agent(this.#committeeId, "The Self", "synthesizer", MODEL, SYNTHESIS);
    const keep = MEMBERS[2]?.said[1] ?? "";
    this.#turn.emit(
      "committee.end",
      { id: this.#committeeId, parentId: this.turnId },
      {
        outcome: "answered",
        rounds: 2,
        "conclave.stopped": "rounds",
        "conclave.verdict": {
          best: { agent: "Pragmatist", answer: keep, by: "it is closest to all" },
          majority: { answer: keep, agents: ["Evidence Seeker", "Pragmatist"] },
          minority: [{ agent: "Skeptic", answer: MEMBERS[0]?.said[1] ?? "" }],
        },
        "conclave.shown_as": [
          { letter: "A", agent: "Pragmatist" },
          { letter: "B", agent: "Skeptic" },
          { letter: "C", agent: "Evidence Seeker" },
        ],
        "conclave.duration_ms": this.#identity.now() - this.#began,
        "gen_ai.usage.input_tokens": 9_400,
        "gen_ai.usage.output_tokens": 760,
      },
    );
    this.#turn.emit("answer.dialog", { parentId: this.turnId }, { query: QUESTION, answer: SYNTHESIS });
    this.#turn.emit("turn.end", { id: this.turnId, parentId: null }, this.#end());
  }

  #end(): EventOf<"turn.end">["data"] {
    return {
      outcome: "answered",
      "conclave.duration_ms": this.#identity.now() - this.#began,
      "conclave.steps": 1,
      "conclave.messages": [
        { role: "user", content: QUESTION },
        { role: "assistant", content: SYNTHESIS },
      ],
      "gen_ai.usage.input_tokens": 9_400,
      "gen_ai.usage.output_tokens": 760,
    };
  }

  #emitter(agent: string): Emitter {
    const { sessionId, turnId } = this;
    return createEmitter({ sessionId, turnId, agent, respondent: "A" }, this.#identity, this.#sink);
  }

  #start(emitter: Emitter, parentId: string, role: AgentRole, model: string): void {
    emitter.emit(
      "agent.start",
      { id: emitter.agentId, parentId },
      {
        "gen_ai.agent.name": emitter.origin.agent,
        "gen_ai.request.model": model,
        "conclave.role": role,
      },
    );
  }

  /** A member that is at work: each call of what this gives adds to what it says. */
  begins(round: string, name: string): (text: string) => void {
    const emitter = this.#emitter(name);
    this.#start(emitter, round, "persona", MODEL);
    const stepId = this.#identity.spanId();
    const step = { parentId: stepId, stepId };
    const first = { index: 1, "conclave.protocol": "native", "conclave.last_step": false } as const;
    emitter.emit("step.start", { id: stepId, parentId: emitter.agentId, stepId }, first);
    const id = emitter.emit("model.start", step, modelStart(MODEL));
    return (text) => void emitter.emit("model.delta", { id, ...step }, { channel: "answer", text });
  }

  /** Nobody could sum up: the best answer stands in. */
  standsIn(): void {
    const answer = `*no synthesis: the server went away*\n\n${MEMBERS[2]?.said[1] ?? ""}`;
    const label = "no synthesis: the server went away";
    this.#turn.emit("warning", { parentId: this.#committeeId }, { code: "no_synthesis", message: label });
    this.#turn.emit("answer.dialog", { parentId: this.turnId }, { query: QUESTION, answer });
    this.#turn.emit(
      "response.generation",
      { parentId: this.turnId },
      { answer, thinking: "", tool_calls: [] },
    );
    this.#turn.emit("turn.end", { id: this.turnId, parentId: null }, this.#end());
  }

  /** An agent that looks into memory, then answers in one step. */
  #agent(parentId: string, name: string, role: AgentRole, model: string, answer: string): string {
    const emitter = this.#emitter(name);
    const { agentId } = emitter;
    const began = this.#identity.now();
    this.#start(emitter, parentId, role, model);
    const stepId = this.#identity.spanId();
    const step = { parentId: stepId, stepId };
    const inStep = { id: stepId, parentId: agentId, stepId };
    emitter.emit("step.start", inStep, {
      index: 1,
      "conclave.protocol": "native",
      "conclave.last_step": false,
    });
    if (role === "persona") this.#search(emitter, step);
    emitter.emit("context.budget", step, BUDGET);
    const id = emitter.emit("model.start", step, modelStart(model));
    for (const text of answer.split(/(?<= )/)) {
      emitter.emit("model.delta", { id, ...step }, { channel: "answer", text });
    }
    this.#identity.time += 2_400;
    emitter.emit(
      "model.end",
      { id, ...step },
      {
        ...{ content: answer, thinking: "", tool_calls: [] },
        "gen_ai.response.model": model,
        "gen_ai.response.finish_reasons": ["stop"],
        "conclave.duration_ms": 2_400,
        "gen_ai.usage.input_tokens": 1_300,
        "gen_ai.usage.output_tokens": 90,
      },
    );
    emitter.emit("step.end", inStep, { index: 1 });
    emitter.emit("response.generation", { parentId: agentId }, { answer, thinking: "", tool_calls: [] });
    emitter.emit(
      "agent.end",
      { id: agentId, parentId },
      { outcome: "answered", "conclave.duration_ms": this.#identity.now() - began },
    );
    return agentId;
  }

  #search(emitter: Emitter, step: { readonly parentId: string; readonly stepId: string }): void {
    const id = emitter.emit("tool.request", step, {
      name: "search_memory",
      arguments: { query: "cache replicas" },
      "gen_ai.tool.call.id": `call_${this.#identity.spanId()}`,
    });
    this.#identity.time += 30;
    emitter.emit(
      "tool.result",
      { id, ...step },
      {
        name: "search_memory",
        result: "[2026-03-12] LRU in process, 10 minutes.",
        details: { summary: "1 of 41 memories given" },
        "conclave.duration_ms": 30,
        "conclave.attempts": 1,
      },
    );
  }
}
