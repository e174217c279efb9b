import assert from "node:assert/strict";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import type { ChatMessage, ModelUsage } from "../../../../src/agent/models/types.ts";
import { RequestFinder } from "../../../../src/trace/request/source.ts";
import type { PrefixView } from "../../../../src/trace/request/types.ts";
import { openRequest } from "../../../../src/trace/request/view.ts";
import { TurnScript } from "../support/turn-script.ts";

const RULES: ChatMessage = { role: "system", content: "word ".repeat(2_000) };

function user(content: string): ChatMessage {
  return { role: "user", content };
}

/** What the last of some requests says of its prompt: each with its messages, what it cost, and its model. */
function last(
  ...requests: readonly (readonly [readonly ChatMessage[], ModelUsage, string?])[]
): PrefixView | undefined {
  const events: TurnEvent[] = [];
  const script = new TurnScript((event) => events.push(event));
  for (const [messages, usage, model] of requests)
    script.ask(messages, model).wait(10).reply({ content: "x", usage }).stepEnd();
  const start = events.findLast((event) => event.type === "model.start");
  const finder = new RequestFinder(script.turnId, start?.id ?? "");
  for (const event of events) if (finder.take(event)) break;
  const found = finder.found();
  assert.ok(found !== undefined);
  return openRequest(found).view.prefix;
}

const COLD: ModelUsage = { inputTokens: 3_000, promptMs: 3_000 };

describe("what a server read again", () => {
  it("is said where a prompt that it had read took as long as reading it", () => {
    const prefix = last(
      [[RULES, user("a")], COLD],
      [[RULES, user("b")], { inputTokens: 3_010, promptMs: 2_900 }],
    );
    assert.equal(prefix?.sameMessages, 1);
    assert.ok(prefix.sameTokens > 2_900);
    assert.equal(prefix.readAgain?.promptMs, 2_900);
    assert.equal(prefix.readAgain.loaded, false);
  });

  it("is not said where it took a moment, where all was new, or where nothing was measured", () => {
    const quick = last(
      [[RULES, user("a")], COLD],
      [[RULES, user("b")], { inputTokens: 3_010, promptMs: 90 }],
    );
    assert.equal(quick?.readAgain, undefined);
    const fresh = last([[user("a")], COLD], [[RULES, user("b")], COLD]);
    assert.equal(fresh?.readAgain, undefined);
    const silent = last([[RULES, user("a")], COLD], [[RULES, user("b")], { inputTokens: 3_010 }]);
    assert.equal(silent?.readAgain, undefined);
  });

  it("is not said of a long addition, which takes its time", () => {
    const added = user("more ".repeat(4_000));
    const prefix = last(
      [[RULES, user("a")], COLD],
      [[RULES, user("a"), added], { inputTokens: 9_000, promptMs: 6_200 }],
    );
    assert.equal(prefix?.readAgain, undefined);
  });

  it("names a model that was loaded anew as the cause", () => {
    const usage = { inputTokens: 3_010, promptMs: 2_900, loadMs: 8_000 };
    assert.equal(last([[RULES, user("a")], COLD], [[RULES, user("b")], usage])?.readAgain?.loaded, true);
  });

  it("goes by what was sent to the same model", () => {
    const prefix = last(
      [[RULES, user("a")], COLD, "one"],
      [[user("other")], COLD, "two"],
      [[RULES, user("a"), user("b")], { inputTokens: 3_010, promptMs: 90 }, "one"],
    );
    assert.deepEqual([prefix?.sameMessages, prefix?.messages, prefix?.place], [2, 3, undefined]);
  });

  it("shows the words that differ", () => {
    const prefix = last([[user("keep the cache")], COLD], [[user("drop the cache")], COLD]);
    const words = prefix?.place?.words.map(({ kind, text }) => `${kind} ${text.trim()}`);
    assert.deepEqual(words, ["removed keep", "added drop", "same the cache"]);
  });
});
