import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { formatProblem, smallestValue } from "../../support/ollama/schema.ts";

const leaf: fc.Arbitrary<z.ZodType> = fc.oneof(
  fc.record({ min: fc.nat(20), more: fc.nat(20) }).map(({ min, more }) =>
    z
      .string()
      .min(min)
      .max(min + more),
  ),
  fc.nat(100).map((min) => z.int().min(min)),
  fc.constant(z.boolean()),
  fc.constant(z.null()),
  fc.string().map((value) => z.literal(value)),
  fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map((values) => z.enum(values)),
);

const { schema } = fc.letrec<{ schema: z.ZodType }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc
      .dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie("schema"), { maxKeys: 4 })
      .map((shape) => z.strictObject(shape)),
    fc
      .record({ item: tie("schema"), length: fc.nat(3) })
      .map(({ item, length }) => z.array(item).min(length)),
    fc.array(tie("schema"), { minLength: 2, maxLength: 3 }).map((options) => z.union(options)),
    tie("schema").map((inner) => z.strictObject({ kept: z.string(), dropped: inner.optional() })),
  ),
}));

describe("constrained output of the scripted server", () => {
  it("is valid for whatever schema was asked for", () => {
    fc.assert(
      fc.property(schema, fc.string(), (wanted, words) => {
        const json: unknown = z.toJSONSchema(wanted);
        assert.equal(formatProblem(json), undefined);
        assert.ok(wanted.safeParse(smallestValue(json, words)).success);
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it("follows references, and does not run for ever on one that refers to itself", () => {
    const json = {
      $defs: { name: { const: "n" } },
      type: "object",
      properties: { a: { $ref: "#/$defs/name" } },
      required: ["a"],
    };
    assert.deepEqual(smallestValue(json), { a: "n" });
    const loop = { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] };
    assert.ok(JSON.stringify(smallestValue(loop)));
  });
});
