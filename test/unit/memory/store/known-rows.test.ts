import assert from "node:assert/strict";
import fc from "fast-check";
import { KnownRows } from "../../../../src/memory/store/known-rows.ts";
import { Maintenance } from "../../../../src/memory/store/maintenance.ts";
import { Recent } from "../../../../src/memory/store/recent.ts";
import { alone, ask, deps, embedder, found } from "../retrieval/ask-support.ts";
import { StoreCandidates } from "../../../../src/memory/retrieval/store-candidates.ts";
import { retrieve } from "../../../../src/memory/retrieval/retrieve.ts";
import { openStore, type Store } from "../store-support.ts";
import { cleanUp, episode, never, valueOf } from "../support.ts";

describe("What was used of late", () => {
  it("is kept, and never more than twice as much as is wanted", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat({ max: 60 }), { maxLength: 300 }),
        (least, keys) => {
          const recent = new Recent<number, number>(least);
          keys.forEach((key, at) => {
            if (recent.get(key) === undefined) recent.set(key, key * 2);
            assert.equal(recent.get(key), key * 2);
            assert.ok(recent.size <= 2 * least, `${recent.size} after ${at + 1}`);
          });
        },
      ),
    );
  });

  it("lets go of what was not asked for, and of nothing that was", () => {
    const recent = new Recent<string, number>(3);
    recent.set("kept", 1);
    for (let other = 0; other < 50; other += 1) {
      recent.set(`other ${other}`, other);
      assert.equal(recent.get("kept"), 1);
    }
    assert.equal(recent.get("other 0"), undefined);
    recent.clear();
    assert.equal(recent.size, 0);
  });
});

describe("Rows that are kept by where they lie", () => {
  const reader = () => {
    const asked: number[][] = [];
    const read = (rows: readonly number[]): Promise<ReadonlyMap<number, string>> => {
      asked.push([...rows]);
      return Promise.resolve(new Map(rows.map((row) => [row, `row ${row}`])));
    };
    return { asked, read };
  };

  it("are read once, however often they are asked for", async () => {
    const { asked, read } = reader();
    const known = new KnownRows<string>({ generation: () => "one" });
    await known.at([1, 2], known.begin(), read);
    const again = await known.at([2, 3], known.begin(), read);
    assert.deepEqual([...again.values()].sort(), ["row 2", "row 3"]);
    assert.deepEqual(asked, [[1, 2], [3]]);
  });

  it("are read anew when the table is another one, and refused when it became another meanwhile", async () => {
    const { asked, read } = reader();
    let table: string | undefined = "one";
    const known = new KnownRows<string>({ generation: () => table });
    await known.at([1], known.begin(), read);
    const begun = known.begin();
    table = "two";
    await assert.rejects(known.at([1], begun, read));
    await known.at([1], known.begin(), read);
    assert.deepEqual(asked, [[1], [1]]);
  });

  it("are read each time where it can't be told which table it is", async () => {
    const { asked, read } = reader();
    const known = new KnownRows<string>({ generation: () => undefined });
    await known.at([1], known.begin(), read);
    await known.at([1], known.begin(), read);
    assert.deepEqual(asked, [[1], [1]]);
  });
});

/** A search as a process has it that has searched before, beside one that has not. */
async function both(store: Store, source: StoreCandidates, query: string) {
  const known = valueOf(await retrieve(deps(source), { query, limit: 5 }, never));
  const fresh = await openStore({ folder: store.folder });
  const anew = await ask(fresh, query);
  assert.deepEqual(known, anew);
  return found(known);
}

describe("A search that has searched before", () => {
  afterEach(cleanUp);

  it("finds what a new one finds, whatever is written, forgotten and put together, here or in another window", async () => {
    const store = await openStore();
    const source = new StoreCandidates(store);
    const other = await openStore({ folder: store.folder });
    const boats = [1, 2, 3, 4].map((each) => alone(`The boat number ${each} lies in Oban.`, "Is it new?"));
    for (const boat of boats) await store.add([boat], embedder);
    assert.equal((await both(store, source, "Where is the boat?")).length, 4);

    const next = episode({ question: "The boat was sold.", sessionId: boats[0]!.sessionId });
    await other.add([{ ...next, time: boats[0]!.time + 1 }], embedder);
    assert.ok((await both(store, source, "Where is the boat?")).includes(next.id));

    valueOf(await other.episodes.forget([boats[1]!.id], never));
    valueOf(await other.vectors.wipe([boats[1]!.id], never));
    assert.ok(!(await both(store, source, "Where is the boat?")).includes(boats[1]!.id));

    valueOf(await new Maintenance(other.database).run(never));
    assert.equal((await both(store, source, "Where is the boat?")).length, 4);

    valueOf(await store.episodes.forget([boats[2]!.id], never));
    valueOf(await store.vectors.wipe([boats[2]!.id], never));
    assert.equal((await both(store, source, "Where is the boat?")).length, 3);
  });

  it("takes no row for another after embeddings were dropped and made anew in another window", async () => {
    const store = await openStore();
    const source = new StoreCandidates(store);
    const [boat, cat] = [alone("The boat is in Oban."), alone("The cat sleeps.")];
    await store.add([boat, cat], embedder);
    assert.equal((await both(store, source, "vessel"))[0], boat.id);
    const other = await openStore({ folder: store.folder });
    valueOf(await other.vectors.drop(embedder.model, never));
    // In the other order, so that each lies where the other lay.
    const embedded = valueOf(
      await embedder.embed(["The cat sleeps.", "The boat is in Oban."], "document", never),
    );
    const rows = [cat, boat].map(({ id, sessionId, turnId, time }, at) => ({
      ...{ id, sessionId, turnId, time, kind: "episode" as const, scope: "", embedding: embedded[at]! },
    }));
    valueOf(await other.vectors.put(embedder.model, rows, never));
    assert.equal((await both(store, source, "vessel"))[0], boat.id);
  });
});
