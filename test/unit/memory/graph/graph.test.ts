import assert from "node:assert/strict";
import type { Learnt } from "../../../../src/agent/memory/types.ts";
import { ForgottenTurns } from "../../../../src/memory/facts/forgotten-turns.ts";
import { cleanUp, never, valueOf } from "../support.ts";
import { at, DAY, edge, learnt, linesOf, names, NOON, openGraph, openWindow, tells } from "./support.ts";
import { Graph } from "../../../../src/memory/graph/graph.ts";

describe("the knowledge graph", () => {
  afterEach(cleanUp);

  it("tells what holds and what is past, with the month since when or until when", async () => {
    const graph = await openGraph();
    valueOf(await graph.learn(at(NOON - 90 * DAY, tells(edge("Anna", "lives_in", "Oslo"))), never));
    valueOf(await graph.learn(tells(edge("Anna", "lives_in", "Rome")), never));
    assert.deepEqual(await linesOf(graph, "Anna"), [
      "IS Anna lives in Rome (current, since 2026-05)",
      "WAS Anna lives in Oslo (past, until 2026-05)",
    ]);
  });

  it("keeps side by side what can be true at once", async () => {
    const graph = await openGraph();
    valueOf(await graph.learn(at(NOON - DAY, tells(edge("Anna", "likes", "tea"))), never));
    valueOf(await graph.learn(tells(edge("Anna", "likes", "coffee")), never));
    assert.equal((await linesOf(graph, "Anna")).filter((line) => line.startsWith("IS")).length, 2);
  });

  it("closes what is told as over, and opens it again when it is told again", async () => {
    const graph = await openGraph();
    const works = (holds: boolean, time: number) =>
      at(time, tells(edge("Anna", "knows", "Bo", { holds, text: holds ? "Anna knows Bo" : "Anna knew Bo" })));
    valueOf(await graph.learn(works(true, NOON - 9 * DAY), never));
    valueOf(await graph.learn(works(false, NOON - 6 * DAY), never));
    assert.deepEqual(await linesOf(graph, "Anna"), ["WAS Anna knows Bo (past, until 2026-05)"]);
    valueOf(await graph.learn(works(true, NOON), never));
    assert.deepEqual(await linesOf(graph, "Anna"), [
      "IS Anna knows Bo (current, since 2026-05)",
      "WAS Anna knows Bo (past, until 2026-05)",
    ]);
  });

  it("does not take a country for another home than its city, nor two homes told at once for a move", async () => {
    const graph = await openGraph();
    valueOf(await graph.learn(at(NOON - 2 * DAY, tells(edge("Oslo", "located_in", "Norway"))), never));
    valueOf(await graph.learn(at(NOON - DAY, tells(edge("Anna", "lives_in", "Oslo"))), never));
    valueOf(await graph.learn(tells(edge("Anna", "lives_in", "Norway")), never));
    const both = tells(edge("Bo", "lives_in", "Rome"), edge("Bo", "lives_in", "Bergen"));
    valueOf(await graph.learn(both, never));
    const { rows } = valueOf(
      await graph.relationships({ table: "relationships", offset: 0, limit: 9, onlyCurrent: true }, never),
    );
    assert.equal(rows.length, 5);
  });

  it("gives the same whatever the order in which turns arrive", async () => {
    const homes = ["Oslo", "Rome", "Bergen", "Kyoto"].map((place, index) =>
      at(NOON - (9 - index) * DAY, tells(edge("Anna", "lives_in", place))),
    );
    for (const order of [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [2, 0, 3, 1],
      [1, 3, 0, 2],
    ]) {
      const graph = await openGraph();
      for (const index of order) valueOf(await graph.learn(homes[index]!, never));
      const { rows } = valueOf(
        await graph.relationships(
          { table: "relationships", offset: 0, limit: 9, sort: { column: "validFrom", ascending: true } },
          never,
        ),
      );
      assert.deepEqual(
        rows.map(({ to, validTo }) => [to, validTo === null ? null : Math.round((validTo - NOON) / DAY)]),
        [
          ["Oslo", -8],
          ["Rome", -7],
          ["Bergen", -6],
          ["Kyoto", null],
        ],
      );
    }
  });

  it("adds 0.05 to the strength with each turn that tells a thing, up to 1, and nothing for a turn told twice", async () => {
    const graph = await openGraph();
    const first = tells(edge("Anna", "likes", "tea", { strength: 0.9 }));
    for (const turn of [first, first, tells(...first.edges), tells(...first.edges), tells(...first.edges)]) {
      valueOf(await graph.learn(turn, never));
    }
    const { rows } = valueOf(
      await graph.relationships({ table: "relationships", offset: 0, limit: 9 }, never),
    );
    assert.deepEqual(
      rows.map(({ strength, mentions }) => [strength, mentions]),
      [[1, 4]],
    );
  });

  it("answers within two hops, the near first, then the recent and strong, no more than asked for", async () => {
    const graph = await openGraph();
    const tell = async (time: number, ...edges: Learnt["edges"]) =>
      valueOf(await graph.learn(at(time, tells(...edges)), never));
    await tell(
      NOON,
      edge("Anna", "likes", "tea", { strength: 0.3 }),
      edge("Anna", "works_at", "Acme", { strength: 0.9 }),
    );
    await tell(NOON, edge("Acme", "located_in", "Bergen"), edge("Bergen", "located_in", "Norway"));
    await tell(NOON, edge("Bo", "likes", "milk"));
    assert.deepEqual(await linesOf(graph, "anna"), [
      "IS Anna works at Acme (current, since 2026-05)",
      "IS Anna likes tea (current, since 2026-05)",
      "IS Acme located in Bergen (current, since 2026-05)",
    ]);
    const { lines } = valueOf(
      await graph.answer({ people: ["Anna"], locations: ["Norway"], limit: 2 }, never),
    );
    assert.equal(lines.length, 2);
  });

  it("says which names it does not know", async () => {
    const graph = await openGraph();
    assert.deepEqual(valueOf(await graph.answer({ people: ["Zoe"], locations: [] }, never)), {
      lines: [],
      unknown: ["Zoe"],
    });
    valueOf(await graph.learn(tells(edge("Anna Berg", "lives_in", "Oslo")), never));
    const answer = valueOf(
      await graph.answer({ people: ["Ann", "Anna", "O' OR '1'='1"], locations: ["oslo"] }, never),
    );
    assert.deepEqual(answer.unknown, ["Ann", "O' OR '1'='1"]);
    assert.equal(answer.lines.length, 1);
  });

  it("keeps what belongs to one workspace from others", async () => {
    const graph = await openGraph();
    const inScope = (scope: string, place: string) => ({ ...tells(edge("Anna", "lives_in", place)), scope });
    valueOf(await graph.learn(inScope("w1", "Oslo"), never));
    valueOf(await graph.learn(inScope("w2", "Rome"), never));
    const ask = async (scopes: string[]) =>
      valueOf(await graph.answer({ people: ["Anna"], locations: [], scopes }, never)).lines.map(
        ({ relationship }) => relationship.to,
      );
    assert.deepEqual(await ask(["w1", ""]), ["Oslo"]);
    assert.deepEqual((await ask(["w1", "w2"])).sort(), ["Oslo", "Rome"]);
    assert.deepEqual(await ask([""]), []);
  });

  it("makes one person of a name written in many ways", async () => {
    const graph = await openGraph();
    for (const name of [
      "José Álvarez",
      "jose alvarez",
      "Dr. Jose Alvarez",
      "JOSÉ ÁLVAREZ’s",
      "Mr José  Álvarez",
    ]) {
      valueOf(
        await graph.learn(learnt(`I met ${name} today`, { entities: [{ name, type: "person" }] }), never),
      );
    }
    assert.deepEqual(await names(graph), ["José Álvarez"]);
    assert.equal(
      valueOf(await graph.people({ table: "people", offset: 0, limit: 9 }, never)).rows[0]?.mentions,
      5,
    );
  });

  it("makes two windows that hear of one person at once agree on one row", async () => {
    const first = await openWindow();
    const second = await openWindow({ folder: first.folder });
    const graphs = [new Graph(first), new Graph(second)];
    const told = Array.from({ length: 8 }, () => tells(edge("Anna", "sister_of", "user")));
    await Promise.all(told.map(async (each, index) => valueOf(await graphs[index % 2]!.learn(each, never))));
    for (const graph of graphs) {
      assert.deepEqual(await names(graph), ["Anna", "user"]);
      const { rows } = valueOf(
        await graph.relationships({ table: "relationships", offset: 0, limit: 9 }, never),
      );
      assert.equal(rows.length, 1);
      assert.equal(rows[0]?.mentions, 8);
      assert.equal(rows[0].strength, 0.85);
    }
  });

  it("stops within a moment when it is told to", async () => {
    const graph = await openGraph();
    const stopped = AbortSignal.abort();
    for (const result of [
      await graph.learn(tells(edge("Anna", "likes", "tea")), stopped),
      await graph.answer({ people: ["Anna"], locations: [] }, stopped),
    ]) {
      assert.equal(!result.ok && result.failure.code, "cancelled");
    }
  });

  it("learns nothing from a turn that was forgotten meanwhile", async () => {
    const window = await openWindow();
    const graph = new Graph(window);
    const told = tells(edge("Anna", "likes", "tea"));
    valueOf(await new ForgottenTurns(window.database).add([told.source.turnId], NOON, never));
    assert.deepEqual(valueOf(await graph.learn(told, never)), { entities: 0, edges: 0 });
    assert.deepEqual(await names(graph), []);
  });
});
