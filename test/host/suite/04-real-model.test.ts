import assert from "node:assert/strict";
import * as vscode from "vscode";
import { canDrive, window } from "./driver.ts";
import { askCommand, createWorld, nextEvent, set, useServer, type World } from "./world.ts";

const REAL = process.env["CONCLAVE_REAL_OLLAMA"] ?? "";

/** A small real model on a real server: what it says is its own affair, that it is heard is ours. */
describe("a real model on a real Ollama", () => {
  let world: World;

  before(async function () {
    if (REAL === "" && process.env["CI"] !== "true") this.skip();
    assert.notEqual(REAL, "", "no real Ollama server was started");
    world = await createWorld();
    await set("maxOutputTokens", 120);
  });

  after(async () => {
    if (REAL === "") return;
    await set("maxOutputTokens", undefined);
    await set("toolProtocol", undefined);
    await set("think", undefined);
    await world.close();
  });

  it("answers in the chat, word by word", async () => {
    await useServer(REAL, "conclave-smollm2:latest");
    await set("think", "off");
    const deltas = new Set<string>();
    const stop = world.services.engine.onEvent((event) => {
      if (event.type === "model.delta" && event.data.channel === "answer") deltas.add(event.data.text);
    });
    const ended = nextEvent(world.services, "turn.end");
    await vscode.commands.executeCommand("workbench.action.chat.open", {
      query: "@conclave Name three colours of the sea.",
      blockOnResponse: true,
    });
    stop();
    assert.equal((await ended).data.outcome, "answered");
    assert.ok(deltas.size > 1, `came in ${deltas.size} pieces`);
    if (canDrive) await window.screenshot("chat-real-model");
  });

  it("thinks apart from the answer", async () => {
    await useServer(REAL, "conclave-smollm2:latest");
    await set("think", "on");
    const end = nextEvent(world.services, "model.end");
    await askCommand("What is two and three?");
    assert.notEqual((await end).data.thinking, "");
  });

  it("is offered no tool that the question does not ask for, small as it is, and answers", async () => {
    await useServer(REAL, "conclave-smollm2:latest");
    const schema = nextEvent(world.services, "tool.schema");
    const result = await askCommand("What is the sea made of?");
    assert.deepEqual((await schema).data.tools, []);
    assert.equal((await schema).data["conclave.recall"], "first");
    assert.equal(result.outcome, "answered", JSON.stringify(result.error));
  });

  it("without the tools capability gets tools by constrained output where the setting says so", async () => {
    await useServer(REAL, "conclave-smollm2-plain:latest");
    await set("toolProtocol", "constrained");
    const step = nextEvent(world.services, "step.start");
    const result = await askCommand("What do you remember about the cache?");
    assert.equal((await step).data["conclave.protocol"], "constrained");
    assert.equal(result.outcome, "answered", JSON.stringify(result.error));
  });
});
