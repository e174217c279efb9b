import assert from "node:assert/strict";
import fc from "fast-check";
import { savedOf, type OpenNotebook, type ToldCell } from "../../../../src/vscode/notebook/which-notebook.ts";

const asked = (text: string, turn?: string): ToldCell => ({ text, isQuestion: true, turn });

function notebook(cells: readonly ToldCell[], more: Partial<OpenNotebook> = {}): OpenNotebook {
  return { cells, isDirty: false, isReadOnly: false, ...more };
}

describe("which open notebook is saved", () => {
  const cells = [asked("How many masts?", "t1"), asked("Of what wood?", "t2")];

  it("is the only one of its session, whatever it shows", () => {
    const only = notebook([]);
    assert.deepEqual(savedOf(cells, [only]), [only]);
    assert.deepEqual(savedOf(cells, []), []);
  });

  it("is the one that shows the same: the other side of a comparison has other texts, turns or kinds of cells", () => {
    const right = notebook(cells);
    const others = [
      notebook([asked("How many masts?", "t1")]),
      notebook([asked("How many masts?", "t1"), asked("Of what steel?", "t2")]),
      notebook([asked("How many masts?", "t1"), asked("Of what wood?", "t3")]),
      notebook([asked("How many masts?", "t1"), { text: "Of what wood?", isQuestion: false, turn: "t2" }]),
    ];
    for (const other of others) assert.deepEqual(savedOf(cells, [other, right]), [right]);
  });

  it("is not the one out of a repository, which nobody can save", () => {
    const committed = notebook(cells, { isReadOnly: true });
    const right = notebook(cells);
    assert.deepEqual(savedOf(cells, [committed, right]), [right]);
  });

  it("is the one that was edited, where two show the same", () => {
    const right = notebook(cells, { isDirty: true });
    assert.deepEqual(savedOf(cells, [notebook(cells), right]), [right]);
  });

  it("is told whatever ends the lines of a document", () => {
    const right = notebook([asked("one\r\ntwo")]);
    assert.deepEqual(savedOf([asked("one\ntwo")], [notebook([asked("one")]), right]), [right]);
  });

  it("is left open where nothing tells them apart, and is always among the answers", () => {
    const same = [notebook(cells), notebook(cells)];
    assert.deepEqual(savedOf(cells, same), same);
    const cell = fc.record({
      text: fc.constantFrom("a", "b"),
      isQuestion: fc.boolean(),
      turn: fc.constantFrom(undefined, "t"),
    });
    const open = fc.record({ cells: fc.array(cell, { maxLength: 3 }), isDirty: fc.boolean() });
    fc.assert(
      fc.property(fc.array(open, { minLength: 1, maxLength: 4 }), fc.nat(), (all, nth) => {
        const notebooks = all.map((one) => notebook(one.cells, one));
        const right = notebooks[nth % notebooks.length];
        assert.ok(right);
        // What is saved was edited, or nothing was.
        fc.pre(right.isDirty || notebooks.every(({ isDirty }) => !isDirty));
        assert.ok(savedOf(right.cells, notebooks).includes(right));
      }),
    );
  });
});
