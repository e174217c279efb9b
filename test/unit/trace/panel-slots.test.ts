import assert from "node:assert/strict";
import * as fc from "fast-check";
import { Slots } from "../../../src/webview/slots.ts";

/** The keys of the rows that stand in a window of a list. */
const rows = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `row ${from + at}`);

describe("the elements that a list draws its rows in", () => {
  it("stay those of the rows that stay in sight", () => {
    const slots = new Slots();
    const before = slots.assign(rows(0, 10));
    const after = slots.assign(rows(3, 10));
    assert.deepEqual(after.slice(0, 7), before.slice(3));
  });

  it("are taken over in order when all that is in sight changes: none is made, none is moved", () => {
    const slots = new Slots();
    const before = slots.assign(rows(0, 20));
    assert.deepEqual(slots.assign(rows(5_000, 20)), before);
  });

  it("stay that of the row with the focus, wherever the list goes", () => {
    const slots = new Slots();
    const [focused] = slots.assign(rows(0, 10));
    for (const from of [400, 90, 7_000]) assert.equal(slots.assign(["row 0", ...rows(from, 10)])[0], focused);
  });

  it("are never given to two rows, and never change their order", () => {
    const windows = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 30 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(windows, (all) => {
        const slots = new Slots();
        let before: readonly number[] = [];
        for (const [from, count] of all) {
          // One of them is always drawn, as the row with the focus is.
          const keys = rows(from, count);
          const drawn = keys.includes("row 20")
            ? keys
            : from < 20
              ? [...keys, "row 20"]
              : ["row 20", ...keys];
          const after = slots.assign(drawn);
          assert.equal(new Set(after).size, drawn.length);
          const [was, is] = [new Set(before), new Set(after)];
          assert.deepEqual(
            after.filter((slot) => was.has(slot)),
            before.filter((slot) => is.has(slot)),
          );
          before = after;
        }
      }),
    );
  });
});
