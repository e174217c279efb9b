import assert from "node:assert/strict";
import fc from "fast-check";
import { composed, extended, madeOf, withoutParts } from "../../../../src/agent/message-parts.ts";
import type { ChatMessage, PartSource } from "../../../../src/agent/models/types.ts";
import { segmentsOf } from "../../../../src/trace/request/segments.ts";

const source = fc.constantFrom<PartSource>("rules", "memory", "question", "others", "persona", "form");
const piece = fc.record({ source, text: fc.string({ unit: "binary", maxLength: 40 }) });

/** A message as a log may hold it: with parts that fit, that don't, or that are no parts at all. */
const message: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("system" as const, "user" as const),
      fc.array(piece, { minLength: 1, maxLength: 6 }),
    )
    .map(([role, pieces]) => composed(role, pieces)),
  fc
    .tuple(fc.string(), fc.anything())
    .map(([content, parts]) => ({ role: "user", content, parts }) as unknown as ChatMessage),
  fc
    .tuple(fc.string(), fc.array(fc.record({ source, length: fc.integer({ min: -2, max: 9 }) })))
    .map(([content, parts]): ChatMessage => ({ role: "system", content, parts })),
  fc.string().map((content): ChatMessage => ({ role: "assistant", content })),
  fc.string().map((content): ChatMessage => ({ role: "tool", content, toolName: "t", toolCallId: "1" })),
);

function sourcesOf(messages: readonly ChatMessage[], question?: string): string[] {
  return segmentsOf(messages, question).map((own) => own.map((segment) => segment.source).join("+"));
}

describe("the pieces of a request", () => {
  it("make up each message's whole content, whatever a log says of it", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), fc.string(), (messages, question) => {
        const segments = segmentsOf(messages, question);
        assert.equal(segments.length, messages.length);
        for (const [index, own] of segments.entries()) {
          let at = 0;
          for (const { start, length } of own) {
            assert.equal(start, at);
            assert.ok(length >= 0);
            at += length;
          }
          assert.equal(at, messages[index]?.content.length);
        }
      }),
    );
  });

  it("are found by role and place where nobody said where they came from", () => {
    const messages: readonly ChatMessage[] = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Earlier?" },
      { role: "assistant", content: "Yes." },
      { role: "user", content: "[files]\n\nNow?" },
      { role: "assistant", content: "", toolCalls: [{ id: "1", name: "look", arguments: {} }] },
      { role: "tool", toolName: "look", toolCallId: "1", content: "14:10" },
      { role: "user", content: "No more tools can be called." },
    ];
    const expected = ["rules", "history", "history", "question", "reply", "result", "note"];
    assert.deepEqual(sourcesOf(messages, "Now?"), expected);
  });

  it("are history where a protocol tells the results of earlier turns in words", () => {
    const messages = [madeOf("user", "result", "[Result of look]"), madeOf("user", "question", "Now?")];
    assert.deepEqual(sourcesOf([...messages, madeOf("user", "result", "x")]), [
      "history",
      "question",
      "result",
    ]);
  });

  it("count a summary's assent to the summary", () => {
    const messages: readonly ChatMessage[] = [
      madeOf("user", "summary", "[Summary]"),
      { role: "assistant", content: "I have read the summary and go on from it." },
      { role: "user", content: "Earlier?" },
      { role: "assistant", content: "Yes." },
      madeOf("user", "question", "Now?"),
    ];
    assert.deepEqual(sourcesOf(messages), ["summary", "summary", "history", "history", "question"]);
  });
});

describe("a prompt's message", () => {
  it("tells of every character of it where it came from, and reads as it did without", () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.array(piece), (pieces, tail) => {
        const begun = composed("user", pieces);
        assert.equal(begun.content, pieces.map(({ text }) => text).join("\n\n"));
        const whole = extended(begun, tail);
        const behind = tail
          .map(({ text }) => text)
          .filter((text) => text.trim() !== "")
          .join("\n\n")
          .trim();
        const expected = behind === "" ? begun.content : `${begun.content}\n\n${behind.toWellFormed()}`;
        assert.equal(whole.content, expected);
        const length = whole.parts?.reduce((sum, part) => sum + part.length, 0);
        assert.equal(length, whole.content.length);
      }),
    );
  });

  it("is the very same one when nothing is put behind it", () => {
    const question = madeOf("user", "question", "Why?");
    assert.equal(extended(question, [{ source: "persona", text: " \n" }]), question);
  });

  it("is kept in a conversation without them", () => {
    assert.deepEqual(withoutParts(madeOf("user", "question", "Why?")), { role: "user", content: "Why?" });
    const assistant: ChatMessage = { role: "assistant", content: "So." };
    assert.equal(withoutParts(assistant), assistant);
  });
});
