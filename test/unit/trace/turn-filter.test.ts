import assert from "node:assert/strict";
import fc from "fast-check";
import type { TurnSummary } from "../../../src/trace/summary.ts";
import { fits, isEmpty, readFilter, STANDINGS, wordsToFind } from "../../../src/trace/turn-filter.ts";

const ROW: TurnSummary = {
  sessionId: "7d444840-9dc0-11d1-b245-5ffdce74fad2",
  turnId: "t1",
  parentTurnId: null,
  time: 0,
  agent: "conclave",
  door: "panel",
  question: "What did we decide about the cache?",
  answer: "Keep it in process.",
  thinking: true,
  toolCalls: 2,
  tools: ["search_memory", "web_fetch"],
  agents: ["Skeptic", "Evidence Seeker"],
  model: "tide:8b",
  inputTokens: 10,
  outputTokens: 5,
  durationMs: 100,
  status: "answered",
  error: null,
  grade: 3,
  feedback: "down",
};

const finds = (typed: string, row: TurnSummary = ROW): boolean => {
  const filter = readFilter(typed);
  return fits(row, filter) && wordsToFind(row, filter).length === 0;
};

describe("the filter of turns", () => {
  it("finds words of question and answer, in any case and order", () => {
    assert.ok(finds("PROCESS cache"));
    assert.ok(finds('"about the cache"'));
    assert.ok(!finds('"cache the about"'));
  });

  it("finds turns by a tool that was called, and by who worked on them", () => {
    assert.ok(finds("tool:web"));
    assert.ok(!finds("tool:web_search"));
    assert.ok(finds('persona:"evidence seeker" agent:skeptic'));
    assert.ok(!finds("persona:pragmatist"));
    assert.ok(finds("model:tide door:panel"));
  });

  it("compares grades", () => {
    const found = ["grade:3", "grade:>=3", "grade:<4", "grade:<=3", "grade:2-4"];
    const not = ["grade:4", "grade:>3", "grade:<3", "grade:4-5"];
    assert.deepEqual(
      [...found, ...not].filter((typed) => finds(typed)),
      found,
    );
    assert.ok(!finds("grade:>=1", { ...ROW, grade: null }), "an ungraded turn has none");
  });

  it("tells how turns stand", () => {
    assert.deepEqual(
      STANDINGS.filter((standing) => finds(`is:${standing}`)),
      ["answered", "disliked", "graded"],
    );
    const failed: TurnSummary = { ...ROW, status: "failed", error: "The model is gone.", fork: "t0" };
    assert.deepEqual(
      STANDINGS.filter((standing) => finds(`is:${standing}`, failed)),
      ["failed", "error", "disliked", "graded", "branch"],
    );
    const compared: TurnSummary = { ...ROW, grade: null, compared: "tie" };
    assert.deepEqual(
      STANDINGS.filter((standing) => finds(`is:${standing}`, compared)),
      ["answered", "disliked", "ungraded", "compared"],
    );
  });

  it("wants all that was typed at once", () => {
    assert.ok(finds("tool:web_fetch grade:<4 cache"));
    assert.ok(!finds("tool:web_fetch grade:<3 cache"));
  });

  it("looks for what is no key as it stands", () => {
    const row = { ...ROW, question: "Open https://example.org/a and grade:x" };
    assert.ok(finds("https://example.org/a", row));
    assert.ok(finds("grade:x", row));
    assert.ok(isEmpty(readFilter("  ")));
  });

  it("asks for nothing yet while a value is still to be typed behind a key", () => {
    for (const typed of ["tool:", "is:", "Grade:", 'persona:"', "cache tool:"])
      assert.ok(finds(typed), typed);
    assert.ok(!finds("constructor:"), "no key: a word that is looked for");
  });

  it("takes anything one can type", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (typed) => {
        assert.equal(typeof finds(typed), "boolean");
      }),
    );
  });
});
