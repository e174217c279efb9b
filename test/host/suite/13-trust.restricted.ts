import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, text, toolCall } from "../../support/ollama/index.ts";
import { askCommand, createWorld, type World } from "./world.ts";

describe("a folder that is not trusted", () => {
  let world: World;

  before(async () => {
    world = await createWorld();
  });

  after(async () => {
    await world.close();
  });

  it("can't redirect server, model, prompt, memory or search: the user's own values answer", async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const asked = vscode.workspace.getConfiguration("conclave").inspect("ollama.host");
    assert.equal(asked?.workspaceValue, undefined, "VS Code hands nothing of it on");
    world.ollama.enqueue([text("From your own server."), done()]);
    const { answer } = await askCommand("Who answers?");
    assert.equal(answer, "From your own server.");
    const [request] = world.ollama.chats;
    assert.equal(request?.model, "scripted:latest");
    assert.doesNotMatch(JSON.stringify(request.messages), /hostile/);
    const { settings } = world.services.settings();
    assert.deepEqual(
      [settings.memoryUri, settings.memorySearchScope, settings.webSearchUrl],
      ["", "workspace", ""],
    );
  });

  it("has none of its files read, and names no command that may be run", async () => {
    const call = toolCall("read_file", { path: "README.md" });
    world.ollama.enqueue([call, done()], [text("I can't see it."), done()]);
    await askCommand("What does the readme say?");
    const [first, last] = world.ollama.chats.slice(-2);
    const offered = (first?.tools ?? []).map(({ function: { name } }) => name);
    assert.ok(offered.includes("remind_me") && !offered.includes("read_file"), offered.join(" "));
    assert.match(String(last?.messages.at(-1)?.content), /The open folder is not trusted/);
    assert.ok(!world.services.settings().settings.toolsActions.includes("workbench.action.quit"));
  });

  it("has none of its evaluation cases run", async () => {
    const before = world.ollama.chats.length;
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const result: unknown = await vscode.commands.executeCommand("conclave.runEvaluation", {
      files: [folder?.uri.fsPath ?? ""],
      model: "scripted:latest",
    });
    assert.equal(result, undefined);
    assert.equal(world.ollama.chats.length, before);
  });

  it("has none of its rubrics used", async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const rubrics = vscode.Uri.joinPath(folder.uri, ".conclave", "rubrics");
    const text = "name: brevity\ncriterion: Is it a five?\nlevels: [Yes, Yes, Yes, Yes, Yes]\n";
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(rubrics, "a.yaml"), Buffer.from(text));
    try {
      const { rubrics: known } = world.services.rubrics();
      assert.ok(known.every(({ criterion }) => criterion !== "Is it a five?"));
    } finally {
      await vscode.workspace.fs.delete(rubrics, { recursive: true });
    }
  });

  it("is told of in one line, with every setting that is not used", async () => {
    const line = (await world.services.workspaceNote.line()) ?? "";
    for (const name of [
      "ollama.host",
      "model",
      "systemPrompt",
      "memory.uri",
      "memory.searchScope",
      "web.search.url",
      "tools.actions",
    ])
      assert.ok(line.includes(`conclave.${name}`), line);
    assert.match(line, /not trusted/);
    assert.doesNotMatch(line, /127\.0\.0\.1:9/);
  });
});
