import assert from "node:assert/strict";
import type { Table } from "@lancedb/lancedb";
import { connect } from "@lancedb/lancedb";
import { mkdir, realpath, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isConflict, onLatest } from "../../../../src/memory/store/conflicts.ts";
import { Maintenance } from "../../../../src/memory/store/maintenance.ts";
import { openStore, rawTable } from "../store-support.ts";
import { cleanUp, episode, fakeEmbedder, later, never, temporaryFolder, valueOf } from "../support.ts";

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
    const { add, episodes, folder } = await openStore();
    const only = episode();
    await add([only]);
    const table = await rawTable(folder);
    await table.delete("true");
    assert.equal(valueOf(await episodes.table.ensureTextIndex(never)), false);
    assert.deepEqual(await table.listIndices(), []);
    await add([only]);
    assert.equal(valueOf(await episodes.table.ensureTextIndex(never)), true);
    assert.equal(valueOf(await episodes.forget([only.id], never)), 1);
    assert.deepEqual(await table.listIndices(), []);
  });

  it("the first rows are found by their words at once", async () => {
    const { add, episodes } = await openStore();
    const boat = episode({ question: "Where is the boat?", answer: "In Oban." });
    await add([episode(), boat]);
    const found = valueOf(await episodes.matching(["boat"], { limit: 5 }, never));
    assert.deepEqual(
      found.map(({ place }) => place.id),
      [boat.id],
    );
  });

  it("rows that came after the index are found by their words too", async () => {
    const { add, episodes } = await openStore();
    await add([episode()]);
    valueOf(await episodes.matching(["cache"], { limit: 5 }, never));
    const boats = episode({ question: "Where are the boats?" });
    await add([boats]);
    const found = valueOf(await episodes.matching(["boat"], { limit: 5 }, never));
    assert.deepEqual(
      found.map(({ place }) => place.id),
      [boats.id],
    );
  });

  it("a new row is found by a word that it holds often, in a small store too", async () => {
    const { add, episodes } = await openStore();
    await add([episode(), episode()]);
    valueOf(await episodes.matching(["cache"], { limit: 5 }, never));
    const boat = episode({ question: "The boat?", answer: "boat ".repeat(9) });
    await add([boat]);
    const found = valueOf(await episodes.matching(["boat"], { limit: 5 }, never));
    assert.deepEqual(
      found.map(({ place }) => place.id),
      [boat.id],
    );
  });

  it("what one window writes, another sees at once", async () => {
    const one = await openStore();
    await one.add([episode()]);
    const two = await openStore({ folder: one.folder });
    assert.equal(valueOf(await two.episodes.countRows(never)), 1);
    const late = episode({ question: "Where is the boat?" });
    await one.add([late], fakeEmbedder());
    assert.equal(valueOf(await two.episodes.countRows(never)), 2);
    assert.equal(valueOf(await two.episodes.matching(["boat"], { limit: 5 }, never)).length, 1);
    valueOf(await two.episodes.forget([late.id], never));
    assert.equal(valueOf(await one.episodes.countRows(never)), 1);
    assert.equal(valueOf(await one.episodes.matching(["boat"], { limit: 5 }, never)).length, 0);
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
    const maintain = async (): Promise<boolean> => valueOf(await new Maintenance(two.database).run(never));
    // The other tries while the one is in the middle of its work.
    assert.equal(valueOf(await one.episodes.table.upkeep.run(maintain, never)), false);
    assert.equal(await maintain(), true);
  });

  it("maintenance puts many small files together and leaves recent versions to other readers", async () => {
    const { add, database, episodes, folder } = await openStore();
    for (let index = 0; index < 30; index += 1) {
      await add([episode({ question: `Question ${index}` })]);
    }
    const table = await rawTable(folder);
    const old = await rawTable(folder);
    await old.checkout(5);
    const before = await table.stats();
    assert.equal(valueOf(await new Maintenance(database).run(never)), true);
    const after = await table.stats();
    assert.ok(before.fragmentStats.numFragments >= 30);
    assert.equal(after.fragmentStats.numFragments, 1);
    assert.equal((await old.query().select(["answer"]).toArray()).length, 4);
    assert.equal(valueOf(await episodes.countRows(never)), 30);
    assert.equal((await table.query().where("question = 'Question 3'").toArray()).length, 1);
  });

  it("a read whose files another window has just cleaned away is done once more on the newest version", async () => {
    const { add, episodes } = await openStore();
    await add([episode()]);
    const table = valueOf(
      await episodes.table.read<Table | undefined>(undefined, (open) => Promise.resolve(open), never),
    );
    assert.ok(table !== undefined);
    const count = table.countRows.bind(table);
    const latest = table.checkoutLatest.bind(table);
    let moved = false;
    table.checkoutLatest = () => {
      moved = true;
      return latest();
    };
    table.countRows = () =>
      moved ? count() : Promise.reject(new Error("Not found: episodes.lance/data/0110.lance"));
    assert.equal(valueOf(await episodes.countRows(never)), 1);
  });

  it("reading goes on while another window forgets and cleans", async () => {
    const one = await openStore();
    const rows = Array.from({ length: 12 }, (_, index) => episode({ question: `Boat ${index}` }));
    await one.add(rows, fakeEmbedder());
    const two = await openStore({ folder: one.folder });
    const reading = async (): Promise<void> => {
      for (let round = 0; round < 10; round += 1) {
        valueOf(await two.episodes.matching(["boat"], { limit: 50 }, never));
        valueOf(await two.episodes.list({ offset: 0, limit: 50 }, never));
      }
    };
    const forgetting = async (): Promise<void> => {
      for (const { id } of rows.slice(0, 4)) {
        assert.equal(valueOf(await one.episodes.forget([id], never)), 1);
      }
    };
    await Promise.all([reading(), forgetting()]);
    assert.equal(valueOf(await two.episodes.countRows(never)), 8);
  });

  it("a relative folder whose name begins with db is a folder, not a cloud address", async () => {
    const parent = await realpath(await temporaryFolder());
    const home = process.cwd();
    process.chdir(parent);
    try {
      const { add, episodes, database } = await openStore({ folder: "db-memory" });
      await add([episode()]);
      assert.equal(valueOf(await episodes.countRows(never)), 1);
      assert.equal(database.folder, join(parent, "db-memory"));
    } finally {
      process.chdir(home);
    }
  });
});

describe("A lock whose holder was killed", () => {
  afterEach(cleanUp);

  async function abandonedLock(folder: string, name = "store.lock"): Promise<void> {
    await mkdir(join(folder, name));
  }

  it("does not keep a search from making the index it needs", async () => {
    const { add, episodes, folder } = await openStore();
    await add([episode()]);
    await abandonedLock(folder, "episodes.upkeep.lock");
    assert.equal(valueOf(await episodes.matching(["cache"], { limit: 5 }, never)).length, 1);
  });

  it("is waited for until it is stale, then taken", async () => {
    const { add, episodes, folder } = await openStore();
    const kept = episode();
    await add([kept]);
    await abandonedLock(folder);
    const old = new Date(Date.now() - 60_000);
    await utimes(join(folder, "store.lock"), old, old);
    assert.equal(valueOf(await episodes.forget([kept.id], never)), 1);
  });

  it("does not hold up a cancel", async () => {
    const { add, episodes, folder } = await openStore();
    const kept = episode();
    await add([kept]);
    await abandonedLock(folder);
    const stop = new AbortController();
    const forgetting = episodes.forget([kept.id], stop.signal);
    setImmediate(() => stop.abort());
    const result = await forgetting;
    assert.equal(result.ok ? "" : result.failure.code, "cancelled");
  });
});
