import assert from "node:assert/strict";
import { EMBEDDING_MODEL, type Embedder } from "../../../../src/memory/embed/embedder.ts";
import { loadTransformersEmbedder } from "../../../../src/memory/embed/transformers-embedder.ts";
import { isAbout, leastAlike } from "../../../../src/memory/retrieval/purify.ts";
import { openStore, type Store } from "../store-support.ts";
import { cleanUp, never, valueOf } from "../support.ts";
import { alone, ask, embedder as wordsAlone, found, without } from "./ask-support.ts";
import { realEmbedderFolder } from "./real-embedder.ts";

/** What was said, each in a session of its own. The questions of `ON` are about them, in order. */
const SAID = [
  ["We keep the cache in process and rule out Redis. Agreed?", "Agreed: in process."],
  ["My cat is called Mia and she must not eat fish.", "Good to know."],
  ["Billing runs on Postgres 16, the reports on DuckDB.", "Noted."],
  ["My sister marries in June in Lisbon.", "How lovely."],
  ["The router's password is on the sticker below it.", "Noted."],
  ["I lent my bicycle to Tom until Sunday.", "Noted."],
  ["I run ten kilometres every Tuesday evening.", "Well done."],
  ["How do I centre a div in CSS?", "Use display: grid and place-items: center."],
  ["The tax form has to be sent by the 15th of April.", "I noted it."],
  ["Which licence does our project have?", "Apache 2.0."],
  ["We moved to Bergen last autumn because of the new job.", "I see."],
  ["I like dark roast coffee without milk.", "Noted."],
  ["Grandma's lasagne needs three kinds of cheese.", "Sounds rich."],
  ["The API answers 429 after a hundred calls a minute.", "Then wait a little."],
  ["Please answer in short sentences.", "I will."],
  ["The demo is on Thursday at ten in room four.", "Good luck."],
  ["The build fails with ENOENT on Windows.", "The folder is missing there."],
  ["Ana's phone has a broken screen.", "A shop can replace it."],
  ["We plant tomatoes on the balcony each May.", "They want sun."],
  ["The train to Oslo leaves from platform nine.", "Noted."],
] as const;

/** Questions about the first memory, by its words. */
const ON = ["cache decision", "What did we decide about the cache?", "Redis?"];
/** Questions about nothing of it, and of no word of it. */
const OFF = ["How tall is Mount Everest?", "Do vaccines work?", "Explain quantum entanglement"];

const real = realEmbedderFolder();

async function realEmbedder(folder: string): Promise<Embedder> {
  const places = { modelDir: folder, cacheDir: folder, allowDownload: false };
  return valueOf(await loadTransformersEmbedder(places, () => undefined, never));
}

async function filled(rows: number, embedder: Embedder | undefined): Promise<Store> {
  const store = await openStore();
  await store.add(
    SAID.slice(0, rows).map(([question, answer]) => alone(question, answer)),
    embedder,
  );
  return store;
}

describe("Searching a store", () => {
  let embedder: Embedder | undefined;

  before(async () => {
    if (real !== undefined) embedder = await realEmbedder(real);
  });

  afterEach(cleanUp);

  const ways = [
    { way: "by words alone", get: () => undefined },
    { way: "with an embedder of words", get: () => wordsAlone },
    ...(real === undefined ? [] : [{ way: `with ${EMBEDDING_MODEL}`, get: () => embedder }]),
  ];
  for (const { way, get } of ways) {
    for (const rows of [1, 2, 5, 20]) {
      it(`of ${rows} finds what a question is about first, and nothing for others, ${way}`, async () => {
        const own = get();
        const vector = own === undefined ? without : { embedder: own };
        const store = await filled(rows, own);
        for (const query of ON) {
          const { hits } = await ask(store, query, vector);
          assert.equal(hits[0]?.episode.question, SAID[0][0], query);
        }
        for (const query of OFF) assert.deepEqual(found(await ask(store, query, vector)), [], query);
      });
    }
  }

  if (real !== undefined) {
    it("finds what means the same in other words, however few there are", async () => {
      const asked = ["", "What pet do I have?", "", "When is the wedding?", "wifi login", "Who has my bike?"];
      assert.ok(embedder !== undefined);
      for (const [index, query] of asked.entries()) {
        if (query === "") continue;
        const store = await openStore();
        const own = alone(SAID[index]![0], SAID[index]![1]);
        await store.add([own], embedder);
        assert.deepEqual(found(await ask(store, query, { embedder })), [own.id], query);
      }
    });
  }

  it("finds by a word what still waits for its embedding, beside turns the conversation holds", async () => {
    const store = await openStore();
    const [waits, held] = [alone(...SAID[0]), alone(...SAID[1])];
    await store.add([waits]);
    await store.add([held], wordsAlone);
    const rest = { excludeTurnIds: [held.turnId, "turn-not-stored-yet"] };
    assert.deepEqual(found(await ask(store, "cache decision", { embedder: wordsAlone }, rest)), [waits.id]);
  });
});

describe("What a question is about", () => {
  it("takes more likeness among many rows, where the likest of unrelated ones looks alike", () => {
    assert.ok(leastAlike(1) < leastAlike(20) && leastAlike(20) < leastAlike(500));
    assert.equal(leastAlike(1_000_000), leastAlike(100_000));
    assert.equal(leastAlike(0), leastAlike(1));
  });

  it("is shown by meaning, by words, or by a part of both", () => {
    assert.ok(isAbout(0.3, 0, 0.3));
    assert.ok(isAbout(0, 0.5, 0.3));
    assert.ok(isAbout(0.15, 0.25, 0.3));
    assert.ok(!isAbout(0.15, 0.2, 0.3));
    assert.ok(!isAbout(-1, 0.4, 0.3));
    assert.ok(isAbout(undefined, 0, 0.3), "nothing is known of its meaning");
  });
});
