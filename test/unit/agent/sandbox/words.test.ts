import assert from "node:assert/strict";
import fc from "fast-check";
import { hearingOf } from "../../../../src/agent/sandbox/hearing.ts";
import type { SandboxLine } from "../../../../src/agent/sandbox/types.ts";
import { countWords, cutAtSentence, filled, withoutName } from "../../../../src/agent/sandbox/words.ts";

const RUNS = { seed: 11, numRuns: 300 };

/** What was said so far among some personas, who speak in turn. */
const talks = fc.record({
  speakers: fc.integer({ min: 2, max: 5 }),
  said: fc.integer({ min: 0, max: 20 }),
  historyWindow: fc.integer({ min: 0, max: 12 }),
});

function linesOf(speakers: number, said: number): readonly SandboxLine[] {
  const opening: SandboxLine = { round: 0, speaker: "opening", model: "", role: "user", content: "Begin." };
  const lines = Array.from({ length: said }, (_, at): SandboxLine => ({
    round: Math.floor(at / speakers) + 1,
    speaker: `P${at % speakers}`,
    model: "tiny",
    role: "assistant",
    content: `line ${at}`,
  }));
  return [opening, ...lines];
}

describe("What a persona hears", () => {
  it("lets the roles take turns, the user first, wherever the window cuts", () => {
    fc.assert(
      fc.property(talks, ({ speakers, said, historyWindow }) => {
        const options = {
          name: `P${said % speakers}`,
          speakers,
          historyWindow,
          template: "{partner_message}",
        };
        const { turns, asked } = hearingOf(linesOf(speakers, said), options);
        const roles = turns.flatMap(({ messages }) => messages.map(({ role }) => role));
        assert.deepEqual(
          roles,
          roles.map((_, at) => (at % 2 === 0 ? "user" : "assistant")),
        );
        for (const { messages } of turns) assert.ok(messages.every(({ content }) => content !== ""));
        assert.notEqual(asked, "");
      }),
      RUNS,
    );
  });

  it("holds each line once at most, and all that was said since it spoke itself", () => {
    fc.assert(
      fc.property(talks, ({ speakers, said, historyWindow }) => {
        const options = {
          name: `P${said % speakers}`,
          speakers,
          historyWindow,
          template: "{partner_message}",
        };
        const { turns, asked } = hearingOf(linesOf(speakers, said), options);
        const all = [...turns.flatMap(({ messages }) => messages.map(({ content }) => content)), asked].join(
          "\n",
        );
        for (let at = 0; at < said; at += 1) {
          const times = all.split(new RegExp(`line ${at}\\b`, "u")).length - 1;
          assert.ok(times <= 1);
          if (at >= said - Math.min(speakers - 1, said)) assert.equal(times, 1);
        }
        assert.ok(all.split("Begin.").length <= 2);
      }),
      RUNS,
    );
  });
});

describe("A message that is too long", () => {
  it("is cut to a beginning of it with no more words than the limit", () => {
    const sentences = fc.array(
      fc.constantFrom("Ships sail. ", "Why? ", "日本語を話す。", "a b c d e f ", "\n\n", "…"),
      {
        minLength: 1,
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(sentences, fc.integer({ min: 1, max: 20 }), (parts, limit) => {
        const text = parts.join("");
        const cut = cutAtSentence(text, limit);
        assert.ok(countWords(cut) <= limit, cut);
        assert.ok(text.startsWith(cut.replace(/…$/u, "").trimEnd()) || text.startsWith(cut));
        if (countWords(text) > 0) assert.notEqual(cut.trim(), "");
      }),
      RUNS,
    );
  });

  it("is cut within its first sentence where that alone is too long", () => {
    assert.equal(cutAtSentence("one two three four five.", 3), "one two three…");
    assert.equal(cutAtSentence("One. Two three four.", 3), "One.");
  });
});

describe("The words around a message", () => {
  it("stand in the template wherever its place is, and behind it where it has none", () => {
    assert.equal(filled("A {partner_message} B {partner_message}", "$1"), "A $1 B $1");
    assert.equal(filled("Go on.", "Hello"), "Go on.\n\nHello");
    assert.equal(filled("  ", "Hello"), "Hello");
  });

  it("lose a name in front, and no other word", () => {
    for (const text of ["Mira: Hi.", "mira: Hi.", "**Mira**: Hi.", "**Mira:** Hi.", "[Mira]: Hi."])
      assert.equal(withoutName(text, "Mira"), "Hi.", text);
    for (const text of ["Mira says hi.", "Miranda: Hi.", "Hi Mira: hi."])
      assert.equal(withoutName(text, "Mira"), text);
    assert.equal(withoutName("A.+ (B): Hi.", "A.+ (B)"), "Hi.");
  });
});
