import assert from "node:assert/strict";
import type { Table } from "@lancedb/lancedb";
import { readdir } from "node:fs/promises";
import { success, type Result } from "../../../../src/agent/failure.ts";
import type { Episode } from "../../../../src/agent/memory/port.ts";
import type { Embedder } from "../../../../src/memory/embed/embedder.ts";
import { Maintenance } from "../../../../src/memory/store/maintenance.ts";
import type { VectorRow, Vectors } from "../../../../src/memory/store/vectors.ts";
import type { Store } from "../store-support.ts";
import { openStore, rawTable } from "../store-support.ts";
import { cleanUp, episode, fakeEmbedder, never, valueOf } from "../support.ts";

/** The one table of embeddings of a store. */
async function vectorTable(folder: string): Promise<Table> {
  const name = (await readdir(folder)).find((each) => each.startsWith("vectors_"));
  assert.ok(name !== undefined);
  return rawTable(folder, name.replace(".lance", ""));
}

/** Embeddings of episodes as rows. */
async function vectorsOf(embedder: Embedder, rows: readonly Episode[]): Promise<VectorRow[]> {
  const texts = rows.map(({ question }) => question);
  const embedded = valueOf(await embedder.embed(texts, "document", never));
  return rows.map(({ id, sessionId, turnId, time }, index) => ({
    id,
    kind: "episode",
    sessionId,
    turnId,
    time,
    scope: "",
    embedding: embedded[index]!,
  }));
}

/** Traps of embeddings: each test falls when the trap is stepped into. */
/**
 * An embedder whose embeddings lie about as real ones do: "alpha7" somewhere by chance, the same each time. Where all lie
 * equally far from each other, as words of their own do in `fakeEmbedder`, an index finds nothing but by luck.
 */
const SPREAD: Embedder = {
  model: "spread",
  dimensions: 8,
  embed: (texts) =>
    Promise.resolve(
      success(
        texts.map((text) => {
          const number = Number(/alpha(\d+)/.exec(text)?.[1] ?? -1) + 2;
          return Float32Array.from({ length: 8 }, (_, at) => Math.sin(1_618 * number * (at + 1) + at));
        }),
      ),
    ),
};

/** What a vector index finds at least of what is found without one: it looks at a part of the rows, and by chance misses some. */
const MOST = 0.8;

/** The share of some rows that are the nearest to their own question. */
async function shareFound(
  { vectors, embedder }: { readonly vectors: Vectors; readonly embedder: Embedder },
  rows: readonly Episode[],
): Promise<number> {
  const asked = rows.slice(0, 40);
  const embedded = valueOf(
    await embedder.embed(
      asked.map(({ question }) => question),
      "query",
      never,
    ),
  );
  let first = 0;
  for (const [index, vector] of embedded.entries()) {
    const near = valueOf(await vectors.near(embedder.model, "episode", vector, { limit: 5 }, never));
    if (near[0]?.id === asked[index]?.id) first += 1;
  }
  return first / asked.length;
}

describe("The embeddings of a store", () => {
  afterEach(cleanUp);

  it("embeddings written by two windows double no row and bring back no forgotten one", async () => {
    const one = await openStore();
    const rows = Array.from({ length: 20 }, (_, index) => episode({ question: `Question ${index}` }));
    const ids = rows.map(({ id }) => id);
    await one.add(rows);
    const two = await openStore({ folder: one.folder });
    assert.equal(valueOf(await two.episodes.countRows(never)), 20);
    const embedder = fakeEmbedder();
    const vectors = await vectorsOf(embedder, rows);
    valueOf(await two.episodes.forget([rows[0]!.id], never));
    const put = ({ vectors: store, episodes }: Store): Promise<Result<number>> =>
      store.put(embedder.model, vectors, never, (asked, signal) => episodes.present(asked, signal));
    for (const written of await Promise.all([put(one), put(two), put(one)])) {
      assert.equal(valueOf(written), 19);
    }
    const [model] = valueOf(await two.vectors.models(never));
    assert.equal(model?.rows, 19);
    assert.deepEqual(valueOf(await two.vectors.missing(embedder.model, "episode", ids, never)), [ids[0]]);
    assert.equal(valueOf(await one.episodes.countRows(never)), 19);
  });

  it("there is no vector index while there are few rows, and with one the nearest are still found", async () => {
    const { add, database, vectors, folder } = await openStore();
    const embedder = SPREAD;
    const rows = Array.from({ length: 400 }, (_, index) =>
      episode({ question: `alpha${index} beta${index % 7}` }),
    );
    await add(rows, embedder);
    await add([episode({ question: "not embedded yet" })]);
    const table = await vectorTable(folder);
    const names = async (): Promise<string[]> => (await table.listIndices()).map(({ name }) => name);
    valueOf(await new Maintenance(database).run(never));
    assert.ok(!(await names()).includes("embedding_idx"));
    const exact = await shareFound({ vectors, embedder }, rows);
    assert.equal(exact, 1);
    valueOf(await new Maintenance(database, { limits: { vector: 400 } }).run(never));
    assert.ok((await names()).includes("embedding_idx"));
    assert.ok((await shareFound({ vectors, embedder }, rows)) >= MOST);
    const [vector] = valueOf(await embedder.embed(["alpha77 beta0"], "query", never));
    const near = valueOf(await vectors.near(embedder.model, "episode", vector!, { limit: 5 }, never));
    assert.equal(near.length, 5);
    assert.ok(near[0]!.similarity <= 1.001 && near[0]!.similarity > near[4]!.similarity);
  });

  it("a vector index lost to forgetting is made anew by the next maintenance", async () => {
    const { add, vectors, database, folder } = await openStore();
    const embedder = SPREAD;
    const rows = Array.from({ length: 300 }, (_, index) => episode({ question: `alpha${index}` }));
    await add(rows, embedder);
    const maintenance = new Maintenance(database, { limits: { vector: 200 } });
    valueOf(await maintenance.run(never));
    assert.equal(valueOf(await vectors.wipe([rows[7]!.id], never)), 1);
    const names = async (): Promise<string[]> =>
      (await (await vectorTable(folder)).listIndices()).map(({ name }) => name);
    assert.ok(!(await names()).includes("embedding_idx"));
    const kept = rows.filter((_, index) => index !== 7);
    const isForgotten = async (): Promise<boolean> => {
      const [vector] = valueOf(await embedder.embed(["alpha7"], "query", never));
      const found = valueOf(await vectors.near(embedder.model, "episode", vector!, { limit: 300 }, never));
      return found.every(({ id }) => id !== rows[7]?.id);
    };
    assert.equal(await shareFound({ vectors, embedder }, kept), 1);
    assert.ok(await isForgotten());
    valueOf(await maintenance.run(never));
    assert.ok((await names()).includes("embedding_idx"));
    assert.ok((await shareFound({ vectors, embedder }, kept)) >= MOST);
    assert.ok(await isForgotten());
  });

  it("distances of embeddings are there to be weighed: near is told from far", async () => {
    const { add, vectors } = await openStore();
    const embedder = fakeEmbedder({ feline: "cat" });
    const cat = episode({ question: "cat", answer: "", time: 0 });
    await add([cat, episode({ question: "guitar", answer: "", time: 0 })], embedder);
    const [vector] = valueOf(await embedder.embed(["feline"], "query", never));
    const near = valueOf(await vectors.near(embedder.model, "episode", vector!, { limit: 5 }, never));
    assert.equal(near[0]?.id, cat.id);
    assert.ok(near[0].similarity > 0.2 && near[1]!.similarity < 0.01);
  });

  it("embeddings of another model are never compared", async () => {
    const { add, vectors } = await openStore();
    const kept = episode();
    await add([kept], fakeEmbedder({}, "old-model"));
    const [vector] = valueOf(await fakeEmbedder().embed(["cache"], "query", never));
    assert.deepEqual(valueOf(await vectors.near("fake", "episode", vector!, { limit: 5 }, never)), []);
    assert.deepEqual(valueOf(await vectors.missing("fake", "episode", [kept.id], never)), [kept.id]);
  });
});
