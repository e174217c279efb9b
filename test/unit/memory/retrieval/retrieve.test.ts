import assert from "node:assert/strict";
import fc from "fast-check";
import { failed, success } from "../../../../src/agent/failure.ts";
import { DEFAULT_RETRIEVAL } from "../../../../src/agent/memory/port.ts";
import type { Embedder } from "../../../../src/memory/embed/embedder.ts";
import type { EmbedderOrNote } from "../../../../src/memory/embed/embedder.ts";
import { retrieve } from "../../../../src/memory/retrieval/retrieve.ts";
import { StoreCandidates } from "../../../../src/memory/retrieval/store-candidates.ts";
import type { Store } from "../store-support.ts";
import { openStore, rawTable } from "../store-support.ts";
import { cleanUp, episode, never, valueOf } from "../support.ts";
import { alone, ask, deps, embedder, found, without, withEmbedder, withoutText } from "./ask-support.ts";

/** Finds every question unlike all that the embedder of this file has embedded. */
const unlike: EmbedderOrNote = {
  embedder: {
    ...embedder,
    embed: (texts) => Promise.resolve(success(texts.map(() => Float32Array.from({ length: 384 }, () => -1)))),
  },
};

describe("Searching memory", () => {
  afterEach(cleanUp);

  const boat = alone("Where is the boat?", "In Oban.");
  const cat = alone("Who feeds the cat?", "Dara does.");
  const cache = alone("What about the cache?", "We keep it on disk.");

  async function filled(): Promise<Store> {
    const store = await openStore();
    await store.add([boat, cat, cache], embedder);
    return store;
  }

  it("finds nothing in an empty store, and says how much it looked through", async () => {
    assert.deepEqual(await ask(await openStore(), "anything?"), { hits: [], searched: 0, dropped: 0 });
  });

  it("finds by words, in other forms of them too", async () => {
    const search = await ask(await filled(), "What did we say of boats?", without);
    assert.deepEqual(found(search), [boat.id]);
    assert.equal(search.searched, 3);
  });

  it("finds by meaning what shares no word with the question", async () => {
    const search = await ask(await filled(), "And the feline?");
    assert.equal(found(search)[0], cat.id);
    assert.equal(search.hits[0]?.parts.text ?? 0, 0);
    assert.equal(search.note, undefined);
  });

  it("says why each memory was found", async () => {
    const [hit] = (await ask(await filled(), "Where is the boat?")).hits;
    assert.deepEqual(hit?.episode, boat);
    assert.deepEqual(Object.keys(hit.parts).sort(), [
      ...["asking", "opening", "recency", "relevance", "stated", "substance"],
      ...["text", "textNeighbours", "vector", "vectorNeighbours"],
    ]);
    assert.ok(hit.parts.text! > 0 && hit.parts.vector! > 0 && hit.score > 0.7);
  });

  it("finds nothing for a question about something else, rather than what is the least off", async () => {
    const store = await filled();
    assert.deepEqual(found(await ask(store, "Why do volcanoes erupt over boat shaped faults?", unlike)), []);
    assert.deepEqual(found(await ask(store, "boat", unlike)), [boat.id], "what it names is there");
  });

  it("does not take a question for one about something else while memories wait for their embedding", async () => {
    const store = await filled();
    await store.add([alone("Where is the other boat?")]);
    assert.equal(
      found(await ask(store, "Why do volcanoes erupt over boat shaped faults?", unlike)).length > 0,
      true,
    );
  });

  it("finds by the day something was said", async () => {
    const store = await openStore();
    const may = { ...alone("Shall we?"), time: new Date(2026, 4, 8, 12).getTime() };
    const june = { ...alone("Shall we?"), time: new Date(2026, 5, 9, 12).getTime() };
    await store.add([may, june]);
    assert.deepEqual(found(await ask(store, "What happened on 9 June 2026?", without))[0], june.id);
  });

  it("finds nothing of a time in which nothing was said, but all of others where the user's own words are searched with", async () => {
    const store = await filled();
    const question = "My boat sank last week, where was the other boat?";
    assert.deepEqual(found(await ask(store, question, without)), []);
    const asAsked = await ask(store, question, without, { asAsked: true });
    assert.deepEqual(found(asAsked), [boat.id]);
  });

  it("finds the turn beside the one that holds the words", async () => {
    const store = await openStore();
    const talk = ["Where is the boat?", "And when does it leave?", "Fine."].map((question, index) =>
      episode({ question, answer: "", sessionId: "talk", time: index }),
    );
    await store.add([...talk, cache]);
    assert.deepEqual(found(await ask(store, "boat", without)), [talk[0]!.id, talk[1]!.id, talk[2]!.id]);
  });

  it("leaves out the turns that the conversation already holds", async () => {
    const store = await filled();
    assert.ok(
      !found(
        await ask(store, "boat", withEmbedder, { excludeTurnIds: [boat.turnId, "x' OR '1'='1"] }),
      ).includes(boat.id),
    );
  });

  it("gives no more than it is asked for", async () => {
    const store = await openStore();
    await store.add(
      Array.from({ length: 40 }, (_, index) => alone(`boat ${index}`)),
      embedder,
    );
    assert.equal((await ask(store, "boat")).hits.length, 5);
  });

  it("gives the same order every time, equals the newer first", async () => {
    const store = await openStore();
    const same = [1, 2, 3].map((time) => ({ ...alone("Where is the boat?"), time }));
    await store.add(same, embedder);
    const orders = await Promise.all([1, 2, 3].map(async () => found(await ask(store, "boat"))));
    orders.forEach((order) =>
      assert.deepEqual(
        order,
        [...same].reverse().map(({ id }) => id),
      ),
    );
  });

  it("works by words alone without an embedder, and says so", async () => {
    const search = await ask(await filled(), "boat", without);
    assert.deepEqual(found(search), [boat.id]);
    assert.equal(search.note, "Full-text search only: no model.");
  });

  it("works by words alone when the embedder fails, and says so", async () => {
    const broken: Embedder = {
      ...embedder,
      embed: () => Promise.resolve(failed("memory_unavailable", "it broke.")),
    };
    const search = await ask(await filled(), "boat", { embedder: broken });
    assert.deepEqual(found(search), [boat.id]);
    assert.equal(search.note, "Full-text search only: it broke.");
  });

  it("works by meaning alone when the text half fails, and says so", async () => {
    const source = withoutText(await filled());
    const search = valueOf(await retrieve(deps(source), { query: "vessel", limit: 5 }, never));
    assert.equal(found(search)[0], boat.id);
    assert.equal(search.note, "Search by meaning only: the index is gone.");
  });

  it("fails only when both halves fail", async () => {
    const source = withoutText(await filled());
    const result = await retrieve(deps(source, without), { query: "boat", limit: 5 }, never);
    assert.ok(!result.ok);
    assert.equal(result.failure.code, "memory_unavailable");
  });

  it("makes its index again when that was lost", async () => {
    const store = await filled();
    assert.deepEqual(found(await ask(store, "boat", without)), [boat.id]);
    await (await rawTable(store.folder)).dropIndex("text_idx");
    assert.deepEqual(found(await ask(store, "boat", without)), [boat.id]);
  });

  it("finds by meaning when a question has no word worth looking for", async () => {
    assert.equal((await ask(await filled(), "what is it?")).note, undefined);
    assert.deepEqual((await ask(await filled(), "what is it?", without)).hits, []);
    assert.deepEqual((await ask(await filled(), "   ")).hits, []);
  });

  it("takes every sign of a query as text, never as an order", async () => {
    const store = await filled();
    const signs = [
      'why does "{0}" fail at $prev:* (NEAR?',
      '"boat',
      "boat AND (",
      "text:boat^9~",
      "-boat +cat",
      "'; --",
      "[a TO z}",
      "*",
    ];
    for (const query of signs) {
      const search = await ask(store, query);
      assert.equal(search.note, undefined, query);
    }
    assert.ok(found(await ask(store, '"boat" OR :*', without)).includes(boat.id));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (query) => {
        assert.equal((await ask(store, query)).note, undefined);
      }),
      { numRuns: 50 },
    );
  });

  it("stops with the signal", async () => {
    const source = new StoreCandidates(await filled());
    const result = await retrieve(deps(source), { query: "boat", limit: 5 }, AbortSignal.abort());
    assert.ok(!result.ok);
    assert.equal(result.failure.code, "cancelled");
  });

  it("gives as many as the settings say when it is not told how many", async () => {
    const store = await openStore();
    await store.add(Array.from({ length: 9 }, (_, index) => alone(`boat ${index} at pier ${index * 7}`)));
    const source = new StoreCandidates(store);
    const { hits } = valueOf(await retrieve(deps(source, without), { query: "boat" }, never));
    assert.equal(hits.length, DEFAULT_RETRIEVAL.given);
  });

  it("searches by meaning alone when hybrid is off, and by words where there is no embedder", async () => {
    const store = await filled();
    const settings = { ...DEFAULT_RETRIEVAL, hybrid: false };
    const dense = await ask(store, "boat", withEmbedder, { settings });
    assert.equal(dense.hits[0]?.parts.text, undefined);
    assert.deepEqual(found(await ask(store, "boat", without, { settings })), [boat.id]);
  });

  it("says so when the turns around can't be read, and answers without them", async () => {
    const source = new StoreCandidates(await filled());
    source.turnsOf = () => Promise.resolve(failed("memory_unavailable", "no luck."));
    const search = valueOf(await retrieve(deps(source), { query: "boat", limit: 5 }, never));
    assert.equal(search.hits[0]?.episode.id, boat.id);
    assert.equal(search.note, "Without the turns around what was found: no luck.");
  });
});
