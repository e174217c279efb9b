/** Two personas talk to each other, begun by hand from the Command Palette, and the panel shows it. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { SandboxResult } from "../../../src/vscode/commands/sandbox.ts";
import { done, gate, text, wait, words } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { answerBox, confirmPicks, notified, palette, pick, pressNotified, tidy } from "./user.ts";
import { createWorld, nextEvent, type World } from "./world.ts";

describe("the sandbox", () => {
  let world: World;
  let held: ReturnType<typeof gate>;

  before(function () {
    if (!canDrive) this.skip();
  });

  beforeEach(async () => {
    held = gate();
    world = await createWorld({ models: [{ name: "scripted:latest" }, { name: "tide:8b" }] });
    await tidy();
    await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
  });

  afterEach(async () => {
    if (!canDrive) return;
    held.open();
    await world.close();
  });

  it("lets two personas that were picked talk from an opening line, and shows the talk in the trace", async () => {
    world.ollama.enqueue(
      [text("The log, since nothing else can be made anew."), done()],
      [text("The tests: they say what the log was for."), done()],
      [text("A log without a reader is only weight."), done()],
      [text("Then keep the reader, and drop the rest."), done()],
    );
    const ended = nextEvent(world.services, "sandbox.end");
    await palette("Start Sandbox");
    await pick("Skeptic");
    await pick("Pragmatist");
    await confirmPicks();
    await answerBox("opening line", "What would you keep of this project?");
    await answerBox("scene (optional)", "On a ferry, an hour before it lands.");
    await answerBox("rounds", "2");
    const { data, sessionId } = await ended;
    assert.equal(data["conclave.stopped"], "rounds");
    assert.equal(data["conclave.messages_said"], 4);
    assert.equal(world.ollama.chats.length, 4);
    assert.deepEqual(
      data["conclave.rounds"].map(({ drift }) => typeof drift),
      ["number", "number"],
    );
    await window.waitForText("main .cell-sandbox", "Skeptic, Pragmatist · 4 messages · all rounds were had");
    await window.waitForText("main .cell-round", "The tests: they say what the log was for.");
    await window.click("main .cell-sandbox .head");
    await window.waitForText("main .cell-sandbox", "On a ferry, an hour before it lands.");
    await window.screenshot("sandbox");
    await world.services.log.flush();
    const said: string[] = [];
    for await (const item of world.services.log.read(sessionId))
      if (item.type === "event" && item.event.type === "sandbox.message") said.push(item.event.data.speaker);
    assert.deepEqual(said, ["opening", "Skeptic", "Pragmatist", "Skeptic", "Pragmatist"]);
  });

  it("stops by the button of its notification, and keeps what was said", async () => {
    world.ollama.enqueue([text("The log."), done()], [...words("The te"), wait(held)]);
    const running = vscode.commands.executeCommand<SandboxResult>("conclave.startSandbox", {
      personas: [{ name: "Skeptic" }, { name: "Pragmatist", model: "tide:8b" }],
      opening: "What would you keep?",
      open: false,
    });
    await notified("Pragmatist speaks (tide:8b)");
    await pressNotified("Cancel");
    const { outcome, stopped, messages } = await running;
    assert.deepEqual([outcome, stopped], ["cancelled", "cancelled"]);
    assert.deepEqual(
      messages.map(({ speaker }) => speaker),
      ["opening", "Skeptic"],
    );
  });

  it("refuses in words what can't begin", async () => {
    const refused = await vscode.commands.executeCommand<{ readonly outcome: string; readonly error: Error }>(
      "conclave.startSandbox",
      { personas: [{ name: "Skeptic" }, { name: "Sceptik" }], opening: "Go.", open: false },
    );
    assert.equal(refused.outcome, "refused");
    assert.match(refused.error.message, /no agent "Sceptik"/u);
  });
});

describe("dreaming", () => {
  let world: World;

  before(function () {
    if (!canDrive) this.skip();
  });

  beforeEach(async () => {
    world = await createWorld();
    await tidy();
  });

  afterEach(async () => {
    if (canDrive) await world.close();
  });

  it("on command keeps moments of recent sessions, which can then be found", async () => {
    world.ollama.enqueue([text("Ten minutes, since a row seldom changes."), done()]);
    await vscode.commands.executeCommand("conclave.ask", {
      question: "How long does the quayside cache live?",
      open: false,
    });
    const moment = { title: "Quayside cache", text: "The quayside cache lives for ten minutes." };
    world.ollama.enqueue([text(JSON.stringify({ moments: [moment] })), done()]);
    const ended = nextEvent(world.services, "tool.result", ({ data }) => data.name === "save_moments");
    assert.equal(await vscode.commands.executeCommand("conclave.dream"), 1);
    assert.equal((await ended).data.error, undefined);
    assert.match(JSON.stringify(world.ollama.chats.at(-1)?.messages), /quayside cache live\?/u);
    await notified("gave 1 moment");
    const { signal } = new AbortController();
    const found = await world.services.memory.moments({ query: "quayside", limit: 5 }, signal);
    assert.ok(found.ok, JSON.stringify(found));
    assert.deepEqual(
      found.value.moments.map(({ moment: { title } }) => title),
      ["Quayside cache"],
    );
    assert.equal(await vscode.commands.executeCommand("conclave.dream"), 0);
  });
});
