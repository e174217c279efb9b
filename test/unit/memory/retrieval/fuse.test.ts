import assert from "node:assert/strict";
import fc from "fast-check";
import type { Place, Turn } from "../../../../src/memory/retrieval/candidates.ts";
import { fuse, type Fused, type Views } from "../../../../src/memory/retrieval/fuse.ts";

function place(id: string, fields: Partial<Place> = {}): Place {
  return { id, sessionId: "s", turnId: `turn-${id}`, time: 0, ...fields };
}

function turn(id: string, fields: Partial<Turn> = {}): Turn {
  return { ...place(id, fields), agent: "conclave", head: "", asks: false, length: 100, ...fields };
}

/** What was found, best first. */
function rank(places: readonly (Place | Turn)[], views: Views): Fused[] {
  return [...fuse(places, views)].sort((a, b) => b.score - a.score || (a.place.id < b.place.id ? -1 : 1));
}

function ids(places: readonly (Place | Turn)[], views: Views): string[] {
  return rank(places, views).map((ranked) => ranked.place.id);
}

describe("What the views of a search say together", () => {
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
    assert.deepEqual(ids(places, { text: new Map([["t1", 1]]) }), ["t1", "t2", "t3"]);
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

  it("gives the turn after a question more than the one before it: it holds the answer", () => {
    const session = [
      turn("before", { time: 1 }),
      turn("question", { time: 2, asks: true }),
      turn("answer", { time: 3 }),
    ];
    const text = new Map([["question", 1]]);
    assert.deepEqual(ids(session, { text }), ["question", "answer", "before"]);
  });

  it("gives a turn nothing for its neighbours where that is switched off", () => {
    const session = [1, 2].map((time) => place(`t${time}`, { time }));
    const found = fuse(session, { text: new Map([["t1", 1]]) }, false);
    assert.deepEqual(
      found.map((each) => each.place.id),
      ["t1"],
    );
  });

  it("counts neighbours by meaning until windows are embedded, then the windows", () => {
    const session = [1, 2].map((time) => place(`t${time}`, { time }));
    const vector = new Map([["t1", 0.9]]);
    assert.deepEqual(ids(session, { vector }), ["t1", "t2"]);
    assert.deepEqual(ids(session, { vector, window: new Map([["t1", 0.9]]) }), ["t1"]);
  });

  it("finds nothing where nothing was found", () => {
    assert.deepEqual(rank([], {}), []);
    assert.deepEqual(rank(apart, { text: new Map() }), []);
  });

  it("takes no step between the last of the nearest and what is not among them", () => {
    const rows = Array.from({ length: 30 }, (_, index) => place(`r${index}`, { sessionId: `s${index}` }));
    const other = place("other", { sessionId: "other" });
    const vector = new Map(rows.map(({ id }, index) => [id, 0.9 - index / 100]));
    const text = new Map([
      ["r29", 1],
      ["other", 1],
      ["r0", 9],
    ]);
    const ranked = new Map(
      fuse([...rows, other], { text, vector }).map((each) => [each.place.id, each.score]),
    );
    assert.equal(ranked.get("r29"), ranked.get("other"));
  });

  it("leaves the share of a view that found nothing to the others", () => {
    const vector = new Map([["a", 0.3]]);
    assert.equal(rank(apart, { text: new Map(), vector })[0]?.score, 1);
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
          const halves = {
            text: scores(bm25),
            vector: scores(cosine),
            window: scores([...cosine].reverse()),
          };
          const ranked = rank(places, halves);
          ranked.forEach(({ score, parts }, index) => {
            assert.ok(score > 0 && score <= 1);
            assert.ok(Object.values(parts).every((part) => part >= 0 && part <= 1));
            assert.ok(index === 0 || ranked[index - 1]!.score >= score);
          });
          assert.deepEqual(rank([...places].reverse(), halves), ranked);
        },
      ),
    );
  });
});
