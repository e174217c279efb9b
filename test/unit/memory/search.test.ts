import assert from "node:assert/strict";
import fc from "fast-check";
import type { Place } from "../../../src/memory/retrieval/search.ts";
import { rank } from "../../../src/memory/retrieval/search.ts";

function place(id: string, fields: Partial<Place> = {}): Place {
  return { id, sessionId: "s", turnId: `turn-${id}`, time: 0, ...fields };
}

function ids(places: readonly Place[], halves: Parameters<typeof rank>[1]): string[] {
  return rank(places, halves).map((ranked) => ranked.place.id);
}

describe("Ranking of memories", () => {
  const apart = ["a", "b", "c"].map((id) => place(id, { sessionId: id }));

  it("adds what words and meaning found, so that a row found by both comes first", () => {
    const text = new Map([
      ["a", 5],
      ["b", 4],
    ]);
    const vector = new Map([
      ["b", 0.6],
      ["c", 0.6],
    ]);
    assert.deepEqual(ids(apart, { text, vector }), ["b", "a", "c"]);
  });

  it("uses how far ahead a row is, not only its place", () => {
    const vector = new Map([
      ["a", 0.2],
      ["b", 0.4],
      ["c", 0.4],
    ]);
    const narrow = new Map([
      ["a", 5.1],
      ["b", 5],
    ]);
    const wide = new Map([
      ["a", 50],
      ["b", 5],
    ]);
    assert.equal(ids(apart, { text: narrow, vector })[0], "b");
    assert.equal(ids(apart, { text: wide, vector })[0], "a");
  });

  it("gives a turn credit for the turns just before and after it", () => {
    const session = [1, 2, 3, 4, 5].map((time) => place(`t${time}`, { time }));
    const ranked = rank(session, { text: new Map([["t3", 2]]) });
    assert.equal(ranked[0]?.place.id, "t3");
    assert.deepEqual(ranked.map((hit) => hit.place.id).sort(), ["t1", "t2", "t3", "t4", "t5"]);
    assert.ok((ranked[1]?.parts.textNeighbours ?? 0) > 0);
    assert.equal(ranked[1]?.parts.text, 0);
  });

  it("gives no credit across sessions, nor three turns away", () => {
    const places = [
      place("x", { sessionId: "other", time: 2 }),
      ...[1, 2, 3, 4].map((time) => place(`t${time}`, { time })),
    ];
    assert.deepEqual(ids(places, { text: new Map([["t1", 1]]) }), ["t1", "t3", "t2"]);
  });

  it("counts several respondents of one turn as one neighbour", () => {
    const both = [
      place("a1", { turnId: "1" }),
      place("a2", { turnId: "1" }),
      place("b", { turnId: "2", time: 1 }),
    ];
    const one = [place("a1", { turnId: "1" }), place("b", { turnId: "2", time: 1 })];
    const text = new Map([
      ["a1", 1],
      ["a2", 1],
    ]);
    const scoreOf = (places: Place[]): number | undefined =>
      rank(places, { text }).find((hit) => hit.place.id === "b")?.score;
    assert.equal(scoreOf(both), scoreOf(one));
  });

  it("gives all the weight to the half that answered", () => {
    assert.equal(rank(apart, { text: new Map([["a", 3]]) })[0]?.score, 1);
    assert.equal(rank(apart, { vector: new Map([["a", 0.3]]) })[0]?.score, 1);
  });

  it("puts the newer first among equals, then the lower id", () => {
    const places = [
      place("b", { sessionId: "1" }),
      place("a", { sessionId: "2" }),
      place("c", { sessionId: "3", time: 9 }),
    ];
    const text = new Map(places.map(({ id }) => [id, 1]));
    assert.deepEqual(ids(places, { text }), ["c", "a", "b"]);
  });

  it("finds nothing where nothing was found", () => {
    assert.deepEqual(rank([], {}), []);
    assert.deepEqual(rank(apart, { text: new Map() }), []);
  });

  it("keeps scores and parts within 0..1, falls with the score, and does not depend on the order of rows", () => {
    const rows = fc.uniqueArray(
      fc.record({ id: fc.uuid(), sessionId: fc.constantFrom("s", "t"), turn: fc.nat(5), time: fc.nat(9) }),
      { selector: ({ id }) => id, maxLength: 12 },
    );
    fc.assert(
      fc.property(
        rows,
        fc.array(fc.double({ min: 0, max: 40, noNaN: true })),
        fc.array(fc.double({ min: -1, max: 1, noNaN: true })),
        (records, bm25, cosine) => {
          const places = records.map(({ turn, ...rest }) => ({ ...rest, turnId: String(turn) }));
          const scores = (values: number[]): Map<string, number> =>
            new Map(places.slice(0, values.length).map(({ id }, index) => [id, values[index]!]));
          const halves = { text: scores(bm25), vector: scores(cosine) };
          const ranked = rank(places, halves);
          ranked.forEach(({ score, parts }, index) => {
            assert.ok(score > 0 && score <= 1);
            assert.ok(Object.values(parts).every((part) => part! >= 0 && part! <= 1));
            assert.ok(index === 0 || ranked[index - 1]!.score >= score);
          });
          assert.deepEqual(rank([...places].reverse(), halves), ranked);
        },
      ),
    );
  });
});
