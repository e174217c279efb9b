import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import type { Annotation, AnnotationValue, Episode } from "../../../../src/agent/memory/port.ts";
import { Maintenance } from "../../../../src/memory/store/maintenance.ts";
import type { Store } from "../store-support.ts";
import { openStore, rawTable } from "../store-support.ts";
import { cleanUp, episode, never, valueOf } from "../support.ts";

/**
 * How many turns the growth is shown with; all of a thousand take a minute. Maintenance, which comes after every fiftieth
 * of them, is not at the last: something is left to do, however slow the machine is.
 */
const TURNS = process.env.CONCLAVE_LONG_TESTS === "1" ? 1_010 : 160;

function annotation(of: Episode, value: AnnotationValue, time: number): Annotation {
  return { ...value, id: randomUUID(), episodeId: of.id, by: "critic", time };
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = names
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function versionsOf(folder: string, table: string): Promise<number> {
  return (await readdir(join(folder, `${table}.lance`, "_versions"))).filter((name) =>
    name.endsWith(".manifest"),
  ).length;
}

/** Turns of a KB, each followed by a grade and by another one in its place. */
async function live(store: Store, turns: number, between: () => Promise<void>): Promise<Episode[]> {
  const all: Episode[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const said = episode({ question: `Question ${turn}?`, answer: `Answer ${turn} ${"word ".repeat(190)}` });
    await store.add([said]);
    for (const [value, time] of [
      [3, 1],
      [4, 2],
    ] as const) {
      const graded = annotation(said, { kind: "score", value }, time);
      valueOf(await store.annotations.append([graded], never));
    }
    all.push(said);
    await between();
  }
  return all;
}

describe("A store that is written to again and again", function () {
  this.timeout(240_000);
  afterEach(cleanUp);

  it("grows no more than its rows do, in disk, versions and superseded annotations", async () => {
    const store = await openStore();
    let ahead = 0;
    const maintenance = new Maintenance(store.database, { now: () => Date.now() + ahead });
    const episodes = await live(store, TURNS, async () => {
      if (maintenance.due()) valueOf(await maintenance.run(never));
    });
    // Some seconds later nothing else is to be done.
    ahead = 15_000;
    assert.equal(maintenance.worthIt(), true);
    assert.equal(valueOf(await maintenance.run(never)), true);
    assert.equal(maintenance.worthIt(), false);
    const { folder } = store;
    assert.ok((await sizeOf(folder)) < TURNS * 20_000, `${await sizeOf(folder)} bytes`);
    assert.ok((await versionsOf(folder, "episodes")) < 25);
    assert.ok((await versionsOf(folder, "annotations")) < 25);
    assert.equal(valueOf(await store.episodes.countRows(never)), TURNS);
    assert.equal(valueOf(await store.annotations.table.count(undefined, never)), TURNS);
    const notes = valueOf(await store.annotations.fold([episodes[0]!.id, episodes[TURNS - 1]!.id], never));
    assert.deepEqual(
      [...notes.values()],
      [
        { score: 4, scoreBy: "critic" },
        { score: 4, scoreBy: "critic" },
      ],
    );
  });

  it("loses its old versions even when files can't be put together, and says that this fails", async () => {
    const store = await openStore();
    const said = await live(store, 40, () => Promise.resolve());
    const table = valueOf(
      await store.episodes.table.read<Table | undefined>(undefined, (open) => Promise.resolve(open), never),
    );
    assert.ok(table !== undefined);
    table.optimize = () => Promise.reject(new Error("a column can't be merged"));
    const maintenance = new Maintenance(store.database, { now: () => Date.now() + 60_000 });
    assert.ok((await versionsOf(store.folder, "episodes")) > 40);
    for (let again = 0; again < 2; again += 1) {
      const done = await maintenance.run(never);
      assert.equal(done.ok, false);
      assert.match(maintenance.failure ?? "", /episodes: .*a column can't be merged/);
    }
    assert.ok((await versionsOf(store.folder, "episodes")) < 25);
    const raw = await rawTable(store.folder);
    assert.equal((await raw.query().toArray()).length, 40);
    assert.equal(valueOf(await store.episodes.matching(["question"], { limit: 100 }, never)).length, 40);
    await store.add([episode()]);
    valueOf(await store.episodes.forget([said[3]!.id], never));
    assert.equal(valueOf(await store.episodes.countRows(never)), 40);
  });

  it("tells by its failure when tidying up works again", async () => {
    const store = await openStore();
    await store.add([episode()]);
    const table = valueOf(
      await store.episodes.table.read<Table | undefined>(undefined, (open) => Promise.resolve(open), never),
    );
    assert.ok(table !== undefined);
    const optimize = table.optimize.bind(table);
    table.optimize = () => Promise.reject(new Error("no"));
    const maintenance = new Maintenance(store.database);
    assert.equal((await maintenance.run(never)).ok, false);
    table.optimize = optimize;
    assert.equal(valueOf(await maintenance.run(never)), true);
    assert.equal(maintenance.failure, undefined);
  });
});
