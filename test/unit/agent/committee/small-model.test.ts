import assert from "node:assert/strict";
import type { ChatRequest } from "../../../../src/agent/models/types.ts";
import { answers, playModel } from "../support.ts";
import { committeeEngine, convene, persona } from "./bed.ts";

/** What each request to the model ended with. */
const lastOf = ({ messages }: ChatRequest): string => messages.at(-1)!.content;

describe("a committee of a small model", () => {
  it("is told of the question last, of its part in its own words, and nothing of committees", async () => {
    const model = playModel([answers("Position: yes\nIt helps.")], {
      ...{ parameters: 1.5e9, capabilities: ["completion"] },
    });
    const engine = committeeEngine({ personas: [persona("Ana"), persona("Bo")], models: [model] });
    const { end } = await convene(engine, {}, {}, "Shall we move?");
    assert.equal(end.data.outcome, "answered");
    const spoken = model.requests.filter(({ format }) => format === undefined).map(lastOf);
    assert.ok(spoken.length >= 3, "two members and who sums up");
    for (const text of spoken) {
      assert.match(text, /^Shall we move\?/);
      assert.match(text, /Answer the question "Shall we move\?" in a few sentences\.$/);
      assert.doesNotMatch(text, /committee|Your part in this/i);
    }
    assert.match(spoken[0]!, /Begin with one line `Position: `[^]*You are Ana\./);
  });
});
