import assert from "node:assert/strict";
import { success } from "../../../../src/agent/failure.ts";
import type { MemoryHit } from "../../../../src/agent/memory/port.ts";
import { emptyMemory } from "../memory.ts";
import { answers, engineOver, hangs, only, playModel, start } from "../support.ts";

const HIT: MemoryHit = {
  episode: {
    ...{ id: "e1", sessionId: "s1", turnId: "t1", kind: "turn", agent: "conclave", respondent: "A" },
    ...{ model: "", scope: "", time: Date.UTC(2026, 0, 2) },
    ...{ question: "The parser is looked after by Ines.", answer: "Noted." },
  },
  score: 0.9,
  parts: {},
};

describe("a small model that is asked which note answers", () => {
  it("ends the turn as cancelled when it is cancelled then", async () => {
    const model = playModel([answers('{"i_know": false}'), hangs()], { parameters: 1.5e9 });
    const memory = emptyMemory({ search: () => Promise.resolve(success({ hits: [HIT], searched: 1 })) });
    const engine = engineOver(model, { memory, settings: { memory: { learning: "off" } } });
    const turn = await start(engine, "Who looks after the parser?");
    const events = [];
    for await (const event of turn.events) {
      events.push(event);
      if (event.type === "model.check") setImmediate(() => turn.cancel());
    }
    assert.equal(only(events, "turn.end").data.outcome, "cancelled");
    assert.equal(model.requests.length, 2);
  });
});
