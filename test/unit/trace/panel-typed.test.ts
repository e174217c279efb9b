import assert from "node:assert/strict";
import * as fc from "fast-check";
import { readTyped, Typed } from "../../../src/webview/typed.ts";

describe("what is typed in small forms of the panel", () => {
  it("is there again after a reload, the newest of it, until it is sent", () => {
    const steps = fc.array(
      fc.tuple(fc.nat({ max: 40 }), fc.option(fc.string({ maxLength: 20 }), { nil: undefined })),
    );
    fc.assert(
      fc.property(steps, (all) => {
        const typed = new Typed([]);
        for (const [key, text] of all) typed.set(`field ${key}`, text);
        const again = new Typed(readTyped(JSON.parse(JSON.stringify(typed.saved()))));
        const last = all.at(-1);
        if (last !== undefined) assert.equal(again.get(`field ${last[0]}`), last[1]);
        assert.ok(again.saved().length <= 20);
        assert.deepEqual(again.saved(), typed.saved());
      }),
    );
  });

  it("is nothing where what was saved is not understood", () => {
    for (const saved of [undefined, null, "x", 4, {}, [1, ["a"], ["a", 2], [3, "b"]]])
      assert.deepEqual(readTyped(saved), []);
  });
});
