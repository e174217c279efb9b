import assert from "node:assert/strict";
import fc from "fast-check";
import { areAlike, diffWords, type WordRun } from "../../../src/trace/word-diff.ts";

const textOf = (runs: readonly WordRun[], without: WordRun["kind"]): string =>
  runs
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join("");

describe("differences word by word", () => {
  it("name the words that went and those that came in their place", () => {
    assert.deepEqual(diffWords("keep the cache in process", "keep the cache in Redis"), [
      { kind: "same", text: "keep the cache in " },
      { kind: "removed", text: "process" },
      { kind: "added", text: "Redis" },
    ]);
  });

  it("find several changes in one text", () => {
    const runs = diffWords("a b c d e f g", "a x c d y f g");
    assert.deepEqual(
      runs.filter(({ kind }) => kind !== "same").map(({ text }) => text),
      ["b", "x", "e", "y"],
    );
  });

  it("are none between equal texts", () => {
    assert.deepEqual(diffWords("", ""), []);
    assert.deepEqual(diffWords("as it was", "as it was"), [{ kind: "same", text: "as it was" }]);
  });

  it("lose and add nothing, whatever the texts", () => {
    const word = fc.constantFrom("cache", "the ", " ", "\n", "é", "😀", "日本", "don't", "```", "a,b");
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const runs = diffWords(before, after);
        assert.equal(textOf(runs, "added"), before);
        assert.equal(textOf(runs, "removed"), after);
        assert.ok(runs.every(({ text: some }) => some !== ""));
      }),
    );
  });

  it("stay whole for texts that are long and share nothing", () => {
    const before = Array.from({ length: 30_000 }, (_, index) => `a${index}`).join(" ");
    const after = Array.from({ length: 30_000 }, (_, index) => `b${index}`).join(" ");
    assert.deepEqual(
      diffWords(before, after).map(({ kind }) => kind),
      ["removed", "added"],
    );
  });

  it("say something only of texts that have enough in common", () => {
    const alike = (before: string, after: string): boolean => areAlike(diffWords(before, after));
    assert.ok(alike("keep the cache in process", "keep the cache in Redis"));
    assert.ok(alike("", ""));
    assert.ok(!alike("What did we decide about the cache?", "Who is the owner of this service?"));
    assert.ok(!alike("今日は雨です", "明日晴れるか"));
    assert.ok(!alike("", "all of it is new"));
  });
});
