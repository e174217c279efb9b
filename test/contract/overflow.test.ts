import assert from "node:assert/strict";
import type { ChatMessage } from "../../src/agent/models/types.ts";
import { of, turnOn, warned } from "./product.ts";
import { contract } from "./targets.ts";

const NUM_CTX = 2_048;

/** Turns of an earlier conversation, as a chat brings them along. */
function past(turns: number, answer: (turn: number) => string): readonly ChatMessage[] {
  return Array.from({ length: turns }, (_, turn): ChatMessage[] => [
    { role: "user", content: `What about harbour ${turn}?` },
    { role: "assistant", content: answer(turn) },
  ]).flat();
}

contract("a conversation that is too long", (target) => {
  const settings = { contextLength: NUM_CTX, maxOutputTokens: 32 };

  it("is summed up by the model, and what is sent fits: nothing is cut without a word", async () => {
    const history = past(
      40,
      (turn) => `Harbour ${turn} is open to the north. ${"It is deep enough. ".repeat(8)}`,
    );
    const { events, end } = await turnOn(target, { settings }, { history });
    assert.ok(["answered", "empty_answer"].includes(end.data.error?.code ?? end.data.outcome));
    const compacted = of(events, "context.compacted");
    const summary = compacted.find(({ data }) => data.how === "summary");
    assert.ok(summary, JSON.stringify(compacted));
    // A model that has nothing to say of it is no reason to fail: the oldest turns are left out then.
    if (summary.data.error === undefined) assert.notEqual(summary.data.summary, "");
    else assert.ok(compacted.some(({ data }) => data.how === "turns"));
    assert.deepEqual(warned(events, "prompt_truncated"), []);
    for (const { data } of of(events, "model.end")) {
      assert.ok((data["gen_ai.usage.input_tokens"] ?? 0) <= NUM_CTX);
      assert.equal(data.error, undefined);
    }
  });

  it("of which the server counts more tokens than were estimated is made smaller and sent again", async () => {
    // A digit is a token of its own to this model.
    const digits = (turn: number): string => `${turn} `.padEnd(300, "7390 18264 ");
    const own = { ...settings, budget: { summary: false } };
    const { events, end } = await turnOn(target, { settings: own }, { history: past(24, digits) });
    assert.ok(["answered", "empty_answer"].includes(end.data.error?.code ?? end.data.outcome));
    assert.ok(of(events, "context.compacted").some(({ data }) => data.how === "turns"));
    assert.deepEqual(warned(events, "prompt_truncated"), []);
  });

  it("is refused with numbers when the question alone is too long", async () => {
    const question = "Is this harbour deep enough? ".repeat(400);
    const { end } = await turnOn(target, { settings }, { question });
    assert.equal(end.data.error?.code, "context_overflow");
    assert.match(end.data.error.message, /about \d+ tokens.*context of 2048 tokens/u);
  });
});
