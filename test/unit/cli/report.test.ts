import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { Ajv } from "ajv";
import { load } from "cheerio";
import fc from "fast-check";
import { CASE_FIELD_SCHEMAS, CASE_SCHEMA } from "../../../src/cli/eval/case/json-schema.ts";
import { CASE } from "../../../src/cli/eval/case/schema.ts";
import { compareFeatures } from "../../../src/cli/eval/compare.ts";
import { summarise } from "../../../src/cli/eval/summary.ts";
import { reportAsJunit } from "../../../src/cli/report/junit.ts";
import { reportAsMarkdown } from "../../../src/cli/report/markdown.ts";
import { code, inline } from "../../../src/cli/report/table.ts";
import { REPORT_FORMATS, reportAs } from "../../../src/cli/report/write.ts";
import { readReport, REPORT_SCHEMA, type EvalReport, type EvalRun } from "../../../src/trace/eval/report.ts";

/** A run of a case; what is left out passed. */
function run(part: Partial<EvalRun> = {}): EvalRun {
  return {
    case: "one",
    file: "one.yaml",
    tags: [],
    configuration: "as-written",
    repeat: 1,
    seed: 1,
    outcome: "passed",
    answerRight: part.outcome === undefined || part.outcome === "passed",
    checks: [],
    turns: [
      { turnId: "t", sessionId: "s", question: "What?", answer: "This.", outcome: "answered", tools: [] },
    ],
    toolCalls: { expected: 1, made: 1, wrong: 0, missing: 0 },
    steps: 2,
    inputTokens: 100,
    outputTokens: 10,
    prefillMs: 50,
    totalMs: 1_500,
    retries: 0,
    repairs: 0,
    traces: [],
    ...part,
  };
}

function reportOf(runs: readonly EvalRun[], part: Partial<EvalReport> = {}): EvalReport {
  const names = [...new Set(runs.map(({ configuration }) => configuration))];
  return {
    schema: REPORT_SCHEMA,
    version: "1.2.3",
    startedAt: Date.UTC(2026, 5, 1, 12),
    durationMs: 61_000,
    outcome: "finished",
    server: { kind: "live", host: "http://127.0.0.1:11434" },
    model: "qwen3:8b",
    repeats: 1,
    seeds: [1],
    settings: { "conclave.maxSteps": 3 },
    runs,
    configurations: names.map((name) => summarise(name, runs, name.includes("-memory"))),
    comparisons: compareFeatures(runs, names, new Set()),
    notes: [],
    ...part,
  };
}

/** So many cases with memory and without, of which some are only right with it. */
function withMemory(cases: number, onlyWith: number): readonly EvalRun[] {
  return Array.from({ length: cases }, (_, at) => {
    const name = `case ${at}`;
    const fails = at < onlyWith ? ({ outcome: "failed" } as const) : {};
    return [
      run({ case: name, inputTokens: 300 }),
      run({ case: name, configuration: "as-written-memory", ...fails }),
    ];
  }).flat();
}

describe("A report of an evaluation", () => {
  it("says what ran: the model, the server, settings, seeds, and how many cases", () => {
    const text = reportAsMarkdown(reportOf([run(), run({ case: "two" })]));
    for (const part of [
      "`qwen3:8b`",
      "`http://127.0.0.1:11434`",
      "`conclave.maxSteps: 3`",
      "2026-06-01",
      "1 (1)",
    ])
      assert.ok(text.includes(part), part);
    assert.match(text, /\| Cases \| 2 \|/u);
  });

  it("gives success with an interval that says how little few cases tell", () => {
    const text = reportAsMarkdown(reportOf([run()]));
    assert.match(text, /1 \/ 1 \| 100 % \(21-100 %\)/u);
  });

  it("counts repeats of one case for what they are", () => {
    const repeated = Array.from({ length: 20 }, (_, at) => run({ repeat: at + 1, seed: at + 1 }));
    const [one] = reportOf(repeated).configurations;
    assert.ok((one?.success.low ?? 1) < 0.5, String(one?.success.low));
    assert.deepEqual([one?.success.cases, one?.success.trials], [1, 20]);
  });

  it("names each failure with its reasons and its trace", () => {
    const failed = run({
      outcome: "failed",
      checks: [
        { name: "outcome", passed: true, reason: "wanted answered, was answered", turn: 1 },
        { name: "answer contains", passed: false, reason: 'Rome is not in "Paris"', turn: 1 },
      ],
      traces: ["traces/one.conclave"],
    });
    const text = reportAsMarkdown(reportOf([failed]));
    assert.match(
      text,
      /### one\n\n`one\.yaml`, `as-written`, repeat 1, seed 1, \[trace\]\(<traces\/one\.conclave>\)/u,
    );
    assert.match(text, /- \*\*answer contains\*\* \(turn 1\): Rome is not in "Paris"/u);
    assert.doesNotMatch(text, /wanted answered/u);
  });

  it("says that a feature helps only where cases enough show it", () => {
    const helps = reportAsMarkdown(reportOf(withMemory(12, 9)));
    assert.match(
      helps,
      /- Memory helps on these 12 cases \(100 % with, 25 % without; difference \\?\+75 points/u,
    );
    const few = reportAsMarkdown(reportOf(withMemory(12, 2)));
    assert.match(few, /- Too few cases to tell whether memory helps: 2 of 12 differ/u);
    const same = reportAsMarkdown(reportOf(withMemory(12, 0)));
    assert.match(
      same,
      /- Memory does not help on these 12 cases: every one came out the same.*It costs \+200 tokens/u,
    );
  });

  it("says of scripted replies that they are none of a model's", () => {
    const scripted = reportAsMarkdown(reportOf([run()], { server: { kind: "scripted" } }));
    assert.match(scripted, /The replies were scripted: this report says .* nothing of any model/u);
  });

  it("of a judge alone speaks of the judge, and not of cases that never ran", () => {
    const judge = {
      ...{ model: "judge:8b", rubric: "helpfulness", set: "set.yaml", items: 4, verdict: "It is fair." },
      flips: { flips: 0, of: 0, estimate: 0, low: 0, high: 1 },
      noGrade: { none: 0, of: 4, estimate: 0, low: 0, high: 0.5 },
      ...{ distribution: [], seconds: 1, inputTokens: 1, outputTokens: 1, notes: [] },
    };
    const text = reportAsMarkdown(reportOf([], { judge }));
    assert.match(text, /^# Evaluation: a judge on 4 labelled items\n/u);
    assert.match(text, /It is fair\./u);
    assert.doesNotMatch(text, /## Results|## Failures|0 of 0 runs/u);
  });

  it("says of scripted replies that they, and no model, decide what a feature is worth", () => {
    const scripted = reportAsMarkdown(reportOf(withMemory(6, 6), { server: { kind: "scripted" } }));
    assert.match(scripted, /## What each feature is worth\n\nThe scripts say what comes out/u);
    assert.doesNotMatch(reportAsMarkdown(reportOf(withMemory(6, 6))), /The scripts say/u);
  });

  it("moves no terminal's cursor, in any of its forms", () => {
    const hostile = "a\u001b[31m\u0007\u009b2J\u202eb\u0000";
    const failed = run({
      ...{ case: hostile, file: hostile, outcome: "failed" },
      checks: [{ name: hostile, passed: false, reason: hostile }],
    });
    const report = reportOf([failed, run({ case: `2${hostile}`, outcome: "error", error: hostile })], {
      notes: [hostile],
    });
    for (const format of REPORT_FORMATS)
      assert.doesNotMatch(reportAs(report, format), /[^\P{Cc}\t\n]/u, format);
    assert.deepEqual(readReport(reportAs(report, "json")), report);
    assert.doesNotMatch(reportAs(report, "md"), /\u202e/u);
  });

  it("is read back from its JSON, and nothing else is", () => {
    const report = reportOf(withMemory(3, 1));
    assert.deepEqual(readReport(JSON.stringify(report)), report);
    for (const other of ["", "{}", "[]", '{"schema":"conclave-eval/1"}', "null"])
      assert.equal(readReport(other), undefined);
  });

  it("is JUnit XML that is well-formed, whatever the texts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, reason) => {
        const failed = run({
          case: name,
          outcome: "failed",
          checks: [{ name: "answer contains", passed: false, reason }],
        });
        const xml = reportAsJunit(
          reportOf([failed, run({ case: `${name}2`, outcome: "error", error: reason })]),
        );
        const $ = load(xml, { xml: true });
        assert.equal($("testsuites > testsuite > testcase").length, 2);
        assert.equal($("failure").length, 1);
        assert.equal($("error").length, 1);
        assert.doesNotMatch(xml, /[^\P{Cc}\t\n\r]/u);
      }),
      { numRuns: 100 },
    );
  });

  it("fails nothing in JUnit XML for what stands there for comparison", () => {
    const $ = load(reportAsJunit(reportOf(withMemory(2, 1))), { xml: true });
    assert.deepEqual(
      ["tests", "failures", "errors", "skipped"].map((name) => $("testsuites").attr(name)),
      ["4", "0", "0", "1"],
    );
    assert.equal($("skipped").length, 1);
  });

  it("keeps what answers say from becoming Markdown or HTML", () => {
    assert.equal(
      inline("a *b* <img src=x> [c](d) `e` | f\ng"),
      "a \\*b\\* \\<img src=x\\> \\[c\\](d) \\`e\\` \\| f g",
    );
    assert.equal(inline("&lt;b&gt;"), "\\&lt;b\\&gt;");
    assert.equal(code("a `b` c"), "``a `b` c``");
    assert.equal(code("`a`"), "`` `a` ``");
  });
});

describe("The JSON schema of evaluation cases", () => {
  const SCHEMA = new URL("../../../media/eval-case.schema.json", import.meta.url);

  it("is in the package, and knows exactly the fields that are read", () => {
    const text = `${JSON.stringify(CASE_SCHEMA, null, 2)}\n`;
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(SCHEMA, text);
    assert.deepEqual(JSON.parse(readFileSync(SCHEMA, "utf8")), JSON.parse(text));
    assert.deepEqual(Object.keys(CASE_FIELD_SCHEMAS).sort(), Object.keys(CASE.unwrap().shape).sort());
  });

  it("takes what is right and refuses what is not", () => {
    const validate = new Ajv({ strict: false }).compile(CASE_SCHEMA);
    const right = {
      name: "x",
      dialogue: [
        {
          ask: "y",
          expect: { tools: ["web_search", { tool: "web_fetch" }], events: ["tool.request web_search"] },
        },
      ],
      memory: { facts: ["The sky is blue."] },
      script: ["z", { when: { schema: true }, json: { score: 4 } }],
    };
    assert.ok(validate(right), JSON.stringify(validate.errors));
    for (const wrong of [{}, { name: "x", expcet: {} }, { name: "x", dialogue: [{ asks: "y" }] }])
      assert.equal(validate(wrong), false, JSON.stringify(wrong));
  });
});
