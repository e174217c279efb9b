/** A user writes a rubric file: squiggles, precedence, the New Rubric command. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { problemsOf } from "./problems.ts";
import { createWorld, type World } from "./world.ts";

const RUBRIC = `name: plain-words
criterion: Are the words plain?
levels:
  1: None.
  2: Few.
  3: Half.
  4: Most.
  5: All.
`;

describe("rubrics", () => {
  let world: World;
  let folder: string;

  before(async () => {
    world = await createWorld();
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root);
    folder = join(root, ".conclave", "rubrics");
    await mkdir(folder, { recursive: true });
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await rm(folder, { recursive: true, force: true });
    await world.close();
  });

  it("are what the services offer as soon as their file is saved", async () => {
    const names = (): readonly string[] => world.services.rubrics().rubrics.map(({ name }) => name);
    assert.deepEqual(names(), ["helpfulness", "grounding", "code-correctness", "brevity"]);
    await writeFile(join(folder, "a.yaml"), RUBRIC);
    assert.equal(names()[0], "plain-words");
    await writeFile(join(folder, "a.yaml"), RUBRIC.replace("plain-words", "brevity"));
    assert.equal(
      world.services.rubrics().rubrics.find(({ name }) => name === "brevity")?.criterion,
      "Are the words plain?",
    );
  });

  it("that can't be used are underlined at the place, while they are written too", async () => {
    const path = join(folder, "b.yaml");
    await writeFile(path, RUBRIC.replace("  4: Most.\n", ""));
    const uri = vscode.Uri.file(path);
    await problemsOf(uri, ([first]) => first?.message.includes("level 4 is missing") === true);
    const [fault] = vscode.languages.getDiagnostics(uri);
    assert.deepEqual([fault?.range.start.line, fault?.severity], [2, vscode.DiagnosticSeverity.Error]);
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((edit) => edit.insert(new vscode.Position(5, 0), "  4: Most.\n"));
    await problemsOf(uri, (all) => all.length === 0);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("are begun by a command, with a file that works as it stands", async () => {
    const path = await vscode.commands.executeCommand<string>("conclave.newRubric", { name: "Plain Talk" });
    assert.equal(path, join(folder, "plain-talk.yaml"));
    assert.match(await readFile(path, "utf8"), /^name: plain-talk$/mu);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, path);
    const { rubrics, problems } = world.services.rubrics();
    assert.ok(rubrics.some(({ name }) => name === "plain-talk"));
    assert.deepEqual(
      problems.filter(({ source }) => source.endsWith("plain-talk.yaml")),
      [],
    );
  });
});
