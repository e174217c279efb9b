import assert from "node:assert/strict";
import fc from "fast-check";
import { hasChanged, readSpeech, readVote } from "../../../../src/agent/committee/speech.ts";
import {
  likenesses,
  nothingNew,
  sameView,
  voteKey,
  wordsOf,
} from "../../../../src/agent/committee/similarity.ts";
import { lettersFor } from "../../../../src/agent/committee/material.ts";
import { verdictOf } from "../../../../src/agent/committee/verdict.ts";

describe("what is read out of a speech", () => {
  const changes: readonly (readonly [string, boolean | undefined, string | undefined])[] = [
    ["Tuesday.\nPosition changed because: the hall is free.", true, "the hall is free."],
    ["Tuesday.\n\n**Position changed because:** the hall is free.", true, "the hall is free."],
    ["Tuesday.\n> *Position has changed: the hall is free*", true, "the hall is free"],
    ["Tuesday.\nMy position changed because\nthe hall is free.", true, "the hall is free."],
    ["Tuesday.\nPosition changed.", true, undefined],
    ["Tuesday.\nPosition changed because: n/a", false, undefined],
    ["Tuesday.\nPosition kept.", false, undefined],
    ["Tuesday.\n**Position unchanged.**", false, undefined],
    ["Tuesday.\nPosition remains the same.", false, undefined],
    ["Their position changed because of us, I hear.\nSo what?\n1\n2\n3\n4\n5", undefined, undefined],
  ];
  for (const [text, changed, reason] of changes) {
    it(`is a change or none: ${JSON.stringify(text)}`, () => {
      const { change } = readSpeech(text);
      assert.deepEqual([change?.changed, change?.reason], [changed, reason]);
    });
  }

  it("is the position in one line, however it is decorated, and never the line on its change", () => {
    for (const line of [
      "Position: go early",
      "**Position:** go early",
      "## Final position: go early",
      "- *Position*: go early.",
    ]) {
      assert.match(readSpeech(`${line}\nBecause.`).view, /^go early\.?$/u);
    }
    assert.equal(readSpeech("Go early.\nPosition kept.").view, "Go early.");
  });

  it("is a change by its text where it says nothing of one", () => {
    assert.ok(hasChanged(readSpeech("Position: Tuesday"), readSpeech("Position: Thursday")));
    assert.ok(!hasChanged(readSpeech("Position: On Tuesday!"), readSpeech("Position: Tuesday")));
  });

  it("is a sample's vote from its last line, else all of it", () => {
    assert.equal(readVote("Seven times six.\n\n**Answer:** 42"), "42");
    assert.equal(readVote("Answer: 41? No.\nAnswer: 42."), "42.");
    assert.equal(readVote("Forty-two."), "Forty-two.");
  });
});

describe("how alike answers are", () => {
  const likeness = (one: string, other: string): number => likenesses([one, other])[0]?.[1] ?? 0;

  it("is told by their words: the same in other words' order, not the opposite, not another number", () => {
    assert.ok(sameView(likeness("Use the early ferry", "The early ferry: use it!")));
    assert.ok(!sameView(likeness("Use the early ferry", "Do not use the early ferry")));
    assert.ok(!sameView(likeness("Leave at 9 from Oban pier", "Leave at 11 from Oban pier")));
    assert.ok(!sameView(likeness("Tuesday", "Thursday")));
  });

  it("is nothing for texts without words, and never not a number", () => {
    for (const text of ["", "?!", "...", "日本語の答え"]) {
      const value = likeness(text, "Tuesday");
      assert.ok(value >= 0 && value <= 1, text);
    }
  });

  it("goes by the same words in plain English as in every other script", () => {
    const segmenter = new Intl.Segmenter("en", { granularity: "word" });
    const signs = fc.constantFrom(..."abz019 _'.,;:-!\"\n".split(""));
    fc.assert(
      fc.property(fc.string({ unit: signs, maxLength: 12 }), (text) => {
        const segments = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike);
        assert.deepEqual(
          wordsOf(text),
          segments.map(({ segment }) => segment),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it("lets equal votes be equal whatever their case, marks and filling words", () => {
    assert.equal(voteKey("On Tuesday."), voteKey("**tuesday**"));
    assert.equal(voteKey("Yes!"), voteKey("yes"));
    assert.notEqual(voteKey("Tuesday"), voteKey("not Tuesday"));
  });

  it("finds nothing new in the same said again, but does in another number or a no", () => {
    assert.ok(nothingNew("The hall, at noon. @Bo, do you agree?", "At noon, the hall."));
    assert.ok(nothingNew("@Ana, thank you, and you?", "The garden."));
    assert.ok(!nothingNew("At 11 in the hall", "At 12 in the hall"));
    assert.ok(!nothingNew("Not in the hall", "In the hall"));
    assert.ok(!nothingNew("In the garden", "In the hall"));
  });
});

describe("the verdict without a model", () => {
  const counted = (...views: readonly string[]) =>
    views.map((view, index) => ({ agent: `m${index + 1}`, answer: `Position: ${view}`, view }));

  it("is a majority only where more than half hold the same", () => {
    const held = verdictOf(counted("Tuesday", "on Tuesday", "Friday"));
    assert.deepEqual(held.majority?.agents, ["m1", "m2"]);
    assert.deepEqual(held.minority, [{ agent: "m3", answer: "Friday" }]);
    for (const views of [["Tuesday", "Friday"], ["Tuesday", "Tuesday", "Friday", "Friday"], ["Tuesday"]]) {
      assert.equal(verdictOf(counted(...views)).majority, undefined);
    }
  });

  it("always has a best answer where there is one at all", () => {
    assert.equal(verdictOf(counted("Tuesday")).best?.by, "the only answer");
    assert.equal(verdictOf(counted("Tuesday", "Friday")).best?.agent, "m1");
    assert.deepEqual(verdictOf([]), { minority: [] });
  });
});

describe("the letters of a committee", () => {
  const names = ["Ana", "Bo", "Cy", "Dee", "Eve"];

  it("are the same for the same turn, and in no order over many turns", () => {
    const shown = (turn: string): string => [...lettersFor(names, turn).keys()].join(" ");
    assert.equal(shown("turn 1"), shown("turn 1"));
    const firsts = new Set(Array.from({ length: 60 }, (_, turn) => shown(`turn ${turn}`).split(" ")[0]));
    assert.equal(firsts.size, names.length);
  });
});
