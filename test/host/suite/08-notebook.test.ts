import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, gate, text, wait, words } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { chooseFile } from "./memory-view.ts";
import { notified, tidy } from "./user.ts";
import { askCommand, createWorld, nextEvent, set, theme, type World } from "./world.ts";

const TYPE = "conclave-notebook";
const OUTPUT = "section.turn";

describe("a trace as a notebook", () => {
  let world: World;
  let held: ReturnType<typeof gate>;
  let folder: vscode.Uri;

  beforeEach(async () => {
    held = gate();
    world = await createWorld();
    await tidy();
    await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
    const opened = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(opened);
    folder = opened;
  });

  afterEach(async () => {
    held.open();
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await tidy();
    await world.close();
  });

  /** Keeps a session of two turns as a file of the folder. */
  async function twoTurns(name: string): Promise<vscode.Uri> {
    world.ollama.enqueue([text("Two masts."), done()], [text("Of **pine**."), done()]);
    const first = await askCommand("How many masts?");
    await askCommand("Of what wood?", first.sessionId);
    const bytes = await world.services.log.bytes(first.sessionId);
    assert.ok(bytes.ok);
    const uri = vscode.Uri.joinPath(folder, `${name}.conclave`);
    await vscode.workspace.fs.writeFile(uri, bytes.value);
    return uri;
  }

  async function open(uri: vscode.Uri): Promise<vscode.NotebookDocument> {
    await vscode.commands.executeCommand("conclave.openAsNotebook", uri);
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    assert.equal(notebook?.uri.toString(), uri.toString());
    return notebook;
  }

  /** Runs cells as the button beside them does; resolves when the last one has ended, with how that went. */
  function run(notebook: vscode.NotebookDocument, start: number, end: number): Promise<boolean | undefined> {
    let began = false;
    const ended = new Promise<boolean | undefined>((resolve) => {
      const listening = vscode.workspace.onDidChangeNotebookDocument(({ cellChanges }) => {
        for (const { cell, executionSummary } of cellChanges) {
          if (cell.index !== end - 1 || executionSummary === undefined) continue;
          if (executionSummary.success === undefined) began = true;
          else if (began) {
            listening.dispose();
            resolve(executionSummary.success);
          }
        }
      });
    });
    const ranges = [{ start, end }];
    void vscode.commands.executeCommand("notebook.cell.execute", { ranges, document: notebook.uri });
    return ended;
  }

  async function edit(notebook: vscode.NotebookDocument, ...edits: vscode.NotebookEdit[]): Promise<void> {
    const change = new vscode.WorkspaceEdit();
    change.set(notebook.uri, edits);
    assert.ok(await vscode.workspace.applyEdit(change));
  }

  const bytesOf = async (uri: vscode.Uri): Promise<string> =>
    Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("latin1");

  const textsOf = (notebook: vscode.NotebookDocument): string[] =>
    notebook.getCells().map((cell) => cell.document.getText());

  it("shows a question for each turn, and the turn as its output", async function () {
    if (!canDrive) this.skip();
    const notebook = await open(await twoTurns("masts"));
    assert.equal(notebook.notebookType, TYPE);
    assert.deepEqual(textsOf(notebook), ["How many masts?", "Of what wood?"]);
    await window.waitForText(OUTPUT, "Two masts.");
    await window.waitForText(OUTPUT, "Of pine.");
    await window.click(`${OUTPUT} button.head`);
    await window.waitForText(`${OUTPUT} .body`, "scripted:latest (ollama)");
    await window.screenshot("notebook-dark");
    await theme("light");
    await window.waitForText(OUTPUT, "Of pine.");
    await window.screenshot("notebook-light");
    await theme("dark");
  });

  it("shows two versions of a file side by side, cell by cell", async function () {
    if (!canDrive) this.skip();
    const old = await twoTurns("before");
    const uri = vscode.Uri.joinPath(folder, "after.conclave");
    await vscode.workspace.fs.copy(old, uri, { overwrite: true });
    const notebook = await open(uri);
    world.ollama.enqueue([text("Of oak, after all."), done()]);
    assert.equal(await run(notebook, 1, 2), true);
    const change = new vscode.WorkspaceEdit();
    change.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), "Tell me: ");
    assert.ok(await vscode.workspace.applyEdit(change));
    world.ollama.enqueue([text("A sloop."), done()]);
    await edit(notebook, vscode.NotebookEdit.insertCells(2, [question("What kind of boat?")]));
    assert.equal(await run(notebook, 2, 3), true);
    await notebook.save();
    await tidy();
    const associations = { "*.conclave": TYPE };
    const workbench = vscode.workspace.getConfiguration("workbench");
    await workbench.update("editorAssociations", associations, vscode.ConfigurationTarget.Global);
    try {
      await vscode.commands.executeCommand("vscode.diff", old, uri, "before and after");
      for (const said of ["Of pine.", "Of oak, after all.", "Asked with other words: How many masts?"])
        await window.waitForText(OUTPUT, said);
      for (const said of ["Input changed", "Outputs changed"]) await window.waitForText("body", said);
      // What changes with every version of a file is no change that somebody made.
      const [shown = ""] = await window.texts("body");
      assert.doesNotMatch(shown, /Metadata changed/);
      await window.screenshot("notebook-diff");
    } finally {
      await workbench.update("editorAssociations", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it("runs a cell as a turn with the cells above it, and keeps both turns of the cell in the file", async () => {
    const uri = await twoTurns("again");
    const before = await bytesOf(uri);
    const notebook = await open(uri);
    world.ollama.enqueue([text("Of oak, after all."), done()]);
    assert.equal(await run(notebook, 1, 2), true);
    const sent = JSON.stringify(world.ollama.chats.at(-1)?.messages);
    assert.match(sent, /How many masts\?.*Two masts\..*Of what wood\?/);
    assert.doesNotMatch(sent, /pine/);
    await notebook.save();
    const after = await bytesOf(uri);
    assert.ok(after.startsWith(before), "the lines of the log were not left as they are");
    assert.match(after.slice(before.length), /oak/);
    await tidy();
    const again = await open(uri);
    assert.deepEqual(textsOf(again), ["How many masts?", "Of what wood?"]);
    const shown = again.cellAt(1).outputs[0]?.items.map(({ data }) => new TextDecoder().decode(data));
    assert.match(shown?.join() ?? "", /Of oak, after all\./);
  });

  it("runs all cells in order, each with the answers of this run above it", async () => {
    const notebook = await open(await twoTurns("all"));
    world.ollama.enqueue([text("Three masts."), done()], [text("Of teak."), done()]);
    assert.equal(await run(notebook, 0, 2), true);
    const sent = JSON.stringify(world.ollama.chats.at(-1)?.messages);
    assert.match(sent, /Three masts\./);
    assert.doesNotMatch(sent, /Two masts/);
    const orders = notebook.getCells().map(({ executionSummary }) => executionSummary?.executionOrder ?? 0);
    assert.ok((orders[0] ?? 0) < (orders[1] ?? 0), orders.join());
    assert.ok(notebook.cellAt(1).executionSummary?.timing);
  });

  it("stops a cell that runs, keeps what was said, and saves without loss while it runs", async () => {
    const uri = await twoTurns("stopped");
    const before = await bytesOf(uri);
    const notebook = await open(uri);
    world.ollama.enqueue([...words("Half of an"), wait(held)]);
    const started = nextEvent(world.services, "model.start");
    const running = run(notebook, 1, 2);
    await started;
    await notebook.save();
    assert.ok((await bytesOf(uri)).startsWith(before), "a save while a cell ran lost something");
    if (canDrive) await window.waitForText(OUTPUT, "Half of an");
    const ended = nextEvent(world.services, "turn.end");
    await vscode.commands.executeCommand("notebook.cancelExecution");
    assert.equal((await ended).data.outcome, "cancelled");
    assert.equal(await running, false);
    await edit(notebook, vscode.NotebookEdit.insertCells(2, [note("Stopped.")]));
    assert.ok(await notebook.save(), "the notebook was not saved");
    const saved = await bytesOf(uri);
    assert.ok(saved.startsWith(before));
    assert.match(saved, /"type":"turn\.end".*"outcome":"cancelled"/);
    assert.match(saved, /Half of an/);
  });

  const note = (value: string): vscode.NotebookCellData =>
    new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, value, "markdown");
  const question = (value: string): vscode.NotebookCellData =>
    new vscode.NotebookCellData(vscode.NotebookCellKind.Code, value, "plaintext");

  it("keeps edits, new cells, notes and the order when it is saved and opened again", async () => {
    const uri = await twoTurns("edited");
    const before = await bytesOf(uri);
    const notebook = await open(uri);
    const change = new vscode.WorkspaceEdit();
    change.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), "Tell me: ");
    assert.ok(await vscode.workspace.applyEdit(change));
    await edit(
      notebook,
      vscode.NotebookEdit.insertCells(1, [note("A *note* of mine."), question("And how tall?")]),
    );
    const cells = textsOf(notebook);
    assert.deepEqual(cells, [
      "Tell me: How many masts?",
      "A *note* of mine.",
      "And how tall?",
      "Of what wood?",
    ]);
    await notebook.save();
    await tidy();
    const again = await open(uri);
    assert.deepEqual(textsOf(again), cells);
    assert.deepEqual(
      again.getCells().map(({ outputs }) => outputs.length),
      [1, 0, 0, 1],
    );
    assert.ok((await bytesOf(uri)).startsWith(before));
    await edit(again, vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(1, 3)));
    const restored = new vscode.WorkspaceEdit();
    restored.replace(again.cellAt(0).document.uri, new vscode.Range(0, 0, 0, 9), "");
    assert.ok(await vscode.workspace.applyEdit(restored));
    await again.save();
    assert.equal(await bytesOf(uri), before, "taking all edits back does not give the same file");
  });

  it("refuses to run without a model, in words and with the button, and leaves the answer that stands there", async () => {
    const notebook = await open(await twoTurns("refused"));
    await set("model", "");
    assert.equal(await run(notebook, 1, 2), false);
    const items = notebook.cellAt(1).outputs.flatMap((output) => output.items);
    const all = items.map(({ data }) => new TextDecoder().decode(data)).join("\n");
    assert.match(all, /Of \*\*pine\*\*/);
    assert.match(all, /No chat model is chosen yet\. Select one\./);
    if (canDrive) {
      await notified("No chat model is chosen yet");
      await window.screenshot("notebook-refused");
    }
  });

  it("exports a session to a file that opens for reading and as a notebook", async function () {
    if (!canDrive) this.skip();
    world.ollama.enqueue([text("At six."), done()]);
    const { sessionId } = await askCommand("When is low tide?");
    const uri = vscode.Uri.joinPath(folder, "exported.conclave");
    chooseFile("showSaveDialog", uri.fsPath);
    await vscode.commands.executeCommand("conclave.exportNotebook", { sessionId });
    const bytes = await world.services.log.bytes(sessionId);
    assert.ok(bytes.ok);
    // What memory kept of the turn may have come behind it meanwhile.
    const written = await bytesOf(uri);
    assert.ok(written.length > 0 && Buffer.from(bytes.value).toString("latin1").startsWith(written));
    await vscode.commands.executeCommand("vscode.open", uri);
    await window.waitForText("main .cell-answer", "At six.");
    await open(uri);
    await window.waitForText(OUTPUT, "At six.");
  });

  it("opens a session as a notebook, in a file that the user chooses", async () => {
    world.ollama.enqueue([text("At six."), done()]);
    const { sessionId } = await askCommand("When is low tide?");
    const uri = vscode.Uri.joinPath(folder, "tide.conclave");
    chooseFile("showSaveDialog", uri.fsPath);
    await vscode.commands.executeCommand("conclave.openAsNotebook", { sessionId });
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    assert.equal(notebook?.uri.fsPath, uri.fsPath);
    assert.deepEqual(textsOf(notebook), ["When is low tide?"]);
    assert.equal(notebook.isDirty, false);
    if (canDrive) await window.waitForText(OUTPUT, "At six.");
  });

  it("opens the session that the panel shows with one question, where to, and a free place proposed", async function () {
    if (!canDrive) this.skip();
    world.ollama.enqueue([text("At six."), done()]);
    const place = await askCommand("When is low tide?");
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(folder, "when-is-low-tide.conclave"),
      new Uint8Array(),
    );
    await vscode.commands.executeCommand("conclave.openTracePanel", place);
    await window.waitForText("main .cell-answer", "At six.");
    const shown = vscode.window.showSaveDialog;
    const proposed: (string | undefined)[] = [];
    const saveAsProposed = (options: vscode.SaveDialogOptions) => {
      proposed.push(options.defaultUri?.fsPath);
      return Promise.resolve(options.defaultUri);
    };
    Object.assign(vscode.window, { showSaveDialog: saveAsProposed });
    try {
      await vscode.commands.executeCommand("conclave.openAsNotebook");
    } finally {
      Object.assign(vscode.window, { showSaveDialog: shown });
    }
    const uri = vscode.Uri.joinPath(folder, "when-is-low-tide-2.conclave");
    assert.deepEqual(proposed, [uri.fsPath]);
    assert.equal(vscode.window.activeNotebookEditor?.notebook.uri.fsPath, uri.fsPath);
    await window.waitForText(OUTPUT, "At six.");
  });

  it("does not open a private session, which would write it to the disk", async () => {
    const sessionId = await vscode.commands.executeCommand<string>("conclave.newPrivateSession");
    await tidy();
    world.ollama.enqueue([text("Nobody."), done()]);
    await askCommand("Who may know?", sessionId);
    assert.equal(await vscode.commands.executeCommand("conclave.openAsNotebook", { sessionId }), undefined);
    assert.equal(vscode.window.activeNotebookEditor, undefined);
  });

  it("begins with an empty cell when it is new, and runs it before anything is saved", async () => {
    const notebook = await vscode.workspace.openNotebookDocument(TYPE);
    await vscode.window.showNotebookDocument(notebook);
    assert.deepEqual(textsOf(notebook), [""]);
    await edit(
      notebook,
      vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(0, 1), [question("When is high tide?")]),
    );
    world.ollama.enqueue([text("At noon."), done()]);
    assert.equal(await run(notebook, 0, 1), true);
    if (canDrive) await window.waitForText(OUTPUT, "At noon.");
  });
});
