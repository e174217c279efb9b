/** Cases of a folder are chosen and run, and the report is shown. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { readReport } from "../../../src/trace/eval/report.ts";
import type { EvaluationResult } from "../../../src/vscode/eval/commands.ts";
import { text, words } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { answerBox, lines, palette, pick, tidy } from "./user.ts";
import { createWorld, set, settled, type World } from "./world.ts";

const CASE = "name: capital\nquestion: The capital of France?\nexpect: { answer: Paris }\n";

/** The button of a list in which several lines may be chosen. */
const OK = ".quick-input-action .monaco-button";

describe("an evaluation", () => {
  let world: World;
  let root: string;
  let folder: string;

  beforeEach(async () => {
    // Whoever is asked for a form judges.
    world = await createWorld({
      script: ({ body }) =>
        body.format === undefined
          ? words("It is Paris.")
          : [text('{"feedback":"As the house likes it.","score":4}')],
    });
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first);
    root = join(first.uri.fsPath, ".conclave");
    folder = join(root, "evals");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "capital.yaml"), CASE);
    await tidy();
  });

  afterEach(async () => {
    await set("memory.enabled", undefined);
    await tidy();
    await rm(root, { recursive: true, force: true });
    await world.close();
  });

  it("runs the cases it is given on the model it is given, and writes the report and the traces", async () => {
    await writeFile(
      join(folder, "other.yaml"),
      CASE.replace("capital\n", "other\n").replace("Paris }", "Rome }"),
    );
    const result = await vscode.commands.executeCommand<EvaluationResult>("conclave.runEvaluation", {
      files: [folder],
      model: "scripted:latest",
      configurations: ["as-written-memory"],
      open: false,
    });
    assert.equal(result.outcome, "finished");
    assert.equal(result.summary, "1 of 2 runs passed");
    const report = readReport(await readFile(join(result.folder, "report.json"), "utf8"));
    assert.deepEqual(
      report?.runs.map(({ file, outcome, traces }) => [file, outcome, traces.length]),
      [
        [".conclave/evals/capital.yaml", "passed", 1],
        [".conclave/evals/other.yaml", "failed", 1],
      ],
    );
    await readFile(join(result.folder, report.runs[0]?.traces[0] ?? ""), "utf8");
    await readFile(join(result.folder, "report.md"), "utf8");
  });

  it("grades by the rubrics of the workspace", async () => {
    await mkdir(join(root, "rubrics"), { recursive: true });
    const levels = [1, 2, 3, 4, 5].map((level) => `  ${level}: Level ${level} of the house.\n`).join("");
    await writeFile(
      join(root, "rubrics", "house.yaml"),
      `name: house\ncriterion: As the house likes it?\nlevels:\n${levels}`,
    );
    await writeFile(
      join(folder, "capital.yaml"),
      `${CASE.replace("Paris }", "Paris, grade: { from: 4, to: 4 } }")}settings: { conclave.critic.rubric: house }\n`,
    );
    const result = await vscode.commands.executeCommand<EvaluationResult>("conclave.runEvaluation", {
      files: [folder],
      model: "scripted:latest",
      configurations: ["as-written-memory"],
      open: false,
    });
    assert.equal(result.summary, "1 of 1 runs passed");
    const asked = world.ollama.chats.flatMap(({ messages }) => messages.map(({ content }) => content));
    assert.ok(asked.some((content) => content.includes("Level 4 of the house.")));
  });

  it("is begun by hand, and its report is shown in the panel", async function () {
    if (!canDrive) this.skip();
    await set("memory.enabled", false);
    await settled("memory.enabled", false);
    const ran = vscode.commands.executeCommand<EvaluationResult | undefined>("conclave.runEvaluation");
    // All cases are chosen already, the model is the one of the settings, and cases run as they are written.
    await lines("capital.yaml");
    await window.click(OK, "OK");
    await pick("scripted:latest");
    await lines("as-written");
    await window.click(OK, "OK");
    assert.equal((await ran)?.summary, "1 of 1 runs passed");
    await window.waitForText("main .eval", "capital");
    await window.screenshot("evaluation");
  });

  it("underlines what is wrong with a case that is open", async () => {
    const path = join(folder, "wrong.yaml");
    await writeFile(path, "name: wrong\nquestion: What?\nexpcet: {}\n");
    const uri = vscode.Uri.file(path);
    const told = new Promise<readonly vscode.Diagnostic[]>((resolve) => {
      const look = (): void => {
        const found = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "Conclave");
        if (found.length === 0) return;
        listening.dispose();
        resolve(found);
      };
      const listening = vscode.languages.onDidChangeDiagnostics(look);
      look();
    });
    await vscode.window.showTextDocument(uri);
    const [first] = await told;
    assert.equal(first?.message, "There is no field `expcet` here; do you mean `expect`?");
    assert.deepEqual([first.range.start.line, first.range.start.character], [2, 0]);
  });

  it("begins with a new case that can be run as it stands", async function () {
    if (!canDrive) this.skip();
    await palette("New Evaluation Case");
    await answerBox("What the case is called", "The tide cache");
    await window.waitForText(".tab.active", "the-tide-cache.yaml");
    const result = await vscode.commands.executeCommand<EvaluationResult>("conclave.runEvaluation", {
      files: [join(folder, "the-tide-cache.yaml")],
      model: "scripted:latest",
      open: false,
    });
    assert.equal(result.summary, "1 of 1 runs passed");
  });
});
