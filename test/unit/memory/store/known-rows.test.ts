import assert from "node:assert/strict";
import type { Table } from "@lancedb/lancedb";
import fc from "fast-check";
import { KnownRows } from "../../../../src/memory/store/known-rows.ts";
import { Recent } from "../../../../src/memory/store/recent.ts";
import { rawTable, openStore } from "../store-support.ts";
import { cleanUp, episode } from "../support.ts";

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

describe("Rows that are known by where they lie", () => {
  let table: Table;

  before(async () => {
    const store = await openStore();
    await store.add([episode()]);
    table = await rawTable(store.folder);
  });

  after(cleanUp);

  /** A table of some generation whose rows 1 to `all` are known, and which rows of it were read. */
  function rows(all: number, there: (row: number) => boolean = () => true) {
    const asked: number[][] = [];
    const state: { generation: string | undefined } = { generation: "one" };
    const known = new KnownRows<string>({ generation: () => state.generation }, (_table, wanted) => {
      asked.push([...wanted]);
      return Promise.resolve(new Map(wanted.filter(there).map((row) => [row, `read ${row}`])));
    });
    known.fill({ at: (row) => (row <= all ? `known ${row}` : undefined) }, "one");
    return { asked, known, state };
  }

  const many = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

  it("are not read, and those that came later are read once", async () => {
    const { asked, known } = rows(3);
    const found = await known.at(table, [2, 9, 1], known.begin() ?? "");
    assert.deepEqual(found, ["known 2", "read 9", "known 1"]);
    assert.deepEqual(await known.at(table, [9, 3, 8], known.begin() ?? ""), ["read 9", "known 3", "read 8"]);
    assert.deepEqual(asked, [[9], [8]]);
  });

  it("are nothing before they were read, and where it can't be told which table it is", () => {
    const none = new KnownRows<string>({ generation: () => "one" }, () => Promise.resolve(new Map()));
    assert.equal(none.begin(), undefined);
    const { known, state } = rows(3);
    state.generation = undefined;
    assert.equal(known.begin(), undefined);
  });

  it("are known no more when the table is another one, and refused when it became another meanwhile", async () => {
    const { known, state } = rows(3);
    const begun = known.begin() ?? "";
    state.generation = "two";
    await assert.rejects(known.at(table, [1], begun));
    assert.equal(known.begin(), undefined);
    state.generation = "one";
    assert.equal(known.begin(), undefined, "what was let go of does not come back");
  });

  it("are not put together one by one when most lie elsewhere now, or when one is gone", async () => {
    const { asked, known } = rows(3);
    assert.equal(await known.at(table, many(100, 41), known.begin() ?? ""), undefined);
    assert.deepEqual(asked, []);
    assert.equal(known.begin(), undefined, "of no use any more");
    const some = rows(3, (row) => row !== 9);
    assert.equal(await some.known.at(table, [1, 9], some.known.begin() ?? ""), undefined);
    assert.equal((await some.known.at(table, many(20, 40), some.known.begin() ?? ""))?.length, 40);
  });
});
