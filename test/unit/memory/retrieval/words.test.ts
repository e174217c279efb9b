import assert from "node:assert/strict";
import fc from "fast-check";
import { contentWords } from "../../../../src/memory/retrieval/words.ts";

describe("The words of a question", () => {
  it("are those it is about, not those that make it a question", () => {
    assert.deepEqual(contentWords("What did we decide about the cache?"), ["decide", "cache"]);
    assert.deepEqual(contentWords("Do you remember where Dara's boat is?"), ["dara", "boat"]);
  });

  it("are none when it is about nothing", () => {
    assert.deepEqual(contentWords("what is it?"), []);
    assert.deepEqual(contentWords(" ?! "), []);
  });

  it("keep letters of every script, and numbers", () => {
    assert.deepEqual(contentWords("Größe von 東京 2026?"), ["größe", "von", "東京", "2026"]);
  });

  it("are letters and digits only and of a bounded number, whatever is asked", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 9_000 }), (query) => {
        const words = contentWords(query);
        assert.ok(words.length <= 64);
        assert.ok(words.every((word) => /^[\p{L}\p{N}]+$/u.test(word)));
      }),
    );
    assert.equal(contentWords(Array.from({ length: 500 }, (_, index) => `w${index}`).join(" ")).length, 64);
  });
});
