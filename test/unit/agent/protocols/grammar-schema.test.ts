import assert from "node:assert/strict";
import { z } from "zod";
import type { JsonObject } from "../../../../src/agent/models/types.ts";
import { answerSchema, grammarSchema, stepSchema } from "../../../../src/agent/protocols/grammar-schema.ts";
import { TOOLS } from "./support.ts";

function converted(type: z.ZodType): JsonObject {
  return grammarSchema(JSON.parse(JSON.stringify(z.toJSONSchema(type, { io: "input" }))) as JsonObject);
}

describe("the schema a step is constrained to", () => {
  it("has one alternative for each tool and one for the answer, the thought first", () => {
    const { anyOf } = stepSchema(TOOLS.schemas) as {
      anyOf: { properties: JsonObject; required: string[] }[];
    };
    assert.equal(anyOf.length, TOOLS.schemas.length + 1);
    assert.deepEqual(anyOf[0], answerSchema());
    assert.deepEqual(anyOf[1]?.required, ["thought", "tool", "arguments"]);
    assert.deepEqual(anyOf[1].properties["tool"], { const: "find_tide" });
    for (const each of anyOf) assert.equal(Object.keys(each.properties)[0], "thought");
  });

  it("is that of an answer alone, or of calls alone, where the model said which", () => {
    assert.deepEqual(stepSchema(TOOLS.schemas, "answer"), answerSchema());
    const { anyOf } = stepSchema(TOOLS.schemas, "call") as { anyOf: readonly JsonObject[] };
    assert.deepEqual(anyOf, (stepSchema(TOOLS.schemas) as { anyOf: readonly JsonObject[] }).anyOf.slice(1));
  });

  it("takes no empty answer, which tiny models like to give", () => {
    const { properties } = answerSchema() as { properties: { answer: JsonObject } };
    assert.equal(properties.answer["minLength"], 1);
  });

  it("keeps what a grammar can hold", () => {
    const schema = converted(
      z.object({
        kind: z.enum(["a", "b"]),
        only: z.literal("x"),
        tags: z.array(z.string().max(20)).max(3),
        either: z.union([z.literal(1), z.array(z.string())]),
        more: z.boolean().optional(),
      }),
    );
    assert.deepEqual(schema, {
      type: "object",
      required: ["kind", "only", "tags", "either"],
      properties: {
        kind: { type: "string", enum: ["a", "b"] },
        only: { type: "string", const: "x" },
        tags: { type: "array", maxItems: 3, items: { type: "string", maxLength: 20 } },
        either: {
          anyOf: [
            { type: "number", const: 1 },
            { type: "array", items: { type: "string" } },
          ],
        },
        more: { type: "boolean" },
      },
      additionalProperties: false,
    });
  });

  it("leaves out patterns, formats, dialects, descriptions and large bounds", () => {
    const schema = converted(z.object({ url: z.url().max(20_000), count: z.int().describe("How many.") }));
    assert.deepEqual(schema["properties"], { url: { type: "string" }, count: { type: "integer" } });
    assert.equal(schema["$schema"], undefined);
  });

  it("puts references in place, and takes anything where one is recursive", () => {
    const schema = grammarSchema({
      type: "object",
      properties: { from: { $ref: "#/$defs/port" }, tree: { $ref: "#/$defs/node" } },
      $defs: {
        port: { type: "string" },
        node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } },
      },
    });
    assert.deepEqual(schema["properties"], {
      from: { type: "string" },
      tree: { type: "object", properties: { next: {} }, additionalProperties: false },
    });
    assert.equal(schema["$defs"], undefined);
  });

  it("makes one object of intersections", () => {
    const schema = converted(z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })));
    assert.deepEqual(Object.keys(schema["properties"] as JsonObject), ["a", "b"]);
    assert.deepEqual(schema["required"], ["a", "b"]);
  });
});
