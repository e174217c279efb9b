import assert from "node:assert/strict";
import fc from "fast-check";
import type { EventOf, TurnEvent } from "../../../src/agent/events.ts";
import type { JsonObject } from "../../../src/agent/models/types.ts";
import { jsonForLog } from "../../../src/trace/bounded.ts";
import { eventLine } from "../../../src/trace/event-line.ts";

/** An object in an object, so many times. */
function nested(depth: number): JsonObject {
  return depth === 0 ? { end: true } : { inner: nested(depth - 1) };
}

function told(data: EventOf<"tool.schema">["data"], agent: string): TurnEvent {
  const place = { id: "a".repeat(16), parentId: null, time: 1.5, sessionId: "s", turnId: "t" };
  return { type: "tool.schema", ...place, agent, respondent: "A", data };
}

describe("the line of an event", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom('"data":{', '","data":{"tools":[]', "\ud83d"),
  );
  const tool = fc.record({
    name: text,
    description: text,
    parameters: fc.oneof(fc.dictionary(text, text), fc.integer({ min: 55, max: 70 }).map(nested)),
  });
  const data = fc.record(
    {
      tools: fc.array(tool, { maxLength: 3 }),
      "conclave.protocol": fc.constantFrom("native" as const, "none" as const),
      "conclave.left_out": fc.array(text, { maxLength: 2 }),
    },
    { requiredKeys: ["tools", "conclave.protocol"] },
  );

  it("is the same for a list of tools however often agents were told of it, whatever stands in it", () => {
    fc.assert(
      fc.property(data, fc.array(text, { minLength: 2, maxLength: 3 }), (schema, agents) => {
        for (const agent of agents) {
          const event = told(schema, agent);
          assert.equal(eventLine(event), jsonForLog(event));
        }
      }),
    );
  });

  it("is cut where a description is longer than the log keeps, as everywhere else", () => {
    const description = "long ".repeat(60_000);
    const event = told(
      { tools: [{ name: "long", description, parameters: {} }], "conclave.protocol": "native" },
      "default",
    );
    assert.match(eventLine(event), /characters kept in the trace/);
    assert.equal(eventLine(event), jsonForLog(event));
  });

  it("holds what stands there in the place of a list that was forgotten", () => {
    const event = told({ tools: "[forgotten]" as never, "conclave.protocol": "native" }, "default");
    assert.equal(eventLine(event), jsonForLog(event));
  });
});
