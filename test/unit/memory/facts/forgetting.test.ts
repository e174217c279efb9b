import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { Graph } from "../../../../src/memory/graph/graph.ts";
import { Resources } from "../../../../src/memory/graph/resources.ts";
import { EpisodeTable } from "../../../../src/memory/store/episodes.ts";
import { cleanUp, fakeEmbedder, never, valueOf } from "../support.ts";
import {
  NONE,
  everyLine,
  forget,
  forgetting,
  keepPage,
  note,
  ofSister,
  onDisk,
  remember,
} from "./forget-support.ts";
import { START, allFacts, learnt, openWindow, telling } from "./support.ts";

describe("Forgetting", () => {
  afterEach(cleanUp);

  it("takes a turn with all that was drawn from it, from every file of the store", async () => {
    const window = await openWindow({ embedder: fakeEmbedder() });
    const turn = ofSister("Quillhaven", "Bergen", { interests: [{ name: "Quillhaven", delta: 0.5 }] });
    const told = await remember(window, turn);
    await remember(window, telling("I like tea", "User likes tea"));
    await note(window, told.id, "Quillhaven it is.");
    await keepPage(window, "https://example.test/q", "All about Quillhaven.", turn);
    const vectors = { ...turn.source, scope: "", embedding: new Float32Array(4).fill(0.5) };
    valueOf(await window.deps.vectors.put("m", [{ ...vectors, id: told.id, kind: "episode" }], never));
    // Indexes and old versions hold it too.
    valueOf(await new EpisodeTable(window.deps.database).matching(["quillhaven"], { limit: 5 }, never));
    valueOf(await window.facts.search("quillhaven", { limit: 5, minConfidence: 0 }, never));
    valueOf(await new Resources(window.deps).search("quillhaven", { limit: 5 }, never));
    const tables = ["annotations", "edges", "entities", "episodes", "facts", "interests", "resources"];
    const held = await onDisk(window.folder, "quillhaven");
    assert.deepEqual(
      tables.filter((table) => !held.includes(`${table}.lance`)),
      [],
    );
    const forgotten = await forget(window, { by: "ids", table: "episodes", ids: [told.id] });
    assert.deepEqual(forgotten.counts, { episodes: 1, facts: 1, people: 2, relationships: 1, resources: 1 });
    assert.deepEqual(forgotten.turns, [{ sessionId: told.sessionId, turnId: told.turnId }]);
    assert.deepEqual(await onDisk(window.folder, "quillhaven"), []);
    assert.deepEqual(
      (await allFacts(window)).map(({ text }) => text),
      ["User likes tea"],
    );
    const models = valueOf(await window.deps.vectors.models(never));
    assert.deepEqual(
      models.filter(({ model }) => model === "m").map(({ rows }) => rows),
      [0],
    );
  });

  it("keeps a fact that another turn says, in that turn's words", async () => {
    const window = await openWindow();
    const first = telling("I do live in Oslo, by the Zephyrbridge", "User lives in Oslo");
    const second = telling("I live in Oslo", "User lives in Oslo");
    await remember(window, first);
    await remember(window, second);
    await forget(window, { by: "turns", turnIds: [first.source.turnId] });
    const [fact] = await allFacts(window);
    assert.deepEqual(
      [fact!.text, fact!.quote, fact!.source],
      ["User lives in Oslo", "I live in Oslo", second.source],
    );
    assert.deepEqual(await onDisk(window.folder, "zephyrbridge"), []);
    await forget(window, { by: "turns", turnIds: [second.source.turnId] });
    assert.deepEqual(await allFacts(window), []);
  });

  it("keeps people whom another turn tells of, and relations too", async () => {
    const window = await openWindow();
    const first = ofSister("Anna", "Bergen");
    await remember(window, first);
    await remember(window, ofSister("Anna", "Bergen"));
    await remember(window, ofSister("Bea", "Bergen"));
    const { counts } = await forget(window, { by: "turns", turnIds: [first.source.turnId] });
    assert.deepEqual(counts, { ...NONE, episodes: 1 });
    const graph = new Graph(window.deps);
    const people = await graph.people({ table: "people", offset: 0, limit: 9 }, never);
    assert.deepEqual(
      valueOf(people)
        .rows.map(({ name }) => name)
        .sort(),
      ["Anna", "Bea", "Bergen"],
    );
    const relations = await graph.relationships({ table: "relationships", offset: 0, limit: 9 }, never);
    assert.ok(valueOf(relations).rows.every(({ source }) => source.turnId !== first.source.turnId));
  });

  it("keeps a page that another turn used, as that turn's", async () => {
    const window = await openWindow();
    const [first, second] = [telling("Read it"), telling("Read it again")];
    const uri = "https://example.test/a";
    await remember(window, first);
    await remember(window, second, { sources: [{ uri, title: "A" }] });
    await keepPage(window, uri, "Ferries.", first);
    await keepPage(window, "https://example.test/b", "Trains.", first);
    assert.deepEqual((await forget(window, { by: "turns", turnIds: [first.source.turnId] })).counts, {
      ...NONE,
      episodes: 1,
      resources: 1,
    });
    const pages = await new Resources(window.deps).list({ table: "resources", offset: 0, limit: 9 }, never);
    assert.deepEqual(
      valueOf(pages).rows.map(({ turnId, uri: address }) => [address, turnId]),
      [[uri, second.source.turnId]],
    );
  });

  it("a session goes as a whole, the others stay", async () => {
    const window = await openWindow();
    const gone = { sessionId: "gone", turnId: "turn-gone", time: START };
    await remember(window, { ...ofSister("Anna", "Bergen"), source: gone });
    await remember(window, telling("I like tea", "User likes tea"));
    const { counts, turns } = await forget(window, { by: "session", sessionId: "gone" });
    assert.deepEqual(counts, { episodes: 1, facts: 1, people: 2, relationships: 1, resources: 0 });
    assert.deepEqual(turns, [{ sessionId: "gone", turnId: "turn-gone" }]);
    assert.equal((await allFacts(window)).length, 1);
  });

  it("a single fact, person or relation goes without its turn; with a person all relations", async () => {
    const window = await openWindow();
    await remember(window, ofSister("Anna", "Bergen"));
    const graph = new Graph(window.deps);
    const people = valueOf(await graph.people({ table: "people", offset: 0, limit: 9 }, never)).rows;
    const anna = people.find(({ name }) => name === "Anna")!;
    const [fact] = await allFacts(window);
    const ofFact = await forget(window, { by: "ids", table: "facts", ids: [fact!.id] });
    assert.deepEqual([ofFact.counts, ofFact.turns], [{ ...NONE, facts: 1 }, []]);
    const ofAnna = await forget(window, { by: "ids", table: "people", ids: [anna.id.toUpperCase()] });
    assert.deepEqual(ofAnna.counts, { ...NONE, people: 1, relationships: 1 });
  });

  it("an interest loses what a forgotten turn moved it by", async () => {
    const window = await openWindow();
    const [first, second] = [0.5, 0.2].map((delta) =>
      learnt("I like jazz", { interests: [{ name: "jazz", delta }] }),
    );
    for (const turn of [first!, second!]) await remember(window, turn);
    await forget(window, { by: "turns", turnIds: [first!.source.turnId] });
    assert.deepEqual(valueOf(await window.facts.interests("conclave", never)), [
      { name: "jazz", score: 0.2 },
    ]);
    await forget(window, { by: "turns", turnIds: [second!.source.turnId] });
    assert.deepEqual(valueOf(await window.facts.interests("conclave", never)), []);
  });

  it("names the session of a turn that is known by its facts alone", async () => {
    const window = await openWindow();
    const turn = telling("I like tea", "User likes tea");
    valueOf(await window.facts.learn(turn, never));
    const { turnId, sessionId } = turn.source;
    assert.deepEqual((await forget(window, { by: "turns", turnIds: [turnId] })).turns, [
      { sessionId, turnId },
    ]);
  });

  it("what comes late from a forgotten turn is not kept", async () => {
    const window = await openWindow();
    const turn = telling("I live in Oslo", "User lives in Oslo");
    await forget(window, { by: "turns", turnIds: [turn.source.turnId] });
    const late = valueOf(
      await window.facts.learn({ ...turn, interests: [{ name: "Oslo", delta: 1 }] }, never),
    );
    assert.deepEqual([late.added, late.rejected.length], [[], 1]);
    const moved = learnt("Oslo!", { source: turn.source, interests: [{ name: "Oslo", delta: 1 }] });
    valueOf(await window.facts.learn(moved, never));
    assert.deepEqual(await allFacts(window), []);
    assert.deepEqual(valueOf(await window.facts.interests("conclave", never)), []);
    const { turnId } = turn.source;
    assert.deepEqual(
      valueOf(await forgetting(window).forgotten([turnId, "other"], never)),
      new Set([turnId]),
    );
  });

  it("names what goes also where it has no question, no title and no sentence", async () => {
    const window = await openWindow();
    const kept = ofSister("Quillhaven", "Bergen", { facts: [] });
    const edges = kept.edges.map((edge) => ({ ...edge, text: "" }));
    await remember(window, { ...kept, edges }, { question: "", answer: "Quillhaven called.", kind: "note" });
    await keepPage(window, "https://example.test/q", "Quillhaven.", kept, "");
    for (const what of [{ by: "turns", turnIds: [kept.source.turnId] }, { by: "everything" }] as const) {
      const { samples } = valueOf(await forgetting(window).preview(what, never));
      const text = samples.map((sample) => sample.text).join("\n");
      for (const part of ["Quillhaven called.", "Quillhaven lives in Bergen", "https://example.test/q"])
        assert.ok(text.includes(part), text);
    }
  });

  it("everything: no row, no embedding and no word of it is left, and the store goes on", async () => {
    const window = await openWindow({ embedder: fakeEmbedder() });
    const turn = ofSister("Quillhaven", "Bergen");
    const told = await remember(window, turn);
    await note(window, told.id, "Quillhaven.");
    await keepPage(window, "https://example.test/q", "Quillhaven.", turn);
    const { counts, turns, samples } = await forget(window, { by: "everything" });
    assert.deepEqual(counts, { episodes: 1, facts: 1, people: 2, relationships: 1, resources: 1 });
    assert.equal(samples.length, 6);
    assert.deepEqual(turns, [{ sessionId: told.sessionId, turnId: told.turnId }]);
    assert.deepEqual(await everyLine(window), []);
    assert.deepEqual(await onDisk(window.folder, "quillhaven"), []);
    assert.deepEqual(valueOf(await window.deps.vectors.models(never)), []);
    await remember(window, telling("I like tea", "User likes tea"));
    assert.equal((await allFacts(window)).length, 1);
  });

  it("of an empty store nothing goes, and no table is made", async () => {
    const window = await openWindow();
    for (const what of [
      { by: "everything" },
      { by: "about", about: "Anna" },
      { by: "session", sessionId: "s" },
    ] as const) {
      assert.deepEqual((await forget(window, what)).counts, NONE);
    }
    const tables = (await readdir(window.folder)).filter((name) => name.endsWith(".lance"));
    assert.deepEqual(tables, []);
  });

  it("another window sees at once that it is gone, and what it embedded of turns beside is made anew", async () => {
    const window = await openWindow();
    const turns = [1, 2, 3, 4, 5, 6].map((time) => {
      const turn = telling(`Question ${time}`);
      return { ...turn, source: { ...turn.source, time } };
    });
    const told = [];
    for (const turn of turns) told.push(await remember(window, turn));
    const rows = told.map(({ id, sessionId, turnId, time }) => ({
      ...{ id, sessionId, turnId, time, scope: "", kind: "window" as const },
      embedding: new Float32Array(4).fill(0.5),
    }));
    valueOf(await window.deps.vectors.put("m", rows, never));
    const other = await openWindow({ folder: window.folder });
    const episodes = new EpisodeTable(other.deps.database);
    assert.equal(valueOf(await episodes.countRows(never)), 6);
    valueOf(await forgetting(window).forget({ by: "turns", turnIds: [turns[0]!.source.turnId] }, never));
    assert.equal(valueOf(await episodes.countRows(never)), 5);
    const ids = told.map(({ id }) => id);
    assert.deepEqual(valueOf(await other.deps.vectors.missing("m", "window", ids, never)), ids.slice(0, 3));
  });

  it("cancelled before it begins it removes nothing", async () => {
    const window = await openWindow();
    await remember(window, telling("I like tea", "User likes tea"));
    const result = await forgetting(window).forget({ by: "everything" }, AbortSignal.abort());
    assert.equal(!result.ok && result.failure.code, "cancelled");
    assert.equal((await allFacts(window)).length, 1);
  });
});
