import assert from "node:assert/strict";
import * as lance from "@lancedb/lancedb";
import { cacheBounds } from "../../../../src/memory/store/caches.ts";
import { Maintenance } from "../../../../src/memory/store/maintenance.ts";
import { openStore } from "../store-support.ts";
import { cleanUp, episode, never, valueOf } from "../support.ts";

const MB = 1_024 * 1_024;

/** The library, and the session that a store connects with. */
function watched() {
  let session: lance.Session | undefined;
  let connections = 0;
  const connect = ((uri: string, options: Partial<lance.ConnectionOptions>) => {
    session = options.session;
    connections += 1;
    return lance.connect(uri, options);
  }) as typeof lance.connect;
  return {
    load: () => Promise.resolve({ ...lance, connect }),
    held: () => Number(session?.sizeBytes() ?? 0) / MB,
    connections: () => connections,
  };
}

describe("What the store's library keeps in memory", function () {
  this.timeout(120_000);
  afterEach(cleanUp);

  it("stays within its bounds however often is written and searched", async () => {
    const { load, held } = watched();
    const store = await openStore({ load, caches: { index: 4 * MB, metadata: 4 * MB } });
    const most: number[] = [];
    for (let turn = 0; turn < 60; turn += 1) {
      await store.add([episode({ question: `What of tide ${turn}?`, answer: `It turned ${turn} times.` })]);
      const found = valueOf(await store.episodes.matching(["tide"], { limit: 10 }, never));
      assert.equal(found.length, Math.min(10, turn + 1));
      most.push(held());
    }
    assert.ok(Math.max(...most) > 0.1, "the session that is watched is not the one in use");
    // The library counts by shares, each of which may hold a little more. Unbounded it is 228 here.
    assert.ok(Math.max(...most) < 24, `${Math.max(...most).toFixed(1)} MB were held`);
  });

  it("goes after many writes, and nobody who reads or writes meanwhile notices", async () => {
    const { load, connections } = watched();
    const store = await openStore({ load });
    const maintenance = new Maintenance(store.database, { writesBetweenConnections: 20 });
    const count = (): Promise<number> => store.episodes.countRows(never).then(valueOf);
    const matching = () => store.episodes.matching(["tide"], { limit: 100 }, never).then(valueOf);
    for (let turn = 1; turn <= 60; turn += 1) {
      const meanwhile = [count(), matching().then(({ length }) => length)];
      await store.add([episode({ question: `What of tide ${turn}?`, answer: `It turned ${turn} times.` })]);
      const maintained = turn % 5 === 0 ? maintenance.run(never).then(valueOf) : undefined;
      for (const seen of await Promise.all(meanwhile))
        assert.ok(seen === turn - 1 || seen === turn, `${seen} of ${turn}`);
      await maintained;
      assert.equal(await count(), turn);
    }
    assert.equal((await matching()).length, 60);
    assert.equal(connections(), 4);
  });

  it("is a share of the machine's memory, and never less than a large store's indexes take", () => {
    const index = (gigabytes: number): number => cacheBounds(gigabytes * 1_024 * MB).index / MB;
    assert.deepEqual([4, 16, 128].map(index), [1_024, 2_048, 4_096]);
  });
});
