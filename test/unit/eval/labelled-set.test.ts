import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { parseLabelledSet, readLabelledSet } from "../../../src/cli/eval/judge/labelled-set.ts";

const SHIPPED = fileURLToPath(new URL("../../eval/judge/set.yaml", import.meta.url));

function messages(file: string, text: string): readonly string[] {
  const { set, problems } = parseLabelledSet(file, text);
  assert.equal(set, undefined);
  return problems.map(({ line, message }) => `${line}: ${message}`);
}

describe("a labelled set", () => {
  it("that ships with the product can be read, and has every sort of answer that judges fall for", async () => {
    const { set, problems } = await readLabelledSet(SHIPPED);
    assert.deepEqual(problems, []);
    assert.ok(set !== undefined && set.graded.length + set.pairs.length >= 24);
    const kinds = new Set(set.graded.map(({ kind }) => kind));
    for (const kind of ["right", "wrong", "partly", "evasive", "padded", "ungrounded", "hostile"])
      assert.ok(kinds.has(kind), kind);
    assert.deepEqual(new Set(set.pairs.map(({ label }) => label)), new Set(["A", "B", "tie"]));
    assert.deepEqual([...new Set(set.graded.map(({ label }) => label))].sort(), [1, 2, 3, 5]);
  });

  it("may be a YAML list, an object with items, or a line of JSON for each item", () => {
    const graded = { question: "q", answer: "a", label: 4 };
    const pair = { question: "q", a: "x", b: "y", label: "tie" };
    const written = {
      "set.yaml": "- { question: q, answer: a, label: 4 }\n- { question: q, a: x, b: y, label: tie }\n",
      "set.json": JSON.stringify({ items: [graded, pair] }),
      "set.jsonl": `${JSON.stringify(graded)}\r\n\n${JSON.stringify(pair)}\n`,
    };
    for (const [file, text] of Object.entries(written)) {
      const { set, problems } = parseLabelledSet(file, text);
      assert.deepEqual(problems, [], file);
      assert.deepEqual([set?.graded, set?.pairs], [[graded], [pair]], file);
    }
  });

  it("says in words, and where, what is wrong with an item", () => {
    const yaml =
      "items:\n  - question: q\n    answer: a\n    label: 6\n  - question: q\n    answr: a\n    label: 3\n";
    const told = messages("set.yaml", yaml);
    assert.equal(told[0], "4: Item 1: `label` must be a number from 1 to 5.");
    assert.match(told.slice(1).join("\n"), /^\d: Item 2: .*answr.*do you mean `answer`\?/mu);
    assert.match(messages("set.yaml", "- { question: q, a: x, label: A }")[0] ?? "", /Item 1: `b`/u);
    assert.match(
      messages("set.jsonl", '{"question":"q","answer":"a","label":3}\n{oh')[0] ?? "",
      /^2: Item 2 is no JSON/u,
    );
  });

  it("that is empty, no list, or not there is told so", async () => {
    assert.match(messages("set.yaml", "  \n")[0] ?? "", /The set is empty/u);
    assert.match(messages("set.yaml", "items: []")[0] ?? "", /has no items/u);
    assert.match(
      messages("set.yaml", "name: x")[0] ?? "",
      /The set is not as it must be: `items` must be a list/u,
    );
    const missing = await readLabelledSet(join(SHIPPED, "..", "nothing.yaml"), "nothing.yaml");
    assert.match(missing.problems[0]?.message ?? "", /can't be read/u);
    const folder = await readLabelledSet(join(SHIPPED, ".."), ".");
    assert.match(folder.problems[0]?.message ?? "", /^This is a folder\./u);
  });

  it("never breaks the reader, whatever is in the file", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("s.yaml", "s.json", "s.jsonl"),
        fc.string({ maxLength: 300 }),
        (file, text) => {
          const { set, problems } = parseLabelledSet(file, text);
          assert.ok(set !== undefined || problems.length > 0);
        },
      ),
    );
  });
});
