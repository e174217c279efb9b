import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv } from "ajv";
import fc from "fast-check";
import { parse } from "yaml";
import { BUILT_IN_RUBRICS } from "../../../../src/agent/critic/built-in.ts";
import { RUBRIC_FILE_SCHEMA, RUBRIC_NAME } from "../../../../src/agent/critic/rubric-fields.ts";
import { parseRubric } from "../../../../src/agent/critic/rubric-file.ts";
import { RubricFiles } from "../../../../src/agent/critic/rubric-files.ts";
import { newRubricText, rubricName } from "../../../../src/agent/critic/rubric-text.ts";

const SCHEMA = new URL("../../../../media/rubric.schema.json", import.meta.url);
const FILE = "/ws/.conclave/rubrics/plain-words.yaml";

const GOOD = `name: plain-words
criterion: Are the words plain?
levels:
  1: None.
  2: Few.
  3: Half.
  4: Most.
  5: All.
agents: [Reviewer]
`;

/** What is said of a text: how bad, the text that is underlined, and the sentence. */
function said(text: string): readonly (readonly [string, string, string])[] {
  const lines = text.split(/\r\n|\r|\n/u);
  return parseRubric(text, FILE).problems.map(
    ({ severity, line = 1, column = 1, endColumn = 1, message }) => [
      severity,
      (lines[line - 1] ?? "").slice(column - 1, endColumn - 1),
      message,
    ],
  );
}

describe("a rubric file", () => {
  it("gives its criterion, five levels and the agents it is for", () => {
    const { rubric, problems } = parseRubric(GOOD, FILE);
    assert.deepEqual(problems, []);
    assert.deepEqual(rubric, {
      name: "plain-words",
      criterion: "Are the words plain?",
      levels: ["None.", "Few.", "Half.", "Most.", "All."],
      agents: ["Reviewer"],
      source: FILE,
    });
  });

  it("may list its levels, from the worst to the best", () => {
    const text = "name: x\ncriterion: Is it?\nlevels: [None, Few, Half, Most, All]\n";
    assert.deepEqual(parseRubric(text, FILE).rubric?.levels, ["None", "Few", "Half", "Most", "All"]);
  });

  it("is called as its file where it names itself not, which is said", () => {
    const text = GOOD.replace("name: plain-words\n", "");
    assert.equal(parseRubric(text, FILE).rubric?.name, "plain-words");
    assert.match(said(text)[0]?.[2] ?? "", /`name` is missing; the rubric is called plain-words/u);
  });

  it("keeps what YAML takes for something else as the text that was written", () => {
    const text = GOOD.replace("1: None.", "1: no")
      .replace("2: Few.", "2: 3.10")
      .replace("Are the", "Note: are the");
    const { rubric, problems } = parseRubric(text, FILE);
    assert.deepEqual(rubric?.levels.slice(0, 2), ["no", "3.10"]);
    assert.equal(rubric.criterion, "Note: are the words plain?");
    assert.deepEqual(
      problems.map(({ severity }) => severity),
      ["warning"],
    );
  });

  it("may name one agent without brackets, which is said", () => {
    const text = GOOD.replace("[Reviewer]", "Reviewer");
    assert.deepEqual(parseRubric(text, FILE).rubric?.agents, ["Reviewer"]);
    assert.deepEqual(said(text)[0]?.slice(0, 2), ["warning", "Reviewer"]);
  });

  const faults: readonly (readonly [what: string, text: string, place: string, words: RegExp])[] = [
    ["is empty", "", "", /The file is empty/u],
    ["is a list", "- one\n- two\n", "- one", /must hold fields/u],
    [
      "lacks a criterion",
      GOOD.replace("criterion: Are the words plain?\n", ""),
      "name: plain-words",
      /`criterion` is missing/u,
    ],
    ["lacks levels", "name: x\ncriterion: Is it?\n", "name: x", /`levels` is missing. Write what each/u],
    ["lacks one level", GOOD.replace("  4: Most.\n", ""), "levels", /The level 4 is missing/u],
    ["has a sixth level", GOOD.replace("agents:", "  6: More.\nagents:"), "6", /whole number from 1 to 5/u],
    [
      "lists four levels",
      "name: x\ncriterion: Is it?\nlevels: [a, b, c, d]\n",
      "[a, b, c, d]",
      /must say what each of the grades/u,
    ],
    ["has an empty level", GOOD.replace("4: Most.", '4: " "'), '" "', /What a 4 means must not be empty/u],
    [
      "has a name with spaces",
      GOOD.replace("plain-words", "Plain Words"),
      "Plain Words",
      /small letters, digits and single dashes/u,
    ],
    [
      "names agents by fields",
      GOOD.replace("[Reviewer]", "{ a: b }"),
      "{ a: b }",
      /must be a list of names/u,
    ],
    ["has a field twice", `${GOOD}name: again\n`, "name", /is there twice/u],
  ];
  for (const [what, text, place, words] of faults) {
    it(`that ${what} can't be used, and the place is named`, () => {
      const { rubric } = parseRubric(text, FILE);
      const errors = said(text).filter(([severity]) => severity === "error");
      assert.equal(rubric, undefined);
      assert.deepEqual(errors[0]?.[1], place, JSON.stringify(errors));
      assert.match(errors[0][2], words);
    });
  }

  it("with a field that there is not is used, and the nearest one is named", () => {
    const text = GOOD.replace("agents:", "agent:");
    assert.deepEqual(parseRubric(text, FILE).rubric?.agents, []);
    const [[severity, place, message] = ["", "", ""]] = said(text);
    assert.deepEqual([severity, place], ["warning", "agent"]);
    assert.match(message, /Do you mean `agents`\?/u);
  });

  it("is read without throwing, whatever it holds, and each place lies within it", () => {
    const piece = fc.oneof(
      fc.constantFrom(...GOOD.split("\n"), "levels:", "  1:", "  - ", "&a", "*a", "\t"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join("\n");
        const lines = text.replace(/^\ufeff/u, "").split(/\r\n|\r|\n/u);
        const { rubric, problems } = parseRubric(text, FILE);
        assert.equal(
          rubric === undefined,
          problems.some(({ severity }) => severity === "error"),
        );
        for (const { line = 1, column = 1 } of problems) {
          assert.ok(line >= 1 && line <= lines.length);
          assert.ok(column >= 1 && column <= (lines[line - 1] ?? "").length + 1);
        }
      }),
    );
  });
});

describe("a new rubric's file", () => {
  it("is valid as it stands, by our check and by the schema that editors use", () => {
    const text = newRubricText("plain-words");
    assert.deepEqual(parseRubric(text, FILE).problems, []);
    const validate = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(SCHEMA, "utf8")) as object);
    assert.ok(validate(parse(text)), JSON.stringify(validate.errors));
    assert.ok(validate(parse(GOOD)), JSON.stringify(validate.errors));
    assert.ok(!validate({ ...(parse(GOOD) as object), levels: { 1: "a" } }));
    assert.ok(!validate({ ...(parse(GOOD) as object), agent: "x" }));
  });

  it("has a name that is one, whatever is typed", () => {
    assert.equal(rubricName("Plain words!"), "plain-words");
    assert.equal(rubricName("Précis"), "precis");
    assert.equal(rubricName("评分"), "rubric");
    fc.assert(fc.property(fc.string(), (typed) => RUBRIC_NAME.test(rubricName(typed))));
  });

  it("is described by media/rubric.schema.json as the code says", () => {
    if (process.env["UPDATE_GOLDEN"] === "1")
      writeFileSync(SCHEMA, `${JSON.stringify(RUBRIC_FILE_SCHEMA, null, 2)}\n`);
    assert.deepEqual(JSON.parse(readFileSync(SCHEMA, "utf8")), RUBRIC_FILE_SCHEMA);
  });
});

describe("the built-in rubrics", () => {
  it("are for helpfulness, grounding, correctness of code, and brevity, each with five different levels", () => {
    assert.deepEqual(
      BUILT_IN_RUBRICS.map(({ name }) => name),
      ["helpfulness", "grounding", "code-correctness", "brevity"],
    );
    for (const { levels, criterion, agents, source } of BUILT_IN_RUBRICS) {
      assert.equal(new Set(levels).size, 5);
      assert.match(criterion, /\?$/u);
      assert.deepEqual([agents, source], [[], "built-in"]);
    }
  });
});

describe("the rubrics there are", () => {
  let root: string;
  let workspace: string;
  let home: string;
  let trusted: boolean;
  let files: RubricFiles;

  const write = (folder: string, name: string, text: string): string => {
    const path = join(folder, ".conclave", "rubrics", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const criterion = (name: string): string | undefined =>
    files.catalog().rubrics.find((one) => one.name === name)?.criterion;
  const of = (name: string, asked: string): string =>
    GOOD.replace("plain-words", name).replace("Are the words plain?", asked);

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "conclave-rubrics-"));
    [workspace, home] = [join(root, "ws"), join(root, "home")];
    trusted = true;
    files = new RubricFiles(() => ({ workspaces: trusted ? [workspace] : [], home }));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("are the built-in ones where there are no files", () => {
    assert.deepEqual(files.catalog().rubrics, BUILT_IN_RUBRICS);
    assert.deepEqual(files.catalog().problems, []);
  });

  it("are the workspace's before the user's, and these before the built-in ones", () => {
    write(home, "a.yaml", of("brevity", "The user's?"));
    write(home, "b.yml", of("own", "The user's own?"));
    assert.deepEqual([criterion("brevity"), criterion("own")], ["The user's?", "The user's own?"]);
    const path = write(workspace, "c.yaml", of("brevity", "The workspace's?"));
    assert.equal(criterion("brevity"), "The workspace's?");
    assert.equal(files.catalog().rubrics.filter(({ name }) => name === "brevity").length, 1);
    assert.equal(
      files.catalog().rubrics.find(({ name }) => name === "brevity")?.source,
      pathToFileURL(path).href,
    );
    assert.deepEqual(files.catalog().problems, []);
  });

  it("are none of the workspace's while it is not trusted", () => {
    write(workspace, "a.yaml", GOOD);
    trusted = false;
    assert.equal(criterion("plain-words"), undefined);
    trusted = true;
    assert.equal(criterion("plain-words"), "Are the words plain?");
  });

  it("are as the files are at the moment, and the same object as long as nothing changed", () => {
    const path = write(workspace, "a.yaml", GOOD);
    const before = files.catalog();
    assert.equal(files.catalog(), before);
    writeFileSync(path, of("plain-words", "Are they really?"));
    assert.equal(criterion("plain-words"), "Are they really?");
    rmSync(path);
    assert.equal(criterion("plain-words"), undefined);
  });

  it("leave out a file that can't be used, which is told with its place and stands in nobody's way", () => {
    const path = write(workspace, "brevity.yaml", "name: brevity\ncriterion: Is it short?\n");
    write(workspace, "z.yaml", GOOD);
    const { problems, faults } = files.catalog();
    assert.equal(criterion("plain-words"), "Are the words plain?");
    assert.equal(criterion("brevity"), BUILT_IN_RUBRICS.find(({ name }) => name === "brevity")?.criterion);
    assert.deepEqual(
      problems.map(({ source, problem }) => [source, problem.code]),
      [[pathToFileURL(path).href, "bad_input"]],
    );
    assert.deepEqual([faults[0]?.path, faults[0]?.severity, faults[0]?.line], [path, "error", 1]);
  });

  it("say so when two files of one folder have the same name", () => {
    write(workspace, "a.yaml", of("plain-words", "The first?"));
    const path = write(workspace, "b.yaml", of("plain-words", "The second?"));
    assert.equal(criterion("plain-words"), "The first?");
    assert.deepEqual(
      files.catalog().faults.map((fault) => [fault.path, fault.severity]),
      [[path, "warning"]],
    );
  });

  it("are read through no link that leads out of the workspace", () => {
    const outside = join(root, "secret.yaml");
    writeFileSync(outside, GOOD);
    mkdirSync(join(workspace, ".conclave", "rubrics"), { recursive: true });
    symlinkSync(outside, join(workspace, ".conclave", "rubrics", "a.yaml"));
    assert.equal(criterion("plain-words"), undefined);
    assert.match(files.catalog().faults[0]?.message ?? "", /link that leads out/u);
  });

  it("are read of folders elsewhere as they were given, and why one was not is told", () => {
    const address = "vscode-vfs://github/us/boat/.conclave/rubrics/";
    const given = [
      { path: `${address}a.yaml`, stamp: "1", content: new TextEncoder().encode(GOOD) },
      { path: `${address}b.yaml`, stamp: "1", content: "the line is dead" },
    ];
    files = new RubricFiles(() => ({ workspaces: [], given }));
    assert.equal(criterion("plain-words"), "Are the words plain?");
    assert.equal(files.catalog().rubrics[0]?.source, `${address}a.yaml`);
    assert.match(files.catalog().faults[0]?.message ?? "", /the line is dead/u);
  });

  it("are at most a hundred of a folder, and what is no rubric file is passed over", () => {
    for (let count = 0; count < 102; count += 1)
      write(workspace, `r${count}.yaml`, of(`r${count}`, "Is it?"));
    write(workspace, "notes.txt", "nothing");
    mkdirSync(join(workspace, ".conclave", "rubrics", "folder.yaml"));
    const { rubrics, faults } = files.catalog();
    assert.equal(rubrics.filter(({ source }) => source !== "built-in").length <= 100, true);
    assert.match(faults[0]?.message ?? "", /holds 103 rubric files; the first 100 are read/u);
    assert.ok(existsSync(workspace));
  });
});
