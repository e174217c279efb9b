import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, text } from "../../support/ollama/index.ts";
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

  it("is told of in one line, with every setting that is not used", async () => {
    const line = (await world.services.workspaceNote.line()) ?? "";
    for (const name of [
      "ollama.host",
      "model",
      "systemPrompt",
      "memory.uri",
      "memory.searchScope",
      "web.search.url",
    ])
      assert.ok(line.includes(`conclave.${name}`), line);
    assert.match(line, /not trusted/);
    assert.doesNotMatch(line, /127\.0\.0\.1:9/);
  });
});
