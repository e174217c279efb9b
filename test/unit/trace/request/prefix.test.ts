import assert from "node:assert/strict";
import fc from "fast-check";
import type { ChatMessage } from "../../../../src/agent/models/types.ts";
import { lengthOf, prefixDifference } from "../../../../src/trace/request/prefix.ts";

const text = fc.string({ maxLength: 30 });
const message: fc.Arbitrary<ChatMessage> = fc.oneof(
  text.map((content): ChatMessage => ({ role: "user", content })),
  fc.tuple(text, text).map(([content, thinking]): ChatMessage => ({ role: "assistant", content, thinking })),
  text.map((content): ChatMessage => ({ role: "tool", toolName: "t", toolCallId: "1", content })),
);

function user(content: string): ChatMessage {
  return { role: "user", content };
}

describe("how a request begins like the one before it", () => {
  it("is wholly, where it only adds to it", () => {
    fc.assert(
      fc.property(fc.array(message), fc.array(message), (before, added) => {
        const after = [...structuredClone(before), ...added];
        const found = prefixDifference(before, after);
        assert.equal(found.place, undefined);
        assert.equal(found.sameMessages, before.length);
        const same = before.reduce((sum, one) => sum + lengthOf(one), 0);
        assert.equal(found.sameCharacters, same);
      }),
    );
  });

  it("ends exactly at the first sign that differs, wherever that is", () => {
    fc.assert(
      fc.property(
        fc.array(message),
        text,
        text,
        text,
        fc.array(message),
        (shared, same, one, other, rest) => {
          const before = [...shared, user(`${same}<${one}`)];
          const after = [...structuredClone(shared), user(`${same}>${other}`), ...rest];
          const found = prefixDifference(before, after);
          assert.equal(found.sameMessages, shared.length);
          assert.equal(found.place?.message, shared.length);
          const characters = shared.reduce((sum, each) => sum + lengthOf(each), 0);
          assert.equal(found.sameCharacters, characters + same.length);
        },
      ),
    );
  });

  it("says when messages that were there are no longer sent", () => {
    const found = prefixDifference([user("a"), user("b")], [user("a")]);
    assert.deepEqual([found.place?.what, found.place?.message, found.place?.before], ["missing", 1, "b"]);
  });

  it("heeds roles, the tool a result is of, thinking and calls", () => {
    const call = { id: "1", name: "look", arguments: { at: 1 } };
    const pairs: readonly (readonly [ChatMessage, ChatMessage, string])[] = [
      [user("a"), { role: "system", content: "a" }, "role"],
      [
        { role: "tool", toolName: "t", toolCallId: "1", content: "a" },
        { role: "tool", toolName: "u", toolCallId: "1", content: "a" },
        "role",
      ],
      [{ role: "assistant", content: "a", thinking: "hm" }, { role: "assistant", content: "a" }, "thinking"],
      [
        { role: "assistant", content: "a", toolCalls: [call] },
        { role: "assistant", content: "a", toolCalls: [{ ...call, arguments: { at: 2 } }] },
        "tool calls",
      ],
    ];
    for (const [one, other, what] of pairs) assert.equal(prefixDifference([one], [other]).place?.what, what);
  });

  it("shows of a long text only what is around the place, and says how much is left out before it", () => {
    const long = "word ".repeat(20_000);
    const found = prefixDifference([user(`${long}old end`)], [user(`${long}new end`)]);
    assert.ok(found.place !== undefined && found.place.before.length <= 1_200);
    assert.ok(found.place.before.endsWith("old end"));
    assert.equal(found.place.skipped, found.sameCharacters - 200);
  });

  it("shows both texts to the same place where they go on alike, so that only the change differs", () => {
    const end = " and on".repeat(1_000);
    const place = prefixDifference([user(`It is Monday${end}`)], [user(`It is Tuesday${end}`)]).place;
    assert.ok(place !== undefined && place.after.length <= 1_200);
    assert.equal(place.before.replace("Monday", "Tuesday"), place.after);
  });

  it("is found in a moment for requests of a megabyte", () => {
    const many = Array.from({ length: 2_000 }, (_, index) => user(`${index} ${"x".repeat(500)}`));
    const changed = [...structuredClone(many.slice(0, -1)), user("other")];
    assert.notEqual(prefixDifference(many, changed).place, undefined);
  });
});
