import assert from "node:assert/strict";
import { oncePer } from "../../../src/agent/once-per.ts";

describe("what is worked out once per object", () => {
  it("is the very same for the same object, and another for one that only looks alike", () => {
    const sized = oncePer((list: readonly string[]) => ({ size: list.length }));
    const list = ["a"];
    assert.equal(sized(list), sized(list));
    assert.notEqual(sized(list), sized(["a"]));
  });

  it("is not worked out again where it is nothing, zero or false", () => {
    for (const nothing of ["", 0, false]) {
      let times = 0;
      const work = oncePer((_: object) => {
        times += 1;
        return nothing;
      });
      const of = {};
      assert.deepEqual([work(of), work(of), times], [nothing, nothing, 1]);
    }
  });

  it("is tried again after it failed", () => {
    let times = 0;
    const work = oncePer((_: object) => {
      times += 1;
      if (times === 1) throw new Error("not yet");
      return "done";
    });
    const of = {};
    assert.throws(() => work(of), /not yet/);
    assert.equal(work(of), "done");
  });
});
