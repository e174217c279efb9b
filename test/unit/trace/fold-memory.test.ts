import assert from "node:assert/strict";
import type { EventOf, TurnEvent } from "../../../src/agent/events.ts";
import { parseEvent } from "../../../src/trace/event-schema.ts";
import { foldEvent } from "../../../src/trace/fold.ts";
import { emptyTurn } from "../../../src/trace/model.ts";

const BASE = {
  id: "e1",
  parentId: "t1",
  time: 5,
  sessionId: "00000000-0000-4000-8000-000000000001",
  turnId: "t1",
  agent: "conclave",
  respondent: "A",
};

const CARD: EventOf<"memory.card"> = {
  ...BASE,
  type: "memory.card",
  data: { text: "IS tea", tokens: 3, parts: [{ kind: "fact", text: "IS tea", id: "f1" }] },
};
const INGESTED: EventOf<"memory.ingested"> = {
  ...BASE,
  type: "memory.ingested",
  data: { "conclave.episode_ids": ["a"], "conclave.duration_ms": 2, "conclave.retrieved": 4 },
};
const LEARNED: EventOf<"memory.learned"> = {
  ...BASE,
  type: "memory.learned",
  data: {
    "conclave.episode_ids": ["a"],
    "conclave.extracted": 1,
    "conclave.updated": 0,
    "conclave.by": "model",
    "conclave.learned": {
      added: [{ id: "f2", text: "The user likes cake." }],
      repeated: [],
      closed: [],
      rejected: [{ text: "The user is a king.", reason: "it says more than the user did" }],
      entities: 0,
      edges: 0,
    },
    "conclave.duration_ms": 800,
  },
};

describe("what memory had to do with a turn", () => {
  it("is read back from the log as it was written: card, counts, what was learnt and what was turned down", () => {
    const turn = emptyTurn(BASE.sessionId, BASE.turnId, 0);
    for (const written of [CARD, INGESTED, LEARNED] as readonly TurnEvent[]) {
      const read = parseEvent(JSON.parse(JSON.stringify(written)));
      assert.ok("event" in read, JSON.stringify(read));
      assert.deepEqual(read.event, written);
      foldEvent(turn, read.event);
    }
    assert.deepEqual(turn.card, CARD.data);
    assert.deepEqual(turn.remembered, { episodeIds: ["a"], retrieved: 4 });
    assert.deepEqual(turn.learned, LEARNED.data);
  });

  it("of an older log is folded as before", () => {
    const data = { ...INGESTED.data, "conclave.retrieved": undefined };
    const read = parseEvent(JSON.parse(JSON.stringify({ ...INGESTED, data })));
    assert.ok("event" in read);
    const turn = emptyTurn(BASE.sessionId, BASE.turnId, 0);
    foldEvent(turn, read.event);
    assert.deepEqual(turn.remembered, { episodeIds: ["a"] });
  });
});
