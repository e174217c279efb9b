import assert from "node:assert/strict";
import { cleanUp, fakeEmbedder, never, valueOf } from "../support.ts";
import { edge, learnt, linesOf, names, openGraph, tells } from "./support.ts";

describe("what the knowledge graph takes up", () => {
  afterEach(cleanUp);

  it("is nobody and nothing that the user did not name", async () => {
    const graph = await openGraph();
    const invented = learnt("ok thanks", {
      entities: [{ name: "Vera", type: "person" }],
      edges: [
        edge("user", "works_as", "marine biologist"),
        edge("Vera", "lives_in", "Tromsoe"),
        edge("user", "likes", "conclave", { quote: "ok thanks" }),
      ],
    });
    assert.deepEqual(valueOf(await graph.learn(invented, never)), { entities: 0, edges: 0 });
    assert.deepEqual(await names(graph), []);
  });

  it("is what is told of someone known by a word such as she", async () => {
    const graph = await openGraph();
    valueOf(await graph.learn(tells(edge("Anna", "sister_of", "user")), never));
    const moved = learnt("She moved to Rome last year", {
      edges: [edge("Anna", "moved_to", "Rome", { quote: "She moved to Rome" })],
    });
    valueOf(await graph.learn(moved, never));
    assert.ok((await linesOf(graph, "Anna")).some((line) => /Rome/.test(line)));
  });

  it("is a country and a town side by side, where nobody says that anyone moved", async () => {
    const graph = await openGraph();
    valueOf(await graph.learn(tells(edge("Anna", "lives_in", "Norway")), never));
    valueOf(await graph.learn(tells(edge("Anna", "lives_in", "Oslo")), never));
    assert.ok((await linesOf(graph, "Anna")).every((line) => line.startsWith("IS ")));
    valueOf(
      await graph.learn(tells(edge("Anna", "moved_to", "Rome", { text: "Anna moved to Rome" })), never),
    );
    const lines = await linesOf(graph, "Anna");
    assert.deepEqual(lines.map((line) => line.slice(0, 3).trim()).sort(), ["IS", "WAS", "WAS"]);
  });

  it("is one row for two names once the user says that they are one", async () => {
    const graph = await openGraph();
    valueOf(await graph.learn(tells(edge("Bob", "likes", "tea")), never));
    valueOf(await graph.learn(tells(edge("Robert Smith", "lives_in", "Oslo")), never));
    valueOf(await graph.learn(tells(edge("Robert Smith", "likes", "tea")), never));
    const joined = learnt("Bob is Robert Smith, by the way", {
      entities: [{ name: "Robert Smith", type: "person", aliases: ["Bob"] }],
    });
    valueOf(await graph.learn(joined, never));
    assert.deepEqual(await names(graph), ["Oslo", "Robert Smith", "tea"].sort());
    for (const name of ["Bob", "Robert Smith"]) assert.equal((await linesOf(graph, name)).length, 2);
  });

  it("is not a nickname that only the model knows, nor a pronoun, nor two people with one nickname", async () => {
    const graph = await openGraph();
    const told = (name: string, alias: string, said: string) =>
      learnt(said, { entities: [{ name, type: "person", aliases: [alias, "she", "user"] }] });
    valueOf(await graph.learn(told("Anna Berg", "Annie", "I met Anna Berg"), never));
    valueOf(await graph.learn(told("Anna Holm", "Anna", "Anna, that is Anna Holm, called"), never));
    valueOf(await graph.learn(told("Anna Lund", "Anna", "There is another Anna, Anna Lund"), never));
    const { rows } = valueOf(
      await graph.people(
        { table: "people", offset: 0, limit: 9, sort: { column: "name", ascending: true } },
        never,
      ),
    );
    assert.deepEqual(
      rows.map(({ name, aliases }) => [name, aliases]),
      [
        ["Anna Berg", []],
        ["Anna Holm", ["Anna"]],
        ["Anna Lund", ["Anna"]],
      ],
    );
  });

  it("is the user by the name that they give themselves", async () => {
    const graph = await openGraph();
    const told = learnt("My name is Dara and I live in Oslo", {
      entities: [{ name: "user", type: "person", aliases: ["Dara"] }],
      edges: [edge("user", "lives_in", "Oslo")],
    });
    valueOf(await graph.learn(told, never));
    assert.deepEqual(await names(graph), ["Oslo", "user"]);
    assert.equal((await linesOf(graph, "Dara")).length, 1);
  });

  it("never has two rows of one name, whatever kind each turn takes it for", async () => {
    const graph = await openGraph();
    for (const type of ["thing", "project", "thing", "place"] as const) {
      valueOf(await graph.learn(learnt("Apollo it is", { entities: [{ name: "Apollo", type }] }), never));
    }
    const { rows } = valueOf(await graph.people({ table: "people", offset: 0, limit: 9 }, never));
    assert.deepEqual(
      rows.map(({ name, type }) => [name, type]),
      [["Apollo", "project"]],
    );
  });

  it("is another spelling of a thing that is known, but not another person and not another number", async () => {
    const embedder = fakeEmbedder({ kubernets: "kubernetes", anna: "ann", project: "the", two: "one" });
    const graph = await openGraph({ embedder });
    for (const [name, type] of [
      ["Kubernetes", "thing"],
      ["Kubernets", "thing"],
      ["Ann", "person"],
      ["Anna", "person"],
      ["Phase one", "project"],
      ["Phase two", "project"],
    ] as const) {
      valueOf(await graph.learn(learnt(`It is about ${name}`, { entities: [{ name, type }] }), never));
    }
    assert.deepEqual(await names(graph), ["Ann", "Anna", "Kubernetes", "Phase one", "Phase two"]);
  });

  it("is found by a name that means the same", async () => {
    const embedder = fakeEmbedder({ nyc: "newyork", bigapple: "newyork" });
    const graph = await openGraph({ embedder });
    valueOf(await graph.learn(tells(edge("Bo", "lives_in", "NewYork")), never));
    const answer = valueOf(await graph.answer({ people: ["Ann"], locations: ["NYC"] }, never));
    assert.equal(answer.lines.length, 1);
    assert.deepEqual(answer.unknown, ["Ann"]);
  });

  it("is embedded later when there was no embedder, in pages that leave nothing out", async () => {
    const graph = await openGraph();
    const places = ["Oslo", "Rome", "Bergen", "Kyoto", "Lima"];
    valueOf(await graph.learn(tells(...places.map((place) => edge("user", "visited", place))), never));
    const source = graph.embeddingSource();
    const texts: string[] = [];
    let cursor: string | undefined;
    do {
      const page = valueOf(await source.page(cursor, 2, never));
      texts.push(...valueOf(await source.texts(page.rows, never)));
      const ids = page.rows.map(({ id }) => id);
      assert.equal(valueOf(await source.present([...ids, "gone"], never)).size, ids.length);
      cursor = page.next;
    } while (cursor !== undefined);
    assert.deepEqual(texts.sort(), [...places, "user"].sort());
    assert.equal(valueOf(await source.count(never)), 6);
  });
});
