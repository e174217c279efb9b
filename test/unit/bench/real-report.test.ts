import assert from "node:assert/strict";
import { productNotes, reportAsMarkdown, type ReportParts } from "../../../bench/real/main-job/report.ts";
import { record } from "./real-support.ts";

const WRONG = { right: false, answerRight: false, calledTool: false, why: ["lacks /sqlite/"] };

function report(part: Partial<ReportParts>): string {
  const rows = [{ model: "m", recall: "auto" }] as const;
  return reportAsMarkdown({
    rows,
    records: [],
    told: [],
    wanted: 0,
    seed: 1,
    commit: "c",
    notes: [],
    ...part,
  });
}

/** The cells of the only row of a section's table, by their titles. */
function cells(text: string, title: string): Readonly<Record<string, string>> {
  const [, section = ""] = text.split(`## ${title}\n\n`);
  const [head = "", , row = ""] = section.split("\n");
  const split = (line: string) => line.split("|").map((cell) => cell.trim());
  return Object.fromEntries(split(head).map((name, at) => [name, split(row)[at] ?? ""]));
}

describe("the report of the main job", () => {
  const records = [
    record(),
    record({ question: "b", kind: "code", language: "ja", seconds: 9, outputTokens: 30, recalled: true }),
    record({
      question: "c",
      kind: "date",
      score: WRONG,
      seconds: 4,
      outputTokens: 20,
      trace: "x/c.conclave",
    }),
    record({ question: "d", kind: "never_said", language: "de" }),
    record({ question: "e", kind: "no_tool", tools: ["web_fetch"], score: { ...WRONG, calledTool: true } }),
    record({ question: "f", model: "other", score: WRONG }),
  ];

  it("gives each share with its count, percent and 95 % interval, of its own row alone", () => {
    const kinds = cells(report({ records, wanted: 9 }), "By kind");
    assert.equal(kinds["memory questions right"], "2/3, 67 % (21-94 %)");
    assert.equal(kinds["never said: says so"], "1/1, 100 % (21-100 %)");
    assert.equal(kinds["needs no tool: right without one"], "0/1, 0 % (0-79 %)");
    assert.equal(kinds["page"], "-");
    assert.equal(kinds["all"], "3/5, 60 % (23-88 %)");
  });

  it("tells languages apart", () => {
    const languages = cells(report({ records }), "By language");
    assert.equal(languages["ja"], "1/1, 100 % (21-100 %)");
    assert.equal(languages["en"]?.split(",")[0], "1/3");
    assert.equal(languages["es"], "-");
  });

  it("tells what answers took, and how often time was up", () => {
    const late = record({ question: "g", ended: "late", seconds: 240, score: WRONG });
    const costs = cells(report({ records: [...records, late] }), "Time and tokens");
    assert.equal(costs["seconds, median"], "3");
    assert.equal(costs["seconds, worst"], "240");
    assert.equal(costs["output tokens, median"], "10");
    assert.equal(costs["called a tool"], "1/6");
    assert.equal(costs["recalled before the question"], "1/6");
    assert.equal(costs["not ended in time"], "1/6");
  });

  it("lists what went wrong with the beginning of the answer, why, and a link to its trace", () => {
    const long = record({ ...records[2], answer: `Redis, I think.\n${"x".repeat(200)}` });
    const text = report({ records: [record(), long] });
    const [, wrong = ""] = text.split("## What went wrong\n\n");
    assert.match(
      wrong,
      /^- `c` \(m, auto\): “Redis, I think\. x{134} \.\.\.” `lacks \/sqlite\/`\. \[trace\]\(<x\/c\.conclave>\)\n$/u,
    );
    assert.match(report({ records: [record()] }), /## What went wrong\n\nNothing\.\n$/u);
  });

  it("tells what memory was told, and what of it was stored and read", () => {
    const said = { id: "a", sessionId: "s", ended: "answered", stored: true, facts: 2, seconds: 90 } as const;
    const told = [
      {
        ...{
          name: "m, first half",
          begun: Date.UTC(2026, 10, 29, 12),
          commit: "c",
          holds: { episodes: 2, facts: 3 },
        },
        said: [
          { ...said, learntBy: "model" },
          { ...said, learntBy: "rules", facts: 1 },
          { ...said, stored: false, facts: 0 },
        ],
      },
    ];
    const row = cells(report({ told }), "What memory was told");
    assert.deepEqual(Object.values(row).slice(1), [
      ...["m, first half", "2026-11-29T12:00", "3", "2", "1", "1", "3", "4.50"],
    ]);
  });

  it("says how many of the questions were asked, and all notes", () => {
    const text = report({ records: [record()], wanted: 60, notes: ["It was stopped."] });
    assert.match(text, /1 of 60 questions were asked \(seed 1, Conclave c\)\.\n\nIt was stopped\./u);
  });

  it("says which answers are of another product, and what was asked anew", () => {
    const old = record({ product: { commit: "old", settings: "s" } });
    const [changed, again] = productNotes([record(), old], "c0ffee", [old]);
    assert.match(changed ?? "", /1 of the answers are of old, and not of c0ffee/u);
    assert.match(again ?? "", /^Asked anew: 1,/u);
    assert.deepEqual(productNotes([record()], "c0ffee", []), []);
  });
});
