import assert from "node:assert/strict";
import fc from "fast-check";
import { JsonFields } from "../../../../src/agent/protocols/json-fields.ts";
import { chunked } from "./support.ts";

function answerOf(pieces: readonly string[]): string {
  const fields = new JsonFields(["answer"]);
  const found = [...pieces.flatMap((piece) => fields.push(piece)), ...fields.finish()];
  return found.map((piece) => piece.text).join("");
}

describe("a string field of JSON that is still being written", () => {
  it("is given as it grows, before its closing quote", () => {
    const fields = new JsonFields(["answer"]);
    assert.deepEqual(fields.push('{"thought": "x", "answer": "High'), [{ field: "answer", text: "High" }]);
    assert.deepEqual(fields.push(" water"), [{ field: "answer", text: " water" }]);
    assert.equal(fields.has("answer"), true);
  });

  it("comes out as JSON.parse would give it, wherever it is cut", () => {
    const anyJson = fc.record({
      before: fc.jsonValue({ maxDepth: 3 }),
      answer: fc.string({ unit: "grapheme" }),
      after: fc.jsonValue({ maxDepth: 2 }),
    });
    const escaped = (text: string): string =>
      text.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
    fc.assert(
      fc.property(anyJson, fc.array(fc.nat({ max: 400 })), fc.boolean(), (value, cuts, isEscaped) => {
        const json = JSON.stringify(value, null, isEscaped ? 1 : 0);
        const text = isEscaped ? escaped(json) : json;
        assert.equal(answerOf(chunked(text, cuts)), value.answer.toWellFormed());
      }),
    );
  });

  it("keeps the halves of a surrogate pair together", () => {
    const fields = new JsonFields(["answer"]);
    assert.deepEqual(fields.push('{"answer":"\\ud83d'), []);
    assert.deepEqual(fields.push("\\ude80"), [{ field: "answer", text: "🚀" }]);
  });

  it("never gives half a surrogate pair", () => {
    assert.equal(answerOf(['{"answer":"a\\ud83d', 'b\\ude80"}']), "a\ufffdb\ufffd");
    assert.equal(answerOf(['{"answer":"a\\ud83d']), "a\ufffd");
  });

  it("is not taken from an inner object, a string that looks like it, or a second time", () => {
    assert.equal(
      answerOf(['{"a": {"answer": "no"}, "b": "\\"answer\\": \\"no\\"", "answer": "yes"}']),
      "yes",
    );
    assert.equal(answerOf(['{"answer": "yes", "answer": "no"}']), "yes");
    assert.equal(answerOf(['{"answer": "yes"} {"answer": "no"}']), "yes");
  });
});
