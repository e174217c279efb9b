import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { otlpJson } from "../../../src/trace/export/otlp/build.ts";
import type { TurnEvent } from "../../../src/agent/events.ts";
import { sweepNow } from "../../../src/vscode/files/start-sweeping.ts";
import { done, text } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { answerDialog, confirmPicks, lines, notified, palette, panelWorld, pick, tidy } from "./user.ts";
import { askCommand, nextEvent, set, settled, storedIn, type World } from "./world.ts";

const DAY = 24 * 60 * 60_000;
const ROW = "nav.turns .row";

describe("trace files in the window", () => {
  let world: World;
  let folder: vscode.Uri;
  const made: vscode.Uri[] = [];

  before(function () {
    if (!canDrive) this.skip();
  });

  beforeEach(async () => {
    world = await panelWorld();
    const opened = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(opened);
    folder = opened;
  });

  afterEach(async () => {
    if (!canDrive) return;
    await tidy();
    for (const uri of made.splice(0)) await rm(uri.fsPath, { force: true });
    await world.close();
  });

  /** A turn that is answered, and where its log lies. */
  async function turn(question: string, answer: string) {
    world.ollama.enqueue([text(answer), done()]);
    const kept = nextEvent(world.services, "memory.ingested");
    const { sessionId, turnId } = await askCommand(question);
    await kept;
    await world.services.log.flush();
    const storage = world.container.extension.globalStorageUri.fsPath;
    return { sessionId, turnId, path: join(storage, "sessions", `${sessionId}.jsonl`) };
  }

  async function file(name: string, content: string | Uint8Array): Promise<vscode.Uri> {
    const uri = vscode.Uri.joinPath(folder, name);
    made.push(uri);
    await writeFile(uri.fsPath, content);
    return uri;
  }

  const activeTab = () => vscode.window.tabGroups.activeTabGroup.activeTab?.input;

  it("opens by a click in the explorer, read only, in the same view", async () => {
    const { path } = await turn("Where is the harbour?", "Behind the lighthouse.");
    await file("harbour.conclave", await readFile(path));
    await vscode.commands.executeCommand("workbench.view.explorer");
    await window.click(".explorer-folders-view .monaco-list-row", "harbour.conclave");
    await window.waitForText("main .cell-answer", "Behind the lighthouse.");
    await window.waitForText("footer", "read only");
    await window.screenshot("file-open");
    const input = activeTab();
    assert.ok(input instanceof vscode.TabInputCustom);
    assert.equal(input.viewType, "conclave.traceFile");
    assert.equal(await window.count("footer textarea"), 0);
    await window.click("footer button", "Open as text");
    await window.waitGone("main .cell-answer");
    assert.ok(activeTab() instanceof vscode.TabInputText);
    await vscode.commands.executeCommand("workbench.view.extension.conclave");
  });

  it("says of a file that is none what it is not", async () => {
    const uri = await file("page.conclave", "# A page\n\nOf words, not of events.\n");
    await vscode.commands.executeCommand("vscode.open", uri);
    await window.waitForText("main .empty h2", "page.conclave holds no trace");
    await window.screenshot("file-wrong");
  });

  it("is shown anew when it changes on the disk, and says so when it goes", async () => {
    const first = await turn("How deep is the bay?", "Nine metres.");
    const second = await turn("How wide is the bay?", "A mile.");
    const uri = await file("bay.conclave", await readFile(first.path));
    await vscode.commands.executeCommand("vscode.open", uri);
    await window.waitForText("main .cell-answer", "Nine metres.");
    await writeFile(uri.fsPath, await readFile(second.path));
    await window.waitForText(ROW, "How wide is the bay?");
    await rm(uri.fsPath);
    await window.waitForText("footer", "can't be read any more");
  });

  it("opens from a file system that is not the disk", async () => {
    const { path } = await turn("Who keeps the light?", "Nobody since 1980.");
    const bytes = await readFile(path);
    const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
    const only = vscode.workspace.registerFileSystemProvider(
      "shelf",
      {
        onDidChangeFile: changed.event,
        watch: () => new vscode.Disposable(() => undefined),
        stat: () => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: bytes.length }),
        readDirectory: () => [],
        createDirectory: () => undefined,
        readFile: () => bytes,
        writeFile: () => undefined,
        delete: () => undefined,
        rename: () => undefined,
      },
      { isReadonly: true },
    );
    await vscode.commands.executeCommand("vscode.open", vscode.Uri.parse("shelf:/light.conclave"));
    await window.waitForText("main .cell-answer", "Nobody since 1980.");
    only.dispose();
  });

  it("is exported by its button, as it stands in the file: what this machine knows of it plays no part", async () => {
    const { path, sessionId, turnId } = await turn("What is the lighthouse made of?", "Of granite.");
    const uri = await file(
      "granite.conclave",
      (await readFile(path, "utf8")).replaceAll("granite", "basalt"),
    );
    await vscode.commands.executeCommand("vscode.open", uri);
    await window.waitForText("main .cell-answer", "Of basalt.");
    await window.click("footer button", "Export");
    await pick("Markdown");
    await lines("Secrets");
    await confirmPicks();
    await notified("would go out");
    await window.screenshot("file-exported");
    const shown = vscode.window.activeTextEditor?.document.getText() ?? "";
    assert.match(shown, /What is the lighthouse made of\?[^]*Of basalt\./);
    assert.doesNotMatch(shown, /granite/);
    const [to, other] = ["basalt.conclave", "own.conclave"].map((name) => vscode.Uri.joinPath(folder, name));
    assert.ok(to && other);
    made.push(to, other);
    // From the palette of the file's editor, or by code, one turn of it.
    const options = { sessionId, turnId, format: "jsonl" } as const;
    await vscode.commands.executeCommand("conclave.exportTurn", { ...options, file: uri.toString() });
    await vscode.commands.executeCommand("conclave.saveExport", to.fsPath);
    assert.match(await readFile(to.fsPath, "utf8"), /Of basalt/);
    // The same session of this machine's own log, once no file is in front.
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("conclave.exportTurn", options);
    await vscode.commands.executeCommand("conclave.saveExport", other.fsPath);
    assert.match(await readFile(other.fsPath, "utf8"), /Of granite/);
  });

  it("is imported by its button: marked, gone on with, and never remembered", async () => {
    const { path, sessionId } = await turn("What is the ferry called?", "The Marguerite.");
    const renamed = (await readFile(path, "utf8"))
      .replaceAll("Marguerite", "Isolde")
      .replaceAll("ferry", "barge");
    const uri = await file("barge.conclave", renamed);
    await vscode.commands.executeCommand("vscode.open", uri);
    await window.waitForText("main .cell-answer", "The Isolde.");
    await window.click("footer button", "Import");
    await notified("1 turn was imported from barge.conclave");
    await window.waitForText("header", "from barge.conclave");
    await window.screenshot("file-imported");
    const page = await world.services.log.sessions({ offset: 0, limit: 5 });
    const imported = page.ok ? page.value.sessions.find(({ title }) => title.includes("barge")) : undefined;
    assert.ok(imported);
    assert.notEqual(imported.sessionId, sessionId);
    world.ollama.enqueue([text("In 1931."), done()]);
    await askCommand("Built when?", imported.sessionId);
    const sent = JSON.stringify(world.ollama.chats.at(-1));
    assert.match(sent, /The Isolde/);
    const where = await storedIn(world, "Isolde");
    assert.deepEqual(
      where.filter((name) => !name.startsWith("sessions")),
      [],
    );
  });

  it("is imported from spans as OTLP JSON, by the command", async () => {
    const { sessionId } = await turn("How many buoys?", "Twelve buoys.");
    const events: TurnEvent[] = [];
    for await (const item of world.services.log.read(sessionId))
      if (item.type === "event") events.push(item.event);
    const uri = await file("buoys.json", otlpJson(events));
    const ids = await vscode.commands.executeCommand<readonly string[]>("conclave.importTrace", uri);
    assert.equal(ids.length, 1);
    await window.waitForText("main .cell-answer", "Twelve buoys.");
    await window.waitForText("header", "from buoys.json");
    const none = await file("notes.txt", "nothing of the kind");
    assert.equal(await vscode.commands.executeCommand("conclave.importTrace", none), undefined);
    await notified("notes.txt holds no event of a trace");
  });

  it("asks before a link of somebody else's opens", async () => {
    const { path } = await turn("Where is it written?", "[Here](https://example.test/log), they say.");
    const uri = await file("link.conclave", await readFile(path));
    await vscode.commands.executeCommand("vscode.open", uri);
    await window.waitForText("main .cell-answer a", "Here");
    const asked = answerDialog(undefined);
    await window.click("main .cell-answer a", "Here");
    const { message, detail } = await asked;
    assert.match(message, /somebody else made/);
    assert.equal(detail, "https://example.test/log");
  });

  it("goes with all its files when its session is deleted; memory stays unless that is asked for", async () => {
    const one = await turn("What colour is the pier?", "It is painted vermilion.");
    const two = await turn("And the boathouse?", "It is painted ultramarine.");
    await vscode.commands.executeCommand("conclave.openTracePanel", one);
    await window.waitForText("main .cell-answer", "vermilion");
    const asked = answerDialog("Delete Trace Only");
    await vscode.commands.executeCommand("conclave.deleteSession", one.sessionId);
    const { message, detail } = await asked;
    assert.match(message, /What colour is the pier\?/);
    assert.match(detail, /What was remembered stays in memory/);
    await window.waitGone("main .cell-answer", "vermilion");
    await window.waitGone(ROW, "What colour is the pier?");
    assert.equal(existsSync(one.path), false);
    assert.ok((await storedIn(world, "vermilion")).length > 0);
    const both = answerDialog("Delete Trace and Memories");
    assert.equal(await vscode.commands.executeCommand("conclave.deleteSession", two.sessionId), 1);
    await both;
    assert.deepEqual(await storedIn(world, "ultramarine"), []);
    const kept = answerDialog(undefined);
    assert.equal(await vscode.commands.executeCommand("conclave.deleteAllSessions"), 0);
    assert.match((await kept).message, /^Delete (\d+ sessions|the session)/);
  });

  it("goes when it is older than the setting says, but never while it stands in the panel", async () => {
    const [old, open, young] = [
      await turn("Oldest question?", "Oldest answer."),
      await turn("Open question?", "Open answer."),
      await turn("Young question?", "Young answer."),
    ];
    await vscode.commands.executeCommand("conclave.openTracePanel", open);
    await window.waitForText("main .cell-answer", "Open answer.");
    const past = new Date(Date.now() - 3 * DAY);
    for (const { path } of [old, open]) await utimes(path, past, past);
    await set("trace.keepDays", 2);
    await settled("trace.keepDays", 2);
    const swept = await sweepNow(world.container, new AbortController().signal);
    await set("trace.keepDays", undefined);
    assert.deepEqual(swept.ok && swept.value.gone.map(({ sessionId }) => sessionId), [old.sessionId]);
    assert.deepEqual(
      [old, open, young].map(({ path }) => existsSync(path)),
      [false, true, true],
    );
  });

  it("has its commands in the palette", async () => {
    const asked = answerDialog(undefined);
    await turn("Anything?", "Something.");
    await palette("Delete All Sessions");
    assert.match((await asked).message, /^Delete /);
  });
});
