import assert from "node:assert/strict";
import { Graph } from "../../../../src/memory/graph/graph.ts";
import { cleanUp, never, valueOf } from "../support.ts";
import { forget, ofSister, remember } from "./forget-support.ts";
import { allFacts, learnt, openWindow, proposal, telling, type Window } from "./support.ts";
import type { Learnt } from "../../../../src/agent/memory/types.ts";

const HOME = "User lives in Bergen";

/** A turn that tells a fact, with what it says beside the words. */
function sure(text: string, confidence: number, fields: Parameters<typeof proposal>[1] = {}): Learnt {
  return learnt(text, { facts: [proposal(text, { confidence, ...fields })] });
}

async function factsOf(window: Window): Promise<ReadonlyMap<string, { validTo: number | null }>> {
  return new Map((await allFacts(window)).map((fact) => [fact.text, fact]));
}

async function homes({ deps }: Window): Promise<(readonly [string, number | null])[]> {
  const query = { table: "relationships", offset: 0, limit: 9 } as const;
  const { rows } = valueOf(await new Graph(deps).relationships(query, never));
  return rows.map(({ to, validTo }) => [to, validTo] as const).sort(([a], [b]) => (a < b ? -1 : 1));
}

function forgetTurns(window: Window, ...turns: readonly Learnt[]) {
  return forget(window, { by: "turns", turnIds: turns.map(({ source }) => source.turnId) });
}

describe("Forgetting a turn undoes what it did to a fact that stays", () => {
  afterEach(cleanUp);

  it("how sure and how often it was told: as if the turn had not been", async () => {
    const window = await openWindow();
    const turns = [sure(HOME, 0.6), sure(HOME, 0.9), sure(HOME, 0.7)];
    for (const turn of turns) await remember(window, turn);
    const [told] = await allFacts(window);
    assert.equal(told!.mentions, 3);
    assert.ok(told!.confidence > 0.6);
    await forgetTurns(window, turns[1]!, turns[2]!);
    const [fact] = await allFacts(window);
    assert.deepEqual([fact!.confidence, fact!.mentions], [0.6, 1]);
  });

  it("when its first turn goes, it stands as the next one told it", async () => {
    const window = await openWindow();
    const turns = [sure(HOME, 0.95), sure(HOME, 0.5)];
    for (const turn of turns) await remember(window, turn);
    await forgetTurns(window, turns[0]!);
    const [fact] = await allFacts(window);
    assert.deepEqual(
      [fact!.confidence, fact!.mentions, fact!.validFrom, fact!.source],
      [0.5, 1, turns[1]!.source.time, turns[1]!.source],
    );
  });

  it("the day that it alone told", async () => {
    const window = await openWindow();
    const text = "User has a dentist appointment";
    const day = { eventFrom: 1_800_000_000_000, eventTo: 1_800_086_399_999 };
    const turns = [sure(text, 0.6), sure(text, 0.6, { kind: "event", ...day })];
    for (const turn of turns) await remember(window, turn);
    assert.equal((await allFacts(window))[0]!.eventFrom, day.eventFrom);
    await forgetTurns(window, turns[1]!);
    const [fact] = await allFacts(window);
    assert.deepEqual([fact!.eventFrom, fact!.eventTo], [null, null]);
  });

  it("but not what the user has set by hand", async () => {
    const window = await openWindow();
    const turns = [sure(HOME, 0.6), sure(HOME, 0.6)];
    for (const turn of turns) await remember(window, turn);
    const [told] = await allFacts(window);
    const edit = { table: "facts", id: told!.id, confidence: 0.42 } as const;
    valueOf(await window.facts.edit(edit, never));
    await forgetTurns(window, turns[1]!);
    assert.equal((await allFacts(window))[0]!.confidence, 0.42);
  });

  it("its end, when only that turn spoke against it", async () => {
    const window = await openWindow();
    await remember(window, telling("I live in Bergen", HOME));
    const moved = telling("I live in Oslo", "User lives in Oslo");
    await remember(window, moved);
    assert.equal((await factsOf(window)).get(HOME)!.validTo, moved.source.time);
    await forgetTurns(window, moved);
    const left = await factsOf(window);
    assert.deepEqual([...left.keys()], [HOME]);
    assert.equal(left.get(HOME)!.validTo, null);
  });

  it("its end moves to what was told next, when that speaks against it too", async () => {
    const window = await openWindow();
    await remember(window, telling("I live in Bergen", HOME));
    const [oslo, paris] = [
      telling("I live in Oslo", "User lives in Oslo"),
      telling("I live in Paris", "User lives in Paris"),
    ];
    await remember(window, oslo);
    await remember(window, paris);
    await forgetTurns(window, oslo);
    const left = await factsOf(window);
    assert.equal(left.get(HOME)!.validTo, paris.source.time);
    assert.equal(left.get("User lives in Paris")!.validTo, null);
  });

  it("not the end that another turn or the user put to it", async () => {
    const window = await openWindow();
    const first = telling("I live in Bergen", HOME);
    const moved = telling("I live in Oslo", "User lives in Oslo");
    const other = telling("I like tea", "User likes tea");
    for (const turn of [first, moved, other]) await remember(window, turn);
    await forgetTurns(window, other);
    assert.equal((await factsOf(window)).get(HOME)!.validTo, moved.source.time);
  });
});

describe("Forgetting a turn undoes what it did to a relation that stays", () => {
  afterEach(cleanUp);

  it("opens it again when only that turn had closed it", async () => {
    const window = await openWindow();
    await remember(window, ofSister("Anna", "Bergen"));
    const moved = ofSister("Anna", "Oslo");
    await remember(window, moved);
    assert.deepEqual(await homes(window), [
      ["Bergen", moved.source.time],
      ["Oslo", null],
    ]);
    await forgetTurns(window, moved);
    assert.deepEqual(await homes(window), [["Bergen", null]]);
  });

  it("closes it where the next turn told another, and leaves alone what others have closed", async () => {
    const window = await openWindow();
    const [bergen, oslo, paris] = ["Bergen", "Oslo", "Paris"].map((place) => ofSister("Anna", place));
    for (const turn of [bergen!, oslo!, paris!]) await remember(window, turn);
    await forgetTurns(window, oslo!);
    assert.deepEqual(await homes(window), [
      ["Bergen", paris!.source.time],
      ["Paris", null],
    ]);
    await forgetTurns(window, bergen!);
    assert.deepEqual(await homes(window), [["Paris", null]]);
  });

  it("not when a turn that stays said that it is over", async () => {
    const window = await openWindow();
    await remember(window, ofSister("Anna", "Bergen"));
    const told = ofSister("Anna", "Bergen");
    const over = { ...told, facts: [], edges: told.edges.map((edge) => ({ ...edge, holds: false })) };
    await remember(window, over);
    const moved = ofSister("Anna", "Oslo");
    await remember(window, moved);
    await forgetTurns(window, moved);
    assert.deepEqual(await homes(window), [["Bergen", over.source.time]]);
  });
});
