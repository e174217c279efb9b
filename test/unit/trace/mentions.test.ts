import assert from "node:assert/strict";
import fc from "fast-check";
import { Mention } from "../../../src/trace/mentions.ts";

describe("a mention", () => {
  it("is of whole words, in any case and over any white space", () => {
    const anna = new Mention("anna  Karin");
    for (const text of ["Anna Karin", "so says ANNA\nkarin.", "(anna\tkarin)"])
      assert.ok(anna.isIn(text), text);
    for (const text of ["Hanna Karin", "anna karina", "anna, karin", "anna"])
      assert.equal(anna.isIn(text), false, text);
  });

  it("takes signs as they are written, and letters of all scripts", () => {
    assert.ok(new Mention("O'Malley").isIn("Dr O'Malley said"));
    assert.ok(new Mention("c++").isIn("we use C++ here"));
    assert.ok(new Mention('it\'s "fine" -- 100 %').isIn('he said it\'s "fine" -- 100 % sure'));
    assert.ok(new Mention("Zoë").isIn("Zoe\u0308 was here"));
    assert.equal(new Mention("a.c").isIn("abc"), false);
  });

  it("is nowhere when there are no words", () => {
    for (const words of ["", "  \n"]) {
      assert.equal(new Mention(words).isIn("anything"), false);
      assert.equal(new Mention(words).mayBeIn("anything"), false);
    }
  });

  it("is never missed by the quick look at a line of JSON", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.string(), (words, around) => {
        const text = `${around} ${words} ${around}`;
        const mention = new Mention(words);
        fc.pre(mention.isIn(text));
        assert.ok(mention.mayBeIn(JSON.stringify({ data: { text } })));
      }),
      { seed: 11 },
    );
  });

  it("breaks on no words, whatever they are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (words) => {
        new Mention(words).isIn(words);
      }),
      { seed: 12 },
    );
  });
});
