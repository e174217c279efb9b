/** A user writes agent files: the list in the side bar, squiggles, the New Agent command. */
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { done, text } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { problemsOf } from "./problems.ts";
import { answerBox, palette, pick, tidy } from "./user.ts";
import { createWorld, type World } from "./world.ts";

const ROW = ".pane-body .monaco-list-row";

/** The editor of a file, once it is the active one. */
function editorOf(path: string): Promise<vscode.TextEditor> {
  return new Promise((resolve) => {
    const look = (editor: vscode.TextEditor | undefined): void => {
      if (editor?.document.uri.fsPath !== path) return;
      listening.dispose();
      resolve(editor);
    };
    const listening = vscode.window.onDidChangeActiveTextEditor(look);
    look(vscode.window.activeTextEditor);
  });
}

describe("agent files", () => {
  let world: World;
  let folder: string;

  before(async function () {
    if (!canDrive) this.skip();
    world = await createWorld({ models: [{ name: "scripted:latest" }, { name: "tide:8b" }] });
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    folder = join(root.uri.fsPath, ".conclave", "agents");
    await mkdir(folder, { recursive: true });
    await tidy();
  });

  after(async () => {
    if (!canDrive) return;
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await rm(join(folder, ".."), { recursive: true, force: true });
    await vscode.commands.executeCommand("workbench.view.explorer");
    await world.close();
  });

  it("are listed as soon as they are there, with kind, model and source", async () => {
    await vscode.commands.executeCommand("conclave.agents.focus");
    await window.waitForText(ROW, "Skeptic");
    await writeFile(
      join(folder, "vera.yaml"),
      "name: Vera\nkind: persona\nprompt: Be exact.\nmodel: tide:8b\n",
    );
    await window.waitForText(ROW, "Vera");
    const rows = await window.texts(ROW);
    assert.ok(
      rows.some((row) => /Vera.*persona · tide:8b/s.test(row)),
      rows.join("\n"),
    );
    assert.ok(rows.includes("Workspace") && rows.includes("Built in"), rows.join("\n"));
    await window.screenshot("agents");
  });

  it("are underlined where they are wrong, while they are written, until they are mended", async () => {
    const uri = vscode.Uri.file(join(folder, "vera.yaml"));
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document);
    const wrong = "temprature: 0\nmodel: Tide 8B (local)\ntools: [web_serch]\n";
    const shown = problemsOf(uri, (all) => all.length === 3);
    await editor.edit((edit) => edit.replace(new vscode.Range(3, 0, 4, 0), wrong));
    await shown;
    const said = vscode.languages.getDiagnostics(uri).map(({ range, message }) => ({
      at: document.getText(range),
      hint: /Did you mean `([^`]*)`/.exec(message)?.[1],
    }));
    assert.deepEqual(said, [
      { at: "temprature", hint: "temperature" },
      { at: "Tide 8B (local)", hint: "tide:8b" },
      { at: "web_serch", hint: "web_search" },
    ]);
    await window.waitForText(".squiggly-warning", "");
    await window.screenshot("agent-problems");
    await document.save();
    await window.waitForText(ROW, "Tide 8B (local) is not installed");
    const mended = problemsOf(uri, (all) => all.length === 0);
    await editor.edit((edit) => edit.replace(new vscode.Range(3, 0, 6, 0), "model: tide:8b\n"));
    await mended;
    await window.waitGone(".squiggly-warning");
    await document.save();
    await window.waitForText(ROW, "persona · tide:8b");
  });

  it("that can't be used are listed as such, and no built-in agent answers in their place", async () => {
    const uri = vscode.Uri.file(join(folder, "skeptic.yaml"));
    await writeFile(uri.fsPath, "name: Skeptic\nprompt: p\nprompt: q\n");
    await problemsOf(uri, (all) => all.length === 1 && all[0]?.range.start.line === 2);
    await window.waitForText(ROW, "can't be used");
    assert.equal(
      world.services.agents().agents.find(({ name }) => name === "Skeptic"),
      undefined,
    );
    await rm(uri.fsPath);
    await problemsOf(uri, (all) => all.length === 0);
    assert.equal(
      world.services.agents().agents.find(({ name }) => name === "Skeptic")?.source.origin,
      "built-in",
    );
  });

  it("are made by New Agent, valid as they stand, and the agent answers with its prompt", async () => {
    await palette("New Agent...");
    await answerBox("New Agent", "Tide Watcher");
    await pick("Answers by itself");
    const { document } = await editorOf(join(folder, "tide-watcher.yaml"));
    await window.waitForText(ROW, "Tide Watcher");
    assert.deepEqual(vscode.languages.getDiagnostics(document.uri), []);
    world.ollama.enqueue([text("High tide at noon."), done()]);
    const asked = await world.services.engine.ask({
      question: "When is high tide?",
      door: "command",
      options: { agent: "tide watcher", model: "scripted:latest" },
    });
    assert.ok(asked.ok);
    assert.equal((await asked.value.done).answer, "High tide at noon.");
    assert.match(JSON.stringify(world.ollama.chats.at(-1)?.messages), /say where they are from/);
  });

  it("are completed: fields, and the names of models and tools there are", async () => {
    const uri = vscode.Uri.file(join(folder, "half.yaml"));
    await writeFile(uri.fsPath, "name: Half\nprompt: p\nmodel: \ntools:\n  - web\nthi\n");
    const labels = async (line: number, column: number): Promise<readonly string[]> => {
      const list = await vscode.commands.executeCommand<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        uri,
        new vscode.Position(line, column),
      );
      return list.items.map(({ label }) => (typeof label === "string" ? label : label.label));
    };
    assert.ok((await labels(2, 7)).includes("tide:8b"));
    assert.ok((await labels(4, 7)).includes("web_search"));
    assert.ok((await labels(5, 3)).includes("think"));
    await rm(uri.fsPath);
  });

  it("of the product open as a text that can't be changed, and a copy of one takes its place", async () => {
    await vscode.commands.executeCommand("conclave.openAgent", { name: "Skeptic" });
    const shown = vscode.window.activeTextEditor?.document;
    assert.equal(shown?.uri.scheme, "conclave");
    assert.match(shown.getText(), /^name: Skeptic$/m);
    const path = await vscode.commands.executeCommand<string>("conclave.copyAgent", { name: "Skeptic" });
    assert.equal(path, join(folder, "skeptic.yaml"));
    const copy = world.services.agents().agents.find(({ name }) => name === "Skeptic");
    assert.equal(copy?.source.path, path);
    const errors = world.services.agents().problems.filter(({ severity }) => severity === "error");
    assert.deepEqual(errors, []);
  });
});
