import assert from "node:assert/strict";
import * as lance from "@lancedb/lancedb";
import { cacheBounds } from "../../../../src/memory/store/caches.ts";
import { openStore } from "../store-support.ts";
import { cleanUp, episode, never, valueOf } from "../support.ts";

const MB = 1_024 * 1_024;

/** The library, and the session that a store connects with. */
function watched(): { readonly load: () => Promise<typeof lance>; readonly held: () => number } {
  let session: lance.Session | undefined;
  const connect = ((uri: string, options: Partial<lance.ConnectionOptions>) => {
    session = options.session;
    return lance.connect(uri, options);
  }) as typeof lance.connect;
  return {
    load: () => Promise.resolve({ ...lance, connect }),
    held: () => Number(session?.sizeBytes() ?? 0) / MB,
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

  it("is a share of the machine's memory, and never less than a large store's indexes take", () => {
    const index = (gigabytes: number): number => cacheBounds(gigabytes * 1_024 * MB).index / MB;
    assert.deepEqual([4, 16, 128].map(index), [1_024, 2_048, 4_096]);
  });
});
