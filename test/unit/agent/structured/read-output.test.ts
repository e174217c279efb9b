import assert from "node:assert/strict";
import fc from "fast-check";
import { checkOf } from "../../../../src/agent/structured/check.ts";
import { fieldLines, outputSchema } from "../../../../src/agent/structured/fields.ts";
import { readOutput } from "../../../../src/agent/structured/read-output.ts";
import type { JsonObject } from "../../../../src/agent/models/types.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: { name: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
  required: ["name"],
};

function checked(schema: JsonObject) {
  const check = checkOf(schema);
  if (!check.ok) throw new Error(check.failure.message);
  return check.value;
}

const value = fc.record(
  {
    name: fc.string({ unit: "grapheme" }),
    tags: fc.array(fc.string({ unit: "grapheme" })),
  },
  { noNullPrototype: true },
);
const prose = fc.stringMatching(/^[A-Za-z .,;:!?()'\n-]{0,60}$/);

describe("the object in an answer", () => {
  it("is found as it was written, whatever words stand around it and however it is laid out", () => {
    fc.assert(
      fc.property(value, prose, prose, fc.nat(4), fc.boolean(), (given, before, after, indent, isFenced) => {
        const json = JSON.stringify(given, null, indent);
        const text = isFenced
          ? `${before}\n\`\`\`json\n${json}\n\`\`\`\n${after}`
          : `${before}\n${json}\n${after}`;
        const read = readOutput(text, SCHEMA, checked(SCHEMA));
        assert.ok(read.ok);
        assert.deepEqual(read.value, given);
      }),
      { numRuns: 300 },
    );
  });

  it("is never made out of one that was cut off, nor is a part of it taken for the whole", () => {
    fc.assert(
      fc.property(value, fc.double({ min: 0, max: 1, noNaN: true }), (given, part) => {
        const json = JSON.stringify({ first: given, ...given });
        const cut = json.slice(0, Math.floor(part * (json.length - 1)));
        assert.ok(!readOutput(`Here it is: ${cut}`, SCHEMA, () => [], "cut").ok);
      }),
      { numRuns: 300 },
    );
  });

  it("is looked for within bounds, whatever the model wrote", () => {
    assert.ok(!readOutput("{[".repeat(100_000), SCHEMA, checked(SCHEMA)).ok);
    assert.ok(!readOutput(`{"name":`.repeat(50_000), SCHEMA, checked(SCHEMA)).ok);
  });
});

describe("the check of an output", () => {
  it("names the place and what is allowed there", () => {
    const check = checked({
      type: "object",
      properties: {
        mood: { enum: ["calm", "rough"] },
        at: { type: "object", properties: { hour: { type: "integer" } } },
      },
    });
    assert.deepEqual(check({ mood: "wild", at: { hour: "two" } }), [
      'mood must be equal to one of the allowed values (["calm","rough"])',
      "at.hour must be integer",
    ]);
  });

  it("follows references and says which of a schema's own parts are wrong", () => {
    const tree: JsonObject = {
      type: "object",
      properties: { root: { $ref: "#/$defs/node" } },
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: ["name"] } },
    };
    assert.equal(checked(tree)({ root: { name: "a", next: {} } }).length, 1);
    for (const wrong of [{ type: "strng" }, { $ref: "#/$defs/none" }, { type: "string", pattern: "(" }]) {
      const check = checkOf({ type: "object", properties: { a: wrong } });
      assert.ok(!check.ok);
      assert.equal(check.failure.code, "bad_input");
    }
  });

  it("does not hang on a pattern that takes for ever", () => {
    const check = checked({ type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } });
    assert.equal(check({ a: `${"a".repeat(40)}!` }).length, 1);
    assert.deepEqual(check({ a: "aaa" }), []);
  });

  it("tells patterns apart", () => {
    const properties = { a: { type: "string", pattern: "^a" }, b: { type: "string", pattern: "^b" } };
    const check = checked({ type: "object", properties });
    assert.deepEqual(
      [check({ a: "a", b: "b" }), check({ a: "b" }).length, check({ b: "a" }).length],
      [[], 1, 1],
    );
  });

  it("tells a bounded number of problems", () => {
    const names = Array.from({ length: 50 }, (_, index) => `field${index}`);
    const check = checked({ type: "object", properties: {}, required: names });
    assert.equal(check({}).length, 10);
  });
});

describe("the fields of an agent", () => {
  it("may be written as a whole schema of an object, or as texts", () => {
    const schema = outputSchema({
      properties: { type: "object", properties: { mood: "How it feels" }, required: ["mood"] },
      required: [],
    });
    assert.deepEqual(schema, {
      type: "object",
      properties: { mood: { description: "How it feels" } },
      required: ["mood"],
    });
  });

  it("stand in the prompt one a line", () => {
    const properties = { mood: { description: "How it\n feels" }, rest: {} };
    assert.deepEqual(fieldLines({ properties, required: ["mood"] }), [
      "- mood (always): How it feels",
      "- rest",
    ]);
  });
});
