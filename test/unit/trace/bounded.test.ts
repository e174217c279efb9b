import assert from "node:assert/strict";
import { jsonForLog } from "../../../src/trace/bounded.ts";

/** A list in a list in a list. */
function nested(depth: number): unknown {
  return depth === 0 ? "end" : [nested(depth - 1)];
}

describe("a value in the log", () => {
  it("is cut where it is nested more deeply than any view can follow, and says so", () => {
    const json = jsonForLog({ tools: Array.from({ length: 100 }, () => ({ a: {} })), deep: nested(500) });
    assert.match(json, /\[cut: nested too deeply\]/);
    assert.ok(!json.includes("end"));
  });

  it("is whole, however many parts it has, where none of them is deep", () => {
    const value = {
      tools: Array.from({ length: 2_000 }, (_, at) => ({ name: `tool ${at}`, inner: { at } })),
    };
    assert.equal(jsonForLog(value), JSON.stringify(value));
  });
});
