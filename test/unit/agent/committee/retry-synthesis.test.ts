import assert from "node:assert/strict";
import { retrySynthesis } from "../../../../src/agent/committee/retry-synthesis.ts";
import { createEmitter } from "../../../../src/agent/emitter.ts";
import { NO_AGENTS } from "../../../../src/agent/agents/definition.ts";
import { TurnContexts } from "../../../../src/agent/budget/model-context.ts";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { createHostGates } from "../../../../src/agent/host-gates.ts";
import { createModelLessons } from "../../../../src/agent/model-lessons.ts";
import { protocolAdapter } from "../../../../src/agent/protocols/index.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../../../src/agent/settings.ts";
import { systemTimer } from "../../../../src/agent/timer.ts";
import { all, broken, only, seededIdentity, toolSet, type Reply } from "../support.ts";
import { castModel, committeeEngine, convene, persona, speakers } from "./bed.ts";

const DOWN: Reply = [broken("server_error", "Out of memory.")];

describe("a synthesis that is tried again later", () => {
  it("asks the synthesizer alone: what the members said is taken from the turn's events", async () => {
    const team = ["Ana", "Bo"].map((name) => persona(name));
    const model = castModel({ Ana: ["Tuesday"], Bo: ["Thursday"], "The Self": [DOWN, DOWN, "On Tuesday."] });
    const first = await convene(committeeEngine({ personas: team, models: [model] }));
    const kept = all(first.events, "round.end").map(({ data }) => data.positions);
    const before = model.requests.length;

    const identity = seededIdentity();
    const events: TurnEvent[] = [];
    const sink = (event: TurnEvent): void => void events.push(event);
    const turnId = identity.turnId();
    const turn = createEmitter(
      { sessionId: "s", turnId, agent: "committee", respondent: "A" },
      identity,
      sink,
    );
    const settings = { ...DEFAULT_ENGINE_SETTINGS, model: "tiny", memory: { enabled: false } };
    const answer = await retrySynthesis(
      kept,
      {
        request: { question: "Tuesday or Thursday?", door: "test" },
        ...{ sessionId: "s", turnId, conversation: { turns: [] }, settings },
        tools: toolSet(),
        // A member's file may be gone by then.
        agents: { ...NO_AGENTS, agents: team.slice(0, 1) },
      },
      {},
      {
        model: () => model,
        memory: undefined,
        ...{ identity, sink, timer: systemTimer, signal: new AbortController().signal },
        gate: createHostGates().of,
        lessons: createModelLessons(),
        adapter: protocolAdapter,
        contexts: new TurnContexts(),
        onCut: () => undefined,
      },
      turn,
    );
    assert.equal(answer.answer, "On Tuesday.");
    assert.deepEqual(speakers(model).slice(before), ["The Self"]);
    assert.match(model.requests.at(-1)?.messages.at(-1)?.content ?? "", /Thursday/u);
    assert.equal(only(events, "committee.end").data.outcome, "answered");
  });

  it("is a turn of the engine like any other: no round is had, and the synthesis is its answer", async () => {
    const team = ["Ana", "Bo"].map((name) => persona(name));
    const model = castModel({ Ana: ["Tuesday"], Bo: ["Thursday"], "The Self": [DOWN, DOWN, "On Tuesday."] });
    const engine = committeeEngine({ personas: team, models: [model] });
    const first = await convene(engine);
    const synthesisOf = all(first.events, "round.end").map(({ data }) => data.positions);
    const before = model.requests.length;
    const again = await convene(engine, {}, { synthesisOf });
    assert.equal(only(again.events, "answer.dialog").data.answer, "On Tuesday.");
    assert.deepEqual(speakers(model).slice(before), ["The Self"]);
    assert.deepEqual(all(again.events, "round.start"), []);
  });
});
