import assert from "node:assert/strict";
import fc from "fast-check";
import { failed, success } from "../../../../src/agent/failure.ts";
import type { Place, Turn } from "../../../../src/memory/retrieval/candidates.ts";
import { SessionTurns } from "../../../../src/memory/retrieval/session-turns.ts";
import { StoreCandidates } from "../../../../src/memory/retrieval/store-candidates.ts";
import { openStore } from "../store-support.ts";
import { cleanUp, never, valueOf } from "../support.ts";

function place(session: number, at = 0): Place {
  const id = `${session}-${at}`;
  return { id, sessionId: `session ${session}`, turnId: id, time: at };
}

function turn(session: number, at: number): Turn {
  return { ...place(session, at), agent: "conclave", head: "", asks: false, length: 10 };
}

/** A source whose sessions have so many turns each, and the sessions it was asked for. */
async function sessions(perSession: number) {
  const asked: (readonly string[])[] = [];
  const source = new StoreCandidates(await openStore());
  source.turnsOf = (ids, { limit }) => {
    asked.push(ids);
    const all = ids.flatMap((id) =>
      Array.from({ length: perSession }, (_, at) => turn(Number(id.slice(8)), at)),
    );
    return Promise.resolve(success(all.slice(0, limit)));
  };
  return { asked, source };
}

const idsOf = (turns: readonly Turn[]): string[] => turns.map(({ id }) => id).sort();

describe("the turns around what a search found", () => {
  afterEach(cleanUp);

  it("are the same whether those of the first sessions were read early or not", async () => {
    const { source } = await sessions(2);
    const numbers = fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(numbers, fc.nat(120), async (found, cut) => {
        const places = found.map((session) => place(session));
        const early = new SessionTurns(source, {}, never);
        early.begin(places.slice(0, cut));
        const late = new SessionTurns(source, {}, never);
        assert.deepEqual(
          idsOf(valueOf(await early.around(places))),
          idsOf(valueOf(await late.around(places))),
        );
      }),
      { numRuns: 50 },
    );
  });

  it("are read once: what was begun early is not asked for again", async () => {
    const { source, asked } = await sessions(1);
    const turns = new SessionTurns(source, {}, never);
    turns.begin([place(1), place(2), place(1, 1)]);
    await turns.around([place(1), place(2), place(3)]);
    assert.deepEqual(asked, [["session 1", "session 2"], ["session 3"]]);
  });

  it("are those of the first sixty sessions, and no more than twenty thousand", async () => {
    const { source } = await sessions(500);
    const turns = new SessionTurns(source, {}, never);
    const places = Array.from({ length: 100 }, (_, session) => place(session));
    turns.begin(places.slice(0, 30));
    const read = valueOf(await turns.around(places));
    assert.equal(read.length, 20_000);
    assert.ok(read.every(({ sessionId }) => Number(sessionId.slice(8)) < 60));
  });

  it("are none where nothing was found, and a failure where they can't be read", async () => {
    const { source, asked } = await sessions(1);
    assert.deepEqual(valueOf(await new SessionTurns(source, {}, never).around([])), []);
    assert.deepEqual(asked, []);
    source.turnsOf = () => Promise.resolve(failed("memory_unavailable", "no luck."));
    const turns = new SessionTurns(source, {}, never);
    turns.begin([place(1)]);
    assert.equal((await turns.around([place(1)])).ok, false);
  });
});
