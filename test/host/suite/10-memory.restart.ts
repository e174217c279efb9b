import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, text, toolCall } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { askCommand, createWorld, left, type World } from "./world.ts";

describe("after the window was opened again", () => {
  let world: World;

  before(async () => {
    world = await createWorld();
  });

  after(async () => {
    await world.close();
  });

  it("what was said before is found in memory", async () => {
    world.ollama.enqueue(
      [toolCall("search_memory", { query: "Redis cache decision" }), done()],
      [text("You ruled out Redis."), done()],
    );
    const result = await askCommand("Did we rule something out?");
    const found = world.events.find(
      (event) => event.turnId === result.turnId && event.type === "tool.result",
    );
    assert.match(JSON.stringify(found), /rule out Redis/);
  });

  it("a session goes on with its history, tool messages and all", async () => {
    const { sessionId } = await left();
    assert.ok(sessionId);
    world.ollama.enqueue([text("As I said."), done()]);
    await askCommand("And why?", sessionId);
    const sent = JSON.stringify(world.ollama.chats.at(-1)?.messages);
    assert.match(sent, /what did we decide about the cache/);
    assert.match(sent, /"role":"tool"/);
    assert.doesNotMatch(sent, /"thinking"/);
  });

  it("the panel lists the turns of before", async function () {
    if (!canDrive) this.skip();
    await vscode.commands.executeCommand("conclave.openTracePanel");
    await window.fill("nav.turns input", "decide about the cache");
    await window.waitForText("nav.turns .row", "what did we decide about the cache?");
    await window.screenshot("panel-after-restart");
  });
});
