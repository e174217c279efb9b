import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { done, text, toolCall } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { answerDialog, leaveList, lines, notified, palette, pressNotified, tidy } from "./user.ts";
import { askCommand, createWorld, leave, set, type World } from "./world.ts";

describe("the tools of an editor", () => {
  let world: World;

  beforeEach(async () => {
    world = await createWorld();
    await tidy();
  });

  afterEach(async () => {
    await world.close();
  });

  /** A turn in which the model makes one call; gives what it was given. */
  async function turnWith(tool: string, args: object): Promise<string> {
    world.ollama.enqueue([toolCall(tool, { ...args }), done()], [text("I see."), done()]);
    const result = await askCommand("Please do it.");
    assert.equal(result.outcome, "answered");
    const messages = world.ollama.chats.at(-1)?.messages ?? [];
    return String(messages.findLast(({ role }) => role === "tool")?.content);
  }

  it("read a file of the open folder, as it stands in the editor, and nothing outside of it", async () => {
    const given = await turnWith("read_file", { path: "src/cache.ts" });
    assert.match(given, /<untrusted_content source="src\/cache\.ts">[^]*Date\.now\(\) \+ 600_000/);
    assert.match(
      await turnWith("read_file", { path: "../data/User/settings.json" }),
      /not in the open folders/,
    );
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const readme = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, "README.md"));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(readme.uri, new vscode.Position(0, 0), "Not saved yet.\n");
    await vscode.workspace.applyEdit(edit);
    try {
      assert.match(await turnWith("read_file", { path: "README.md" }), /1 {2}Not saved yet\./);
    } finally {
      await vscode.window.showTextDocument(readme);
      await vscode.commands.executeCommand("workbench.action.files.revert");
    }
  });

  it("search and list the open folder, and give what the editor found wrong with it", async () => {
    assert.match(await turnWith("search_files", { query: "600_000" }), /src\/cache\.ts:\d+: /);
    assert.match(await turnWith("list_files", { glob: "*.ts" }), /src\/cache\.ts/);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const collection = vscode.languages.createDiagnosticCollection("tide");
    const range = new vscode.Range(2, 4, 2, 9);
    const found = new vscode.Diagnostic(range, "The tide is out.", vscode.DiagnosticSeverity.Error);
    collection.set(vscode.Uri.joinPath(folder.uri, "src", "cache.ts"), [found]);
    try {
      assert.match(await turnWith("get_diagnostics", {}), /src\/cache\.ts:3:5 error: The tide is out\./);
    } finally {
      collection.dispose();
    }
  });

  it("show a reminder when it is due, with its turn behind it, and list it until it is deleted", async function () {
    if (!canDrive) this.skip();
    const when = new Date(Date.now() + 1_500).toISOString();
    assert.match(await turnWith("remind_me", { text: "Feed the gulls", when }), /will be reminded/);
    await notified("Reminder: Feed the gulls");
    await window.screenshot("reminder");
    await pressNotified("Show turn");
    await window.waitForText(".tab", "Conclave");
    await tidy();
    await palette("Show Reminders");
    assert.match(await lines("Feed the gulls"), /shown/);
    await leaveList();
    const { reminders } = world.container;
    const kept = await reminders.list();
    assert.ok(kept.ok);
    for (const { id } of kept.value) await reminders.remove(id);
    const file = join(world.container.extension.globalStorageUri.fsPath, "reminders.json");
    assert.doesNotMatch(await readFile(file, "utf8"), /gulls/);
  });

  it("keep a reminder that is not due yet, for the next time the window opens", async () => {
    assert.match(
      await turnWith("remind_me", { text: "Wind the clock", when: "tomorrow" }),
      /will be reminded/,
    );
    await leave({ reminder: "Wind the clock" });
  });

  it("run a command of the list after a dialog that names it, and no other", async () => {
    let ran: unknown[] = [];
    const command = vscode.commands.registerCommand("tide.test", (...args: unknown[]) => {
      ran = args;
      return "It came in.";
    });
    try {
      assert.match(await turnWith("action", { command: "tide.test" }), /"tide\.test" is not allowed/);
      await set("tools.actions", ["tide.test"]);
      const asked = answerDialog("Run");
      assert.match(await turnWith("action", { command: "tide.test", arguments: [7] }), /It came in\./);
      const { message, detail } = await asked;
      assert.equal(message, "Run the command tide.test?");
      assert.match(detail, /7/);
      assert.deepEqual(ran, [7]);
      void answerDialog(undefined);
      assert.match(await turnWith("action", { command: "tide.test" }), /The user declined/);
    } finally {
      await set("tools.actions", undefined);
      command.dispose();
    }
  });

  it("are offered to other agents by VS Code, those that only read", async () => {
    const id = "0a1b2c3d-0000-4000-8000-00000000f00d";
    const now = Date.now();
    const saved = await world.services.memory.saveMoments(
      [
        {
          ...{
            id,
            title: "Lighthouse",
            text: "It was painted red.",
            scope: "",
            agent: "conclave",
            turns: [],
          },
          ...{ from: now, to: now, source: { sessionId: "s", turnId: "t", time: now } },
        },
      ],
      new AbortController().signal,
    );
    assert.ok(saved.ok);
    const names = vscode.lm.tools.map(({ name }) => name);
    for (const tool of ["search_memory", "search_knowledge_graph", "get_moments", "web_fetch"])
      assert.ok(names.includes(`conclave_${tool}`), `${tool} of ${names.join(", ")}`);
    const invoke = async (name: string, input: object): Promise<string> => {
      const given = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
      return given.content
        .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ""))
        .join("");
    };
    // The dialog that asks the user first is one that VS Code answers with yes while it runs tests.
    assert.match(
      await invoke("conclave_get_moments", { query: "lighthouse" }),
      /Lighthouse: It was painted red/,
    );
    assert.match(await invoke("conclave_web_fetch", { url: world.page }), /tide cache is dropped/);
  });

  it("of VS Code itself are given to an agent whose file names them, and to no other", async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    const folder = join(root.uri.fsPath, ".conclave", "agents");
    await mkdir(folder, { recursive: true });
    const file = "name: Keeper\nprompt: Keep watch.\ntools: [terminal_last_command, read_file]\n";
    await writeFile(join(folder, "keeper.yaml"), file);
    const offered = (): readonly string[] =>
      (world.ollama.chats.at(-1)?.tools ?? []).map(({ function: { name } }) => name);
    try {
      await set("agent", "Keeper");
      const given = await turnWith("terminal_last_command", {});
      assert.match(given, /<untrusted_content source="terminal_last_command">/);
      assert.deepEqual(offered(), ["read_file", "terminal_last_command"]);
      await set("agent", undefined);
      assert.match(await turnWith("terminal_last_command", {}), /There is no tool "terminal_last_command"/);
      assert.ok(!offered().includes("terminal_last_command"));
    } finally {
      await set("agent", undefined);
      await rm(join(folder, ".."), { recursive: true, force: true });
    }
  });
});
