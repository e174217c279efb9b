import assert from "node:assert/strict";
import fc from "fast-check";
import { NdjsonReader } from "../../../../src/agent/models/ndjson.ts";

/** Cuts bytes at the given places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  const edges = [0, ...sorted, bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

function readAll(reader: NdjsonReader, parts: readonly Uint8Array[]): { values: unknown[]; broken?: string } {
  const values: unknown[] = [];
  for (const part of parts) {
    const batch = reader.push(part);
    values.push(...batch.values);
    if (batch.broken !== undefined) return { values, broken: batch.broken };
  }
  const last = reader.end();
  values.push(...last.values);
  return last.broken === undefined ? { values } : { values, broken: last.broken };
}

describe("reading NDJSON", () => {
  it("gives the same values wherever the bytes are cut, also inside a character", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 30 });
    const values = fc.array(fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean())), {
      maxLength: 8,
    });
    const ending = fc.constantFrom("\n", "\r\n", "\n\n", "\n \r\n");
    fc.assert(
      fc.property(values, ending, fc.boolean(), fc.array(fc.nat()), (expected, newline, endsWell, places) => {
        const lines = expected.map((value) => JSON.stringify(value)).join(newline);
        const bytes = Buffer.from(endsWell ? lines + newline : lines, "utf8");
        const read = readAll(new NdjsonReader(), cut(bytes, places));
        assert.deepEqual(read, {
          values: expected.map((value) => JSON.parse(JSON.stringify(value)) as unknown),
        });
      }),
    );
  });

  it("gives a line as soon as its newline is there", () => {
    const reader = new NdjsonReader();
    assert.deepEqual(reader.push(Buffer.from('{"a":1}\n{"b"')).values, [{ a: 1 }]);
    assert.deepEqual(reader.push(Buffer.from(":2}\n")).values, [{ b: 2 }]);
  });

  it("stops at a line that is not JSON instead of skipping it", () => {
    const batch = new NdjsonReader().push(Buffer.from('{"a":1}\n<html>\n{"b":2}\n'));
    assert.deepEqual(batch.values, [{ a: 1 }]);
    assert.match(batch.broken ?? "", /not JSON: <html>/);
  });

  it("reads nothing more once it is broken", () => {
    const reader = new NdjsonReader();
    reader.push(Buffer.from("nonsense\n"));
    const after = reader.push(Buffer.from('{"a":1}\n'));
    assert.deepEqual(after.values, []);
    assert.ok(after.broken);
  });

  it("does not gather a line beyond its bound, whether it comes whole or in parts", () => {
    const long = Buffer.from(`"${"x".repeat(100)}"\n`);
    assert.match(new NdjsonReader(64).push(long).broken ?? "", /longer than 64 bytes/);
    const inParts = readAll(new NdjsonReader(64), cut(long, [20, 40, 60, 80]));
    assert.match(inParts.broken ?? "", /longer than 64 bytes/);
  });

  it("takes a last line that was cut off as a failure", () => {
    assert.ok(readAll(new NdjsonReader(), [Buffer.from('{"a":1}\n{"b":')]).broken);
  });
});
