import assert from "node:assert/strict";
import { tableFromArrays } from "apache-arrow";
import { plainRows, readColumns } from "../../../../src/memory/store/columns.ts";

describe("reading a result by columns", () => {
  it("gives the rows in their order, whole numbers of any width as numbers", () => {
    const result = tableFromArrays({ id: ["a", "b"], length: BigInt64Array.from([1n, 2n]) });
    assert.deepEqual(readColumns(result, { id: "string", length: "number" }), [
      { id: "a", length: 1 },
      { id: "b", length: 2 },
    ]);
  });

  it("leaves out a row that lacks a value or has one of another kind", () => {
    const result = tableFromArrays({ id: ["a", null, "c"], time: Float64Array.from([1, 2, 3]) });
    const rows = readColumns(result, { id: "string", time: "number" });
    assert.deepEqual(
      rows.map(({ id }) => id),
      ["a", "c"],
    );
    assert.deepEqual(readColumns(result, { id: "string", time: "string" }), []);
  });

  it("gives nothing where a column is missing", () => {
    assert.deepEqual(readColumns(tableFromArrays({ id: ["a"] }), { id: "string", time: "number" }), []);
  });

  it("gives plain rows of the columns asked for as they are, for others to check", () => {
    const result = tableFromArrays({ id: ["a", null], time: Float64Array.from([1, 2]), other: ["x", "y"] });
    assert.deepEqual(plainRows(result, ["id", "time", "none"]), [
      { id: "a", time: 1 },
      { id: null, time: 2 },
    ]);
  });
});
