import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { aheadOfTime, inSpareTime } from "../../../src/agent/spare-time.ts";

/** Lets what was put off to spare time be done. */
async function spareTime(): Promise<void> {
  await new Promise<void>((resolve) => inSpareTime(resolve));
}

describe("what is done in spare time", () => {
  it("waits until a request that is sent in the next turn of the event loop is on its way", async () => {
    const order: string[] = [];
    inSpareTime(() => order.push("work"));
    setImmediate(() => order.push("request"));
    await nextTurn();
    assert.deepEqual(order, ["request"]);
    await spareTime();
    assert.deepEqual(order, ["request", "work"]);
  });

  it("gives its value ahead of time, worked out once", async () => {
    let worked = 0;
    const value = aheadOfTime(() => (worked += 1));
    assert.equal(worked, 0);
    await spareTime();
    assert.deepEqual([worked, value(), value()], [1, 1, 1]);
  });

  it("is done at once for whoever can't wait, and not again", async () => {
    let worked = 0;
    const value = aheadOfTime(() => (worked += 1));
    assert.equal(value(), 1);
    await spareTime();
    assert.equal(worked, 1);
  });

  it("breaks for who asks for it, and for nobody else", async () => {
    const value = aheadOfTime(() => {
      throw new Error("broken");
    });
    await spareTime();
    assert.throws(value, /broken/);
  });
});
