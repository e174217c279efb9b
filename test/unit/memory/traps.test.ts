import assert from "node:assert/strict";
import type { Table } from "@lancedb/lancedb";
import { connect } from "@lancedb/lancedb";
import { mkdir, realpath, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isConflict, onLatest } from "../../../src/memory/store/conflicts.ts";
import { Maintenance } from "../../../src/memory/store/maintenance.ts";
import { openStore, rawTable } from "./store-support.ts";
import { cleanUp, episode, fakeEmbedder, later, never, temporaryFolder, valueOf } from "./support.ts";

/** A handle that stays at the version it was opened at, as the library's default is. */
async function staleTable(folder: string): Promise<Table> {
  const connection = await connect(folder);
  const table = await connection.openTable("episodes");
  later(() => {
    table.close();
    connection.close();
    return Promise.resolve();
  });
  return table;
}

/** Traps of the store that were seen to bite: each test falls when the trap is stepped into. */
describe("Traps of the store", () => {
  afterEach(cleanUp);

  it("no full-text index is ever made on an empty table", async () => {
    const { add, changes, indexes, folder } = await openStore();
    const only = episode();
    await add([only]);
    const table = await rawTable(folder);
    await table.delete("true");
    assert.equal(valueOf(await indexes.ensure(never)), false);
    assert.deepEqual(await table.listIndices(), []);
    await add([only]);
    assert.equal(valueOf(await indexes.ensure(never)), true);
    assert.equal(valueOf(await changes.forget([only.id], never)), 1);
    assert.deepEqual(await table.listIndices(), []);
  });

  it("the first rows are found by their words at once", async () => {
    const { add, reader } = await openStore();
    const boat = episode({ question: "Where is the boat?", answer: "In Oban." });
    await add([episode(), boat]);
    const found = valueOf(await reader.matching(["boat"], 5, never));
    assert.deepEqual(
      found.map(({ place }) => place.id),
      [boat.id],
    );
  });

  it("rows that came after the index are found by their words too", async () => {
    const { add, reader } = await openStore();
    await add([episode()]);
    valueOf(await reader.matching(["cache"], 5, never));
    const boats = episode({ question: "Where are the boats?" });
    await add([boats]);
    const found = valueOf(await reader.matching(["boat"], 5, never));
    assert.deepEqual(
      found.map(({ place }) => place.id),
      [boats.id],
    );
  });

  it("what one window writes, another sees at once", async () => {
    const one = await openStore();
    await one.add([episode()]);
    const two = await openStore({ folder: one.folder });
    assert.equal(valueOf(await two.reader.count(never)), 1);
    const late = episode({ question: "Where is the boat?" });
    await one.add([late], fakeEmbedder());
    assert.equal(valueOf(await two.reader.count(never)), 2);
    assert.equal(valueOf(await two.reader.matching(["boat"], 5, never)).length, 1);
    valueOf(await two.changes.forget([late.id], never));
    assert.equal(valueOf(await one.reader.count(never)), 1);
    assert.equal(valueOf(await one.reader.matching(["boat"], 5, never)).length, 0);
  });

  it("embeddings written by two windows double no row and bring back no forgotten one", async () => {
    const one = await openStore();
    const rows = Array.from({ length: 20 }, (_, index) => episode({ question: `Question ${index}` }));
    await one.add(rows);
    const two = await openStore({ folder: one.folder });
    assert.equal(valueOf(await two.reader.count(never)), 20);
    const embedder = fakeEmbedder();
    const vectors = valueOf(
      await embedder.embed(
        rows.map(({ question }) => question),
        never,
      ),
    );
    const byId = new Map(rows.map(({ id }, index) => [id, vectors[index]!]));
    valueOf(await two.changes.forget([rows[0]!.id], never));
    for (const { changes } of [one, two, one]) {
      assert.equal(valueOf(await changes.embed(byId, embedder.model, never)), 19);
    }
    assert.equal(valueOf(await one.reader.count(never)), 19);
    assert.equal(
      valueOf(
        await one.reader.present(
          rows.map(({ id }) => id),
          never,
        ),
      ).size,
      19,
    );
    assert.equal(valueOf(await two.reader.unembedded(embedder.model, 50, never)).length, 0);
  });

  it("a change that lost against another window's is done again on the newest version", async () => {
    const { add, folder } = await openStore();
    for (let index = 0; index < 10; index += 1) {
      await add([episode()]);
    }
    const [one, two] = [await staleTable(folder), await staleTable(folder)];
    await one.optimize();
    for (let again = 0; again < 2; again += 1) {
      await assert.rejects(two.optimize(), isConflict);
    }
    let tries = 0;
    await onLatest(two, async () => {
      tries += 1;
      if (tries === 1) throw new Error("Retryable commit conflict for version 24");
      await two.optimize();
    });
    assert.equal(tries, 2);
    assert.equal(await two.countRows(), 10);
  });

  it("a change that fails for another reason is not tried again", async () => {
    const { add, folder } = await openStore();
    await add([episode()]);
    let tries = 0;
    await assert.rejects(
      onLatest(await rawTable(folder), () => {
        tries += 1;
        return Promise.reject(new Error("disk full"));
      }),
      /disk full/,
    );
    assert.equal(tries, 1);
  });

  it("two windows at maintenance in the same moment: one does it, the other leaves it be", async () => {
    const one = await openStore();
    await one.add([episode()]);
    const two = await openStore({ folder: one.folder });
    const maintain = async (): Promise<boolean> =>
      valueOf(await new Maintenance(two.handle, two.indexes).run(never));
    // The other tries while the one is in the middle of its work.
    assert.equal(valueOf(await one.handle.lock.run(maintain, never)), false);
    assert.equal(await maintain(), true);
  });

  it("maintenance puts many small files together and leaves recent versions to other readers", async () => {
    const { add, handle, indexes, folder, reader } = await openStore();
    for (let index = 0; index < 30; index += 1) {
      await add([episode({ question: `Question ${index}` })]);
    }
    const table = await rawTable(folder);
    const old = await rawTable(folder);
    await old.checkout(5);
    const before = await table.stats();
    assert.equal(valueOf(await new Maintenance(handle, indexes).run(never)), true);
    const after = await table.stats();
    assert.ok(before.fragmentStats.numFragments >= 30);
    assert.equal(after.fragmentStats.numFragments, 1);
    assert.equal((await old.query().select(["answer"]).toArray()).length, 4);
    assert.equal(valueOf(await reader.count(never)), 30);
    assert.equal((await table.query().where("question = 'Question 3'").toArray()).length, 1);
  });

  it("a read whose files another window has just cleaned away is done once more on the newest version", async () => {
    const { add, reader, handle } = await openStore();
    await add([episode()]);
    const opened = valueOf(await handle.read(never));
    assert.ok(opened !== undefined);
    const { table } = opened;
    const count = table.countRows.bind(table);
    const latest = table.checkoutLatest.bind(table);
    let moved = false;
    table.checkoutLatest = () => {
      moved = true;
      return latest();
    };
    table.countRows = () => (moved ? count() : Promise.reject(new Error("Not found: data/0110.lance")));
    assert.equal(valueOf(await reader.count(never)), 1);
  });

  it("reading goes on while another window forgets and cleans", async () => {
    const one = await openStore();
    const rows = Array.from({ length: 12 }, (_, index) => episode({ question: `Boat ${index}` }));
    await one.add(rows, fakeEmbedder());
    const two = await openStore({ folder: one.folder });
    const reading = async (): Promise<void> => {
      for (let round = 0; round < 10; round += 1) {
        valueOf(await two.reader.matching(["boat"], 50, never));
        valueOf(await two.reader.list({ offset: 0, limit: 50 }, never));
      }
    };
    const forgetting = async (): Promise<void> => {
      for (const { id } of rows.slice(0, 4)) {
        assert.equal(valueOf(await one.changes.forget([id], never)), 1);
      }
    };
    await Promise.all([reading(), forgetting()]);
    assert.equal(valueOf(await two.reader.count(never)), 8);
  });

  it("a relative folder whose name begins with db is a folder, not a cloud address", async () => {
    const parent = await realpath(await temporaryFolder());
    const home = process.cwd();
    process.chdir(parent);
    try {
      const { add, reader, handle } = await openStore({ folder: "db-memory" });
      await add([episode()]);
      assert.equal(valueOf(await reader.count(never)), 1);
      assert.equal(handle.folder, join(parent, "db-memory"));
    } finally {
      process.chdir(home);
    }
  });

  it("there is no vector index while there are few rows, and with one the nearest are still found", async () => {
    const { add, handle, indexes, folder, reader } = await openStore();
    const embedder = fakeEmbedder();
    const rows = Array.from({ length: 400 }, (_, index) =>
      episode({ question: `alpha${index} beta${index % 7}` }),
    );
    await add(rows, embedder);
    await add([episode({ question: "not embedded yet" })]);
    const table = await rawTable(folder);
    const names = async (): Promise<string[]> => (await table.listIndices()).map(({ name }) => name);
    valueOf(await new Maintenance(handle, indexes).run(never));
    assert.ok(!(await names()).includes("embedding_idx"));
    valueOf(await new Maintenance(handle, indexes, 400).run(never));
    assert.ok((await names()).includes("embedding_idx"));
    const [vector] = valueOf(await embedder.embed(["alpha77 beta0"], never));
    const near = valueOf(await reader.near(vector!, embedder.model, 5, never));
    assert.equal(near[0]?.place.id, rows[77]?.id);
    assert.equal(near.length, 5);
    assert.ok(near[0]!.score <= 1.001 && near[0]!.score > near[4]!.score);
  });

  it("a vector index lost to forgetting is made anew by the next maintenance", async () => {
    const { add, changes, handle, indexes, folder, reader } = await openStore();
    const embedder = fakeEmbedder();
    const rows = Array.from({ length: 300 }, (_, index) => episode({ question: `alpha${index}` }));
    await add(rows, embedder);
    const maintenance = new Maintenance(handle, indexes, 200);
    valueOf(await maintenance.run(never));
    assert.equal(valueOf(await changes.forget([rows[7]!.id], never)), 1);
    const names = async (): Promise<string[]> =>
      (await (await rawTable(folder)).listIndices()).map(({ name }) => name);
    assert.ok(!(await names()).includes("embedding_idx"));
    const near = async (words: string): Promise<string | undefined> => {
      const [vector] = valueOf(await embedder.embed([words], never));
      return valueOf(await reader.near(vector!, embedder.model, 5, never))[0]?.place.id;
    };
    assert.equal(await near("alpha8"), rows[8]?.id);
    assert.notEqual(await near("alpha7"), rows[7]?.id);
    valueOf(await maintenance.run(never));
    assert.ok((await names()).includes("embedding_idx"));
    assert.equal(await near("alpha8"), rows[8]?.id);
    assert.notEqual(await near("alpha7"), rows[7]?.id);
  });

  it("distances of embeddings are there to be weighed: near is told from far", async () => {
    const { add, reader } = await openStore();
    const embedder = fakeEmbedder({ feline: "cat" });
    const cat = episode({ question: "cat", answer: "", time: 0 });
    await add([cat, episode({ question: "guitar", answer: "", time: 0 })], embedder);
    const [vector] = valueOf(await embedder.embed(["feline"], never));
    const near = valueOf(await reader.near(vector!, embedder.model, 5, never));
    assert.equal(near[0]?.place.id, cat.id);
    assert.ok(near[0].score > 0.2 && near[1]!.score < 0.01);
  });

  it("embeddings of another model are never compared", async () => {
    const { add, reader } = await openStore();
    await add([episode()], fakeEmbedder({}, "old-model"));
    const [vector] = valueOf(await fakeEmbedder().embed(["cache"], never));
    assert.deepEqual(valueOf(await reader.near(vector!, "fake", 5, never)), []);
    assert.equal(valueOf(await reader.unembedded("fake", 5, never)).length, 1);
  });
});

describe("A lock whose holder was killed", () => {
  afterEach(cleanUp);

  async function abandonedLock(folder: string): Promise<void> {
    await mkdir(join(folder, "store.lock"));
  }

  it("does not keep a search from making the index it needs", async () => {
    const { add, reader, folder } = await openStore();
    await add([episode()]);
    await abandonedLock(folder);
    assert.equal(valueOf(await reader.matching(["cache"], 5, never)).length, 1);
  });

  it("is waited for until it is stale, then taken", async () => {
    const { add, changes, folder } = await openStore();
    const kept = episode();
    await add([kept]);
    await abandonedLock(folder);
    const old = new Date(Date.now() - 60_000);
    await utimes(join(folder, "store.lock"), old, old);
    assert.equal(valueOf(await changes.forget([kept.id], never)), 1);
  });

  it("does not hold up a cancel", async () => {
    const { add, changes, folder } = await openStore();
    const kept = episode();
    await add([kept]);
    await abandonedLock(folder);
    const stop = new AbortController();
    const forgetting = changes.forget([kept.id], stop.signal);
    setImmediate(() => stop.abort());
    const result = await forgetting;
    assert.equal(result.ok ? "" : result.failure.code, "cancelled");
  });
});
