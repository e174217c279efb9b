import assert from "node:assert/strict";
import type { MemoryEdit, MemoryTableQuery } from "../../../../src/agent/memory/types.ts";
import { Graph } from "../../../../src/memory/graph/graph.ts";
import { edgeRow, edgesSpec, entitiesSpec, entityRow } from "../../../../src/memory/graph/tables.ts";
import { cleanUp, never, valueOf } from "../support.ts";
import { at, DAY, edge, NOON, openGraph, openWindow, tells } from "./support.ts";

async function people(graph: Graph, query: Partial<MemoryTableQuery<"people">> = {}) {
  return valueOf(await graph.people({ table: "people", offset: 0, limit: 50, ...query }, never));
}

async function relations(graph: Graph, query: Partial<MemoryTableQuery<"relationships">> = {}) {
  return valueOf(
    await graph.relationships({ table: "relationships", offset: 0, limit: 50, ...query }, never),
  );
}

async function idOf(graph: Graph, name: string): Promise<string> {
  const found = (await people(graph)).rows.find((row) => row.name === name);
  assert.ok(found, name);
  return found.id;
}

async function edit(graph: Graph, change: Extract<MemoryEdit, { table: "people" | "relationships" }>) {
  return valueOf(await graph.edit(change, never)).changed;
}

describe("the tables of people and relationships", () => {
  let graph: Graph;

  beforeEach(async () => {
    graph = await openGraph();
    const tell = async (days: number, ...edges: readonly ReturnType<typeof edge>[]) =>
      valueOf(await graph.learn(at(NOON - days * DAY, tells(...edges)), never));
    await tell(3, edge("Zoë O'Neil", "lives_in", "Oslo"));
    await tell(2, edge("bo", "likes", "100 % wool"));
    await tell(1, edge("Anna", "sister_of", "bo", { strength: 0.9 }));
    await tell(0, edge("Zoë O'Neil", "lives_in", "Rome"));
  });
  afterEach(cleanUp);

  it("are sorted by any column, whatever the case, and given in pages that don't overlap", async () => {
    const sort = { column: "name", ascending: true } as const;
    const pages = [
      ...(await people(graph, { sort, limit: 2 })).rows,
      ...(await people(graph, { sort, limit: 2, offset: 2 })).rows,
      ...(await people(graph, { sort, limit: 9, offset: 4 })).rows,
    ];
    assert.deepEqual(
      pages.map(({ name }) => name),
      ["100 % wool", "Anna", "bo", "Oslo", "Rome", "Zoë O'Neil"],
    );
    for (const column of ["updatedAt", "name", "type", "mentions"] as const) {
      assert.equal((await people(graph, { sort: { column, ascending: false } })).rows.length, 6);
    }
    for (const column of ["updatedAt", "from", "to", "type", "strength", "validFrom"] as const) {
      assert.equal((await relations(graph, { sort: { column, ascending: true } })).rows.length, 4);
    }
    const strongest = await relations(graph, { sort: { column: "strength", ascending: false } });
    assert.equal(strongest.rows[0]?.from, "Anna");
  });

  it("are filtered by words, whatever signs are in them", async () => {
    const found = async (filter: string) => (await people(graph, { filter })).rows.map(({ name }) => name);
    assert.deepEqual(await found("ZOE o'neil"), ["Zoë O'Neil"]);
    assert.deepEqual(await found("zoë"), ["Zoë O'Neil"]);
    assert.deepEqual(await found("100 %"), ["100 % wool"]);
    assert.deepEqual(await found("x' OR '1'='1"), []);
    assert.deepEqual((await relations(graph, { filter: "anna sister" })).total, 1);
    assert.deepEqual(
      (await relations(graph, { filter: "%" })).rows.map(({ to }) => to),
      ["100 % wool"],
    );
  });

  it("leave out what no longer holds when asked to, and count all the same", async () => {
    assert.deepEqual(
      [(await relations(graph)).total, (await relations(graph, { onlyCurrent: true })).total],
      [4, 3],
    );
    assert.deepEqual(await relations(graph, { offset: 100 }), { rows: [], total: 4 });
  });

  it("keep a person's old name as another name when the user gives a new one", async () => {
    const id = await idOf(graph, "Anna");
    assert.equal(
      await edit(graph, { table: "people", id, name: "Johanna Berg", type: "person", pinned: true }),
      true,
    );
    const row = (await people(graph, { filter: "johanna" })).rows[0];
    assert.deepEqual([row?.name, row?.aliases, row?.pinned], ["Johanna Berg", ["Anna"], true]);
    const [relation] = (await relations(graph, { filter: "sister" })).rows;
    assert.deepEqual([relation?.from, relation?.text], ["Johanna Berg", "Johanna Berg sister of bo"]);
    for (const name of ["Anna", "Johanna Berg"]) {
      const { lines } = valueOf(await graph.answer({ people: [name], locations: [] }, never));
      assert.equal(lines[0]?.text, "IS Johanna Berg sister of bo (current, since 2026-05)");
    }
    valueOf(await graph.learn(tells(edge("Anna", "likes", "tea")), never));
    assert.equal(
      (await people(graph, { filter: "anna" })).total,
      1,
      "a turn that uses the old name means her",
    );
  });

  it("merge two rows when the user says that they are one, with their relations", async () => {
    valueOf(await graph.learn(tells(edge("Annie", "sister_of", "bo"), edge("Annie", "likes", "tea")), never));
    assert.equal(await edit(graph, { table: "people", id: await idOf(graph, "Annie"), name: "anna" }), true);
    const row = (await people(graph, { filter: "anna" })).rows;
    assert.deepEqual(
      row.map(({ name, aliases, mentions }) => [name, aliases, mentions]),
      [["anna", ["Annie"], 2]],
    );
    const { rows } = await relations(graph, { filter: "anna" });
    assert.deepEqual(rows.map(({ type, mentions }) => [type, mentions]).sort(), [
      ["likes", 1],
      ["sister_of", 2],
    ]);
  });

  it("take a relationship's new words, strength and end, and open it again", async () => {
    const row = (await relations(graph, { filter: "anna" })).rows[0]!;
    const change = async (fields: object) => {
      assert.equal(await edit(graph, { table: "relationships", id: row.id, ...fields }), true);
      return (await relations(graph, { filter: "anna" })).rows[0]!;
    };
    assert.equal((await change({ strength: 7 })).strength, 1);
    assert.equal((await change({ text: "Anna is bo's twin", type: "Twin Of" })).type, "twin_of");
    assert.equal((await change({ holds: false })).validTo, NOON);
    assert.equal((await change({ holds: true })).validTo, null);
  });

  it("say so when there is nothing to change, and refuse a name that is none", async () => {
    const id = "00000000-0000-4000-8000-000000000000";
    assert.equal(await edit(graph, { table: "people", id, name: "Zed" }), false);
    assert.equal(await edit(graph, { table: "relationships", id: "x' OR '1'='1", strength: 0 }), false);
    const tooLong = await graph.edit(
      { table: "relationships", id, text: "much too long ".repeat(40) },
      never,
    );
    assert.match(tooLong.ok ? "" : tooLong.failure.message, /too long: .* at most 500 characters/);
    const refused = await graph.edit({ table: "people", id: await idOf(graph, "bo"), name: " ... " }, never);
    assert.equal(!refused.ok && refused.failure.code, "bad_input");
    assert.equal((await people(graph)).total, 6);
  });
});

describe("rows of one name that an import brought", () => {
  afterEach(cleanUp);

  it("are united, with their relations, and others are left alone", async () => {
    const window = await openWindow();
    const graph = new Graph(window);
    const other = await openGraph();
    valueOf(await graph.learn(tells(edge("Anna", "sister_of", "Bo"), edge("Anna", "likes", "tea")), never));
    valueOf(await other.learn(tells(edge("anna", "sister_of", "Bo"), edge("Anna", "likes", "milk")), never));
    const people = valueOf(await other.people({ table: "people", offset: 0, limit: 9 }, never)).rows;
    const edges = valueOf(
      await other.relationships({ table: "relationships", offset: 0, limit: 9 }, never),
    ).rows;
    const { database } = window;
    const rows = people.map((row) => entityRow({ ...row, turns: ["t"], taught: [] }));
    valueOf(await database.table(entitiesSpec).append(rows, never));
    const relations = edges.map((row) =>
      edgeRow({ ...row, turns: ["t"], told: [], quote: "", createdAt: NOON }),
    );
    valueOf(await database.table(edgesSpec).append(relations, never));
    assert.equal(valueOf(await graph.unite(never)), 2);
    assert.equal(valueOf(await graph.unite(never)), 0);
    const { rows: after } = valueOf(await graph.people({ table: "people", offset: 0, limit: 9 }, never));
    assert.deepEqual(after.map(({ name }) => name.toLowerCase()).sort(), ["anna", "bo", "milk", "tea"]);
    assert.equal(valueOf(await graph.answer({ people: ["Anna"], locations: [] }, never)).lines.length, 3);
  });
});

describe("an agent's card", () => {
  afterEach(cleanUp);

  const ofVera = (edges: ReturnType<typeof edge>[]) => ({
    ...tells(...edges),
    agent: "Vera",
    by: "user" as const,
  });

  it("has at most two relationships: those the question names, then the strongest; always the same", async () => {
    const graph = await openGraph();
    valueOf(
      await graph.learn(
        ofVera([
          edge("Vera", "colleague_of", "Max", { strength: 0.9 }),
          edge("Vera", "friend_of", "user", { strength: 0.6 }),
          edge("Vera", "mentor_of", "Ida", { strength: 0.2 }),
          edge("Vera", "knows", "Tor", { strength: 1, holds: false }),
        ]),
        never,
      ),
    );
    const ask = async (question: string) =>
      valueOf(await graph.of("Vera", question, undefined, never)).map(({ to }) => to);
    assert.deepEqual(await ask("How are you?"), ["Max", "user"]);
    assert.deepEqual(await ask("What would Ida say?"), ["Ida", "Max"]);
    assert.deepEqual(await ask("What would Ida say?"), ["Ida", "Max"]);
    assert.deepEqual(await ask("And Tor?"), ["Max", "user"], "what is over is not told");
  });

  it("of an agent without any has those of the user with whom the question names", async () => {
    const graph = await openGraph();
    valueOf(
      await graph.learn(tells(edge("Anna", "sister_of", "user"), edge("Bo", "friend_of", "user")), never),
    );
    const ask = async (question: string) =>
      valueOf(await graph.of("conclave", question, undefined, never)).map(({ from }) => from);
    assert.deepEqual(await ask("What shall I give Anna?"), ["Anna"]);
    assert.deepEqual(await ask("What is a monad?"), []);
  });
});
