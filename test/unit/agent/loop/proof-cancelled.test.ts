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

describe("a small model's answer that is not proven yet", () => {
  it("is no answer of a turn that is cancelled then", async () => {
    const model = playModel([answers('{"i_know": false}'), answers("Ben."), hangs()], { parameters: 1.5e9 });
    const memory = emptyMemory({ search: () => Promise.resolve(success({ hits: [HIT], searched: 1 })) });
    const engine = engineOver(model, { memory, settings: { memory: { learning: "off" } } });
    const turn = await start(engine, "Who looks after the parser?");
    const events = [];
    for await (const event of turn.events) {
      events.push(event);
      if (event.type === "model.end") setImmediate(() => turn.cancel());
    }
    const { data } = only(events, "turn.end");
    assert.equal(data.outcome, "cancelled");
    assert.ok(!JSON.stringify(data).includes("Ben."));
  });
});
