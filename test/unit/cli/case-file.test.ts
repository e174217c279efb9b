import assert from "node:assert/strict";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { parseCase, readCase } from "../../../src/cli/eval/case/file.ts";
import { findCases } from "../../../src/cli/eval/case/find.ts";
import { asPattern, find } from "../../../src/cli/eval/case/pattern.ts";
import { newCaseText } from "../../../src/cli/eval/case/new-case.ts";
import { caseOf, cleanUp, faultsOf, folderWith } from "./support.ts";

afterEach(cleanUp);

describe("An evaluation case's file", () => {
  it("takes a question by itself for a dialogue of one turn", async () => {
    const read = await caseOf("name: one\nquestion: What?\nexpect: { answer: this }\nreference: This.\n");
    assert.equal(read.dialogue.length, 1);
    const [turn] = read.dialogue;
    assert.equal(turn?.ask, "What?");
    assert.equal(turn.reference, "This.");
    assert.deepEqual(turn.expect?.answer?.contains, [{ source: "this" }]);
  });

  it("reads a word for a list of one, and text for numbers", async () => {
    const read = await caseOf(
      "name: one\ntags: story\nquestion: What?\nbudgets: { steps: 3, seconds: 0.5 }\n",
    );
    assert.deepEqual(read.tags, ["story"]);
    assert.deepEqual(read.budgets, { steps: 3, seconds: 0.5 });
  });

  it("keeps the types of arguments, settings and JSON, and only those", async () => {
    const read = await caseOf(
      [
        "name: 007",
        "question: 42",
        "settings: { conclave.maxSteps: 2 }",
        "script:",
        "  - call: { tool: web_fetch, arguments: { start: 10, deep: { yes: true } } }",
        "  - json: [1, two]",
      ].join("\n"),
    );
    assert.equal(read.name, "007");
    assert.equal(read.dialogue[0]?.ask, "42");
    assert.deepEqual(read.settings, { "conclave.maxSteps": 2 });
    assert.deepEqual(read.script?.[0]?.call?.[0]?.arguments, { start: 10, deep: { yes: true } });
    assert.deepEqual(read.script[1]?.json, [1, "two"]);
  });

  it("reads the same from JSON", async () => {
    const text = JSON.stringify({ name: "one", question: "What?", expect: { tools: ["web_search"] } });
    const read = await caseOf(text, "case.json");
    assert.deepEqual(read.dialogue[0]?.expect?.tools?.calls, [{ tool: "web_search" }]);
  });

  it("gives a new case's text that is valid, whatever the name", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, maxLength: 100 }).filter((name) => name.trim() !== ""),
        async (name) => {
          const parsed = await parseCase("case.yaml", newCaseText(name.replace(/[\r\n]/gu, " ")));
          assert.deepEqual(parsed.problems, []);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("What is wrong with a case", () => {
  const FAULTS: readonly (readonly [what: string, text: string, faults: readonly string[]])[] = [
    [
      "an unknown field",
      "name: x\nquestoin: y\n",
      ["2:1 There is no field `questoin` here; do you mean `question`?"],
    ],
    [
      "an unknown field within another",
      "name: x\nquestion: y\nexpect:\n  anser: z\n",
      ["4:3 In `expect` there is no field `anser` here; do you mean `answer`?"],
    ],
    ["nothing to ask", "name: x\n", ["1:1 The file must ask something: `question`, or `dialogue`."]],
    [
      "a question beside a dialogue",
      "name: x\nquestion: y\ndialogue: [{ ask: z }]\n",
      ["2:11 `question` can't stand beside `dialogue`; make it a turn of that."],
    ],
    [
      "what is expected beside a dialogue",
      "name: x\ndialogue: [{ ask: z }]\nreference: y\n",
      ["3:12 `reference` belongs to a turn: put it below the turn of `dialogue` that it is about."],
    ],
    ["no name", "question: y\n", ["1:1 `name` must be there."]],
    [
      "a turn that asks nothing",
      "name: x\ndialogue:\n  - agent: y\n",
      ["3:5 `dialogue.0.ask` must be there."],
    ],
    [
      "a wrong number",
      "name: x\nquestion: y\nbudgets: { steps: many }\n",
      ["3:19 `budgets.steps` must be a number from 1 to 1000."],
    ],
    [
      "a regular expression that is none",
      "name: x\nquestion: y\nexpect: { answer: /(/ }\n",
      ["3:19 `expect.answer.contains.0` is no regular expression that can be read"],
    ],
    [
      "an event that is none",
      "name: x\nquestion: y\nexpect: { events: [tool.requst web_search] }\n",
      ["3:20 `expect.events.0` names no kind of event: `tool.requst`; do you mean `tool.request`?"],
    ],
    [
      "a setting that is none",
      "name: x\nquestion: y\nsettings: { conclave.maxStep: 3 }\n",
      ["3:31 `settings.conclave.maxStep` is no setting that there is; do you mean `conclave.maxSteps`?"],
    ],
    [
      "a setting out of its range",
      "name: x\nquestion: y\nsettings: { conclave.maxSteps: 99 }\n",
      ["3:32 `settings.conclave.maxSteps` must be a whole number from 1 to 50."],
    ],
    [
      "a configuration that is none",
      "name: x\nquestion: y\nconfigurations: [singel]\n",
      ["3:18 `configurations.0` names no configuration"],
    ],
    [
      "a page that is no path",
      "name: x\nquestion: y\npages: { gil: z }\n",
      ["3:15 `pages.gil` must be a path"],
    ],
    [
      "grades that none is in",
      "name: x\nquestion: y\nexpect: { grade: { from: 5, to: 2 } }\n",
      ["3:26 `expect.grade.from` must not be above `to`."],
    ],
    [
      "more calls at least than at most",
      "name: x\ndialogue:\n  - { ask: y, expect: { tools: { at_least: 3, at_most: 1 } } }\n",
      ["3:44 `dialogue.0.expect.tools.at_least` must not be above `at_most`."],
    ],
    [
      "fewer calls at most than are expected",
      "name: x\nquestion: y\nexpect: { tools: { calls: [a, b], at_most: 1 } }\n",
      ["3:44 `expect.tools.at_most` must not be below the number of calls that are expected."],
    ],
    [
      "an episode's grade that none is in",
      "name: x\nquestion: y\nepisodes: [{ score: { from: 4, to: 1 } }]\n",
      ["3:29 `episodes.0.score.from` must not be above `to`."],
    ],
    [
      "a feature with and without at once",
      "name: x\nquestion: y\nconfigurations: [single-critic+critic]\n",
      ["3:18 `configurations.0` names no configuration"],
    ],
    ["an empty file", "\n", ["1:1 The file is empty."]],
    ["text", "Hello there.\n", ["1:1 The file must hold fields"]],
    ["broken YAML", 'name: "x\nquestion: y\n', ["1:7 "]],
  ];

  for (const [what, text, wanted] of FAULTS)
    it(`is said with its place: ${what}`, async () => {
      const faults = await faultsOf(text);
      assert.equal(faults.length, wanted.length, faults.join("\n"));
      for (const [at, fault] of wanted.entries())
        assert.ok(faults[at]?.startsWith(fault), `${faults[at] ?? ""} begins with ${fault}`);
    });

  it("never throws and lies within the text, whatever the text", async () => {
    const word = fc.constantFrom(
      "name",
      "question",
      "expect",
      "script",
      "dialogue",
      "memory",
      "pages",
      "agents",
      "x",
    );
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.object({ key: word, maxDepth: 4 }).map((value) => JSON.stringify(value)),
      fc
        .array(fc.tuple(word, fc.string()), { maxLength: 6 })
        .map((all) => all.map((one) => one.join(": ")).join("\n")),
    );
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        const { problems } = await parseCase("case.yaml", written);
        const lines = written.replace(/^\ufeff/u, "").split(/\r\n|\r|\n/u);
        for (const { line, column, message } of problems) {
          assert.ok(message.length > 0);
          assert.ok(line >= 1 && line <= lines.length, `${line} of ${lines.length}`);
          assert.ok(column >= 1 && column <= (lines[line - 1]?.length ?? 0) + 1);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is told once for a name that two files have", async () => {
    const folder = await folderWith({
      "a.yaml": "name: x\nquestion: y\n",
      "b.yaml": "name: x\nquestion: z\n",
    });
    const { cases, problems } = await findCases(["."], folder);
    assert.equal(cases.length, 1);
    assert.deepEqual(
      problems.map(({ file, message }) => [file, message]),
      [["b.yaml", 'Another case is named "x", in a.yaml. Rename one of them.']],
    );
  });
});

describe("Names of cases", () => {
  it("are taken for the same where file systems take them for the same", async () => {
    const folder = await folderWith({
      "a.yaml": "name: Café\nquestion: y\n",
      "b.yaml": "name: CAFE\u0301\nquestion: z\n",
    });
    const { cases, problems } = await findCases(["."], folder);
    assert.deepEqual([cases.length, problems.length], [1, 1]);
  });
});

describe("Files beside a case", () => {
  const CASE = (name: string): string =>
    `name: x\nquestion: y\npages: { /a: { file: ${JSON.stringify(name)} } }\n`;

  it("are read: pages, and agents", async () => {
    const folder = await folderWith({
      "case.yaml":
        "name: x\nquestion: y\npages: { /a: { file: _files/a.html } }\nagents: [_files/ada.yaml]\n",
      "_files/a.html": "<p>Hello</p>",
      "_files/ada.yaml": "name: Ada\nkind: persona\nprompt: You are Ada.\n",
    });
    const { case: read, problems } = await readCase(join(folder, "case.yaml"));
    assert.deepEqual(problems, []);
    assert.deepEqual(read?.pages.get("/a"), {
      body: "<p>Hello</p>",
      type: "text/html; charset=utf-8",
      status: 200,
      delay: 0,
    });
    assert.deepEqual(
      read.agents.map(({ name }) => name),
      ["Ada"],
    );
  });

  it("are never read from outside of its folder, by no way and no link", async () => {
    const outside = await folderWith({ "secret.txt": "secret" });
    const folder = await folderWith({ "case.yaml": "" });
    await symlink(join(outside, "secret.txt"), join(folder, "link.txt"));
    for (const name of ["../secret.txt", join(outside, "secret.txt"), "/etc/passwd", "link.txt", "..", "."]) {
      await writeFile(join(folder, "case.yaml"), CASE(name));
      const { case: read, problems } = await readCase(join(folder, "case.yaml"));
      assert.equal(read, undefined, name);
      assert.match(problems[0]?.message ?? "", /outside of the case's folder|can't be read/u, name);
    }
  });

  it("that are no agents are named with why", async () => {
    const faults = await faultsOf("name: x\nquestion: y\nagents: [{ kind: persona, temperature: hot }]\n");
    assert.equal(faults.length, 1);
    assert.match(faults[0] ?? "", /^3:10 `agents\.0` is no agent: /u);
  });
});

describe("What a text must hold", () => {
  it("is found whatever the case and the white space, or by a regular expression", () => {
    assert.equal(find(asPattern("the  Capital"), "It is THE\ncapital."), true);
    assert.equal(find(asPattern("paris"), "London"), false);
    assert.equal(find(asPattern("/^\\d{4}$/m"), "In\n1992\n"), true);
    assert.equal(find(asPattern("/Paris/"), "paris"), false);
    assert.equal(find(asPattern("/Paris/gi"), "paris"), true);
  });

  it("ends a regular expression that would not end, and says so", () => {
    const found = find(asPattern("/^(a+)+$/"), `${"a".repeat(40)}b`);
    assert.ok(typeof found === "object");
    assert.match(found.problem, /took longer than/u);
  });
});
