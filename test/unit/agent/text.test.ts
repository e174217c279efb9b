import assert from "node:assert/strict";
import fc from "fast-check";
import { cutResult, groupsToDrop, textTokens } from "../../../src/agent/context.ts";
import { cutAtGrapheme, wellFormed } from "../../../src/agent/text.ts";

const graphemes = (text: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].map((part) => part.segment);

const mixed = fc
  .array(fc.constantFrom("a", " ", "é", "e\u0301", "🚀", "👩‍🚀", "🇳🇴", "\r\n", "नि", "한"), { maxLength: 200 })
  .map((parts) => parts.join(""));

describe("cutting a text", () => {
  it("leaves an emoji whole, with its joiners", () => {
    const text = `${"x".repeat(10)}👩‍🚀 end`;
    for (let limit = 11; limit < 15; limit += 1) assert.equal(cutAtGrapheme(text, limit), "x".repeat(10));
    assert.equal(cutAtGrapheme(text, 15), `${"x".repeat(10)}👩‍🚀`);
  });

  it("gives the longest beginning that ends between graphemes", () => {
    fc.assert(
      fc.property(mixed, fc.nat(250), (text, limit) => {
        let expected = "";
        for (const part of graphemes(text)) {
          if (expected.length + part.length > limit) break;
          expected += part;
        }
        assert.equal(cutAtGrapheme(text, limit), expected);
      }),
    );
  });

  it("is valid text however far from its beginning the cut is", () => {
    const long = "👩‍🚀".repeat(400);
    for (const limit of [255, 256, 257, 999, 1_001]) {
      const cut = cutAtGrapheme(long, limit);
      assert.ok(cut.isWellFormed() && cut.length <= limit && cut.length > limit - 10);
    }
  });

  it("replaces half a sign by the sign for it", () => {
    assert.equal(wellFormed("a\ud83d"), "a\ufffd");
    assert.equal(wellFormed("🚀"), "🚀");
  });
});

describe("the room in a context", () => {
  it("is estimated by bytes, so that other scripts than Latin are not underrated", () => {
    assert.equal(textTokens("abcdefg"), 2);
    assert.ok(textTokens("日本語日本語日") >= 6);
  });

  it("goes to the newest turns; the oldest are dropped as wholes", () => {
    const turn = (length: number) => [{ role: "user" as const, content: "x".repeat(length) }];
    const turns = [turn(350), turn(350), turn(350)];
    assert.equal(groupsToDrop(turns, 1_000), 0);
    assert.equal(groupsToDrop(turns, 230), 2, "more than must, so that the next cut is far");
    assert.equal(groupsToDrop(turns, 120), 2);
    assert.equal(groupsToDrop(turns, 0), 3);
  });

  it("cuts a result that takes too much, and tells the model how much it was given", () => {
    const { text, cut } = cutResult("y".repeat(10_000), 1_000);
    assert.equal(cut?.of, 10_000);
    assert.match(text, new RegExp(`\\[cut: ${cut.kept} of 10000 characters`));
    assert.ok(textTokens(text) < 1_100);
    assert.deepEqual(cutResult("short", 1_000), { text: "short" });
  });
});
