import assert from "node:assert/strict";
import { Maintenance } from "../../../../src/memory/store/maintenance.ts";
import { openStore, type Store } from "../store-support.ts";
import { cleanUp, episode, never, valueOf } from "../support.ts";

/** Where the rows of some words lie, by id. */
async function rowsOf({ episodes }: Store, word: string): Promise<ReadonlyMap<string, number>> {
  const found = valueOf(await episodes.matching([word], { limit: 50 }, never));
  return new Map(found.map(({ place }) => [place.id, place.row ?? -1]));
}

async function byRows(store: Store, ids: readonly string[], rows: ReadonlyMap<string, number>) {
  const read = valueOf(await store.episodes.byIds(ids, never, rows));
  return [...read].sort((a, b) => (a.id < b.id ? -1 : 1));
}

const inOrder = <T extends { readonly id: string }>(rows: readonly T[]): T[] =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

describe("episodes that are read from where they lay a moment ago", () => {
  afterEach(cleanUp);

  it("are the ones asked for, beside those whose place is not known", async () => {
    const store = await openStore();
    const boats = [episode({ question: "the boat" }), episode({ question: "a boat" })];
    const cat = episode({ question: "the cat" });
    await store.add([...boats, cat]);
    const rows = await rowsOf(store, "boat");
    assert.deepEqual([...rows.keys()].sort(), boats.map(({ id }) => id).sort());
    const ids = [...boats, cat].map(({ id }) => id);
    assert.deepEqual(await byRows(store, ids, rows), inOrder([...boats, cat]));
  });

  it("are found by their ids when files were put together meanwhile, and left out when they were forgotten", async () => {
    const store = await openStore();
    const [one, two, three] = [1, 2, 3].map((each) => episode({ question: `boat ${each}` }));
    assert.ok(one && two && three);
    for (const each of [one, two, three]) await store.add([each]);
    const rows = await rowsOf(store, "boat");
    const other = await openStore({ folder: store.folder });
    valueOf(await other.episodes.forget([two.id], never));
    valueOf(await new Maintenance(other.database).run(never));
    const ids = [one, two, three].map(({ id }) => id);
    assert.deepEqual(await byRows(store, ids, rows), inOrder([one, three]));
  });

  it("are never others: what lies there now is checked", async () => {
    const store = await openStore();
    const [boat, cat] = [episode({ question: "the boat" }), episode({ question: "the cat" })];
    await store.add([boat, cat]);
    const row = (await rowsOf(store, "cat")).get(cat.id) ?? -1;
    assert.deepEqual(await byRows(store, [boat.id], new Map([[boat.id, row]])), [boat]);
    assert.deepEqual(await byRows(store, [boat.id], new Map([[boat.id, 9_999_999]])), [boat]);
  });
});
