import assert from "node:assert/strict";
import fc from "fast-check";
import { fitReferences, looksBinary, referenceBudget } from "../../../src/vscode/chat/reference-text.ts";

const reference = (label: string, text: string) => ({ label, uri: `file:///${label}`, text });

describe("attached files and selections", () => {
  it("are given whole when they fit", () => {
    const all = [reference("a.ts", "one"), reference("b.ts", "two")];
    assert.deepEqual(fitReferences(all, 100), { references: all, notes: [] });
  });

  it("cost a short selection nothing when a long file stands beside it", () => {
    const { references, notes } = fitReferences(
      [reference("long.ts", "line\n".repeat(1_000)), reference("sel.ts:3-4", "const a = 1;")],
      500,
    );
    assert.equal(references[1]?.text, "const a = 1;");
    assert.match(notes[0] ?? "", /^long\.ts: only the first \d+ of 5000 characters fit the context\.$/);
    assert.equal(notes.length, 1);
  });

  it("are cut at the end of a line", () => {
    const { references } = fitReferences([reference("a.ts", "first line\nsecond line\nthird")], 25);
    assert.equal(references[0]?.text, "first line\nsecond line\n");
  });

  it("count once when they were attached twice", () => {
    const twice = reference("a.ts", "one");
    assert.equal(fitReferences([twice, { ...twice }], 100).references.length, 1);
  });

  it("never take more than the budget, and stay well-formed, in the user's order", () => {
    const texts = fc.array(
      fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 60 }), (all, budget) => {
        const given = all.map((text, at) => reference(`f${at}`, text));
        const { references } = fitReferences(given, budget);
        const total = references.reduce((sum, one) => sum + one.text.length, 0);
        assert.ok(total <= budget, `${total} > ${budget}`);
        assert.ok(references.every((one) => one.text.isWellFormed()));
        assert.deepEqual(
          references.map((one) => one.label),
          given.map((one) => one.label),
        );
      }),
      { seed: 3 },
    );
  });

  it("may take what a context can hold at all", () => {
    assert.equal(referenceBudget(32_768), 131_072);
  });

  it("are known as binary by a NUL near their beginning", () => {
    assert.equal(looksBinary("\u007fELF\0\0"), true);
    assert.equal(looksBinary("plain text"), false);
  });
});
