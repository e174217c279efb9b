import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, gate, line, text, wait } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import {
  answerBox,
  answerDialog,
  confirmPicks,
  leaveList,
  lines,
  notified,
  notNotified,
  palette,
  pick,
  pressNotified,
  settingBecomes,
  tidy,
} from "./user.ts";
import { askCommand, createWorld, nextEvent, set, type World } from "./world.ts";

const GIGABYTE = 1_000_000_000;
const part = { status: "pulling abc", digest: "sha256:abc", total: 2 * GIGABYTE, completed: GIGABYTE / 2 };

describe("commands, from the Command Palette", () => {
  let world: World;
  let held: ReturnType<typeof gate>;

  before(function () {
    if (!canDrive) this.skip();
  });

  beforeEach(async () => {
    held = gate();
    const steps = [line(part), wait(held), line({ status: "success" })];
    world = await createWorld({
      models: [
        { name: "scripted:latest" },
        {
          name: "tide:8b",
          capabilities: ["completion", "tools", "thinking"],
          ...{ size: 5.2 * GIGABYTE, parameterSize: "8.2B", contextLength: 40_960 },
        },
        { name: "shell-embedder:latest", capabilities: ["embedding"] },
      ],
      pulls: { "tide:1b": { steps }, "tide:70b": { steps } },
    });
    await tidy();
  });

  afterEach(async () => {
    if (!canDrive) return;
    held.open();
    await world.close();
  });

  it("Select Model shows how big models are and what they can do, and the one picked answers", async () => {
    await palette("Select Model...");
    const shown = await lines("tide:8b");
    assert.match(shown, /5\.2 GB · tools, thinking/);
    assert.match(shown, /8\.2B.* · 40,960 tokens of context/);
    assert.doesNotMatch(shown, /shell-embedder/);
    await window.screenshot("select-model");
    const chosen = settingBecomes("model", "tide:8b");
    await pick("tide:8b");
    await chosen;
    world.ollama.enqueue([text("Aye."), done()]);
    await askCommand("Who answers?");
    assert.equal(world.ollama.chats.at(-1)?.model, "tide:8b");
  });

  it("Pull Model shows how far it is, and offers the model when it is there", async () => {
    await palette("Pull Model...");
    await answerBox("Downloads are some gigabytes", "tide:1b");
    await notified("25 % of 2.0 GB");
    await window.screenshot("pull-model");
    held.open();
    await notified("tide:1b is there.");
    const chosen = settingBecomes("model", "tide:1b");
    await pressNotified("Use it");
    await chosen;
  });

  it("Pull Model can be cancelled: the server stops too, and nothing is said of an error", async () => {
    await palette("Pull Model...");
    await answerBox("Downloads are some gigabytes", "tide:70b");
    await notified("25 % of 2.0 GB");
    const request = world.ollama.requests.find(({ path }) => path === "/api/pull");
    await pressNotified("Cancel");
    assert.equal(await request?.ended, "aborted");
    await notNotified("tide:70b");
  });

  it("Forget names what goes, asks, and what went is found no more", async () => {
    const { memory, identity } = world.services;
    const signal = AbortSignal.timeout(60_000);
    const note = "The harbour master wants the blue ropes back by Friday.";
    const place = { sessionId: identity.uuid(), turnId: identity.turnId(), agent: "user", respondent: "A" };
    await memory.add(
      [
        {
          id: identity.uuid(),
          ...place,
          question: "",
          answer: note,
          model: "",
          time: Date.now(),
          kind: "note",
        },
      ],
      signal,
    );
    const found = async (): Promise<boolean> => {
      const search = await memory.search({ query: "blue ropes harbour master", limit: 5 }, signal);
      assert.ok(search.ok, JSON.stringify(search));
      return search.value.hits.some(({ episode }) => episode.answer === note);
    };
    assert.ok(await found());
    for (const button of [undefined, "Forget"]) {
      const asked = answerDialog(button);
      await palette("Forget Memories...");
      await pick("blue ropes");
      await window.screenshot("forget");
      await confirmPicks();
      const { message, detail } = await asked;
      assert.equal(message, "Forget 1 episode for good?");
      assert.ok(detail.includes(note), detail);
      if (button === undefined) assert.ok(await found());
    }
    await notified("Forgotten: 1 episode.");
    assert.equal(await found(), false);
  });

  it("Show Memory opens the panel on the memory table, also where the panel shows a turn", async () => {
    world.ollama.enqueue([text("The oars are in the shed."), done()]);
    const kept = nextEvent(world.services, "memory.ingested");
    const { sessionId, turnId } = await askCommand("Where are the oars?");
    await kept;
    await vscode.commands.executeCommand("conclave.openTracePanel", { sessionId, turnId });
    await window.waitForText("main .cell-answer", "in the shed");
    await palette("Show Memory");
    await window.waitForText("main .memory", "Where are the oars?");
    await window.screenshot("show-memory");
    await vscode.commands.executeCommand("conclave.openTracePanel", { sessionId, turnId });
    await window.waitForText("main .cell-answer", "in the shed");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await palette("Show Memory");
    await window.waitForText("main .memory", "Where are the oars?");
  });

  it("New Session begins one in the panel and for the next question of Ask", async () => {
    world.ollama.enqueue([text("First."), done()], [text("Second."), done()], [text("Third."), done()]);
    const askByHand = async (about: string, question: string): Promise<string> => {
      const ended = nextEvent(world.services, "turn.end");
      await palette("Ask");
      await answerBox(about, question);
      return (await ended).sessionId;
    };
    await vscode.commands.executeCommand("conclave.newSession");
    const first = await askByHand("a new session", "The first of all?");
    await window.waitForText("main .cell-answer", "First.");
    assert.equal(await askByHand("goes on with: The first of all?", "And then?"), first);
    await window.waitForText("main .cell-answer", "Second.");
    await palette("New Session");
    await window.waitForText("main .empty", "Ask the conclave");
    assert.notEqual(await askByHand("a new session", "Of what?"), first);
  });

  it("Set Search API Key keeps the key in the secret store, never in settings, and removes it again", async () => {
    const key = "sk-of-the-lighthouse";
    const keep = async (content: string): Promise<void> => {
      const changed = new Promise<void>((resolve) => {
        const listening = world.container.extension.secrets.onDidChange(() => {
          listening.dispose();
          resolve();
        });
      });
      await palette("Set Search API Key...");
      await pick("Brave Search");
      await answerBox("never in settings", content);
      await changed;
    };
    await keep(key);
    assert.equal(await world.services.searchKey("brave"), key);
    const settings = JSON.stringify(vscode.workspace.getConfiguration());
    assert.ok(settings.includes("conclave") && !settings.includes(key));
    await keep("");
    assert.equal(await world.services.searchKey("brave"), undefined);
  });

  it("Check Set-up says so when all is well", async () => {
    await palette("Check Set-up");
    await window.waitForText("h1, h2, .view-line", "set-up");
    await window.screenshot("set-up-well");
    const report = await vscode.commands.executeCommand<string>("conclave.checkSetup");
    assert.match(report, /ready/i);
    assert.doesNotMatch(report, /✗|Start it/);
  });

  it("Ask offers the web tools after a question that seems to need one", async () => {
    world.ollama.enqueue([text("I can't look that up."), done()]);
    await askCommand("Search the web for the newest tide tables.");
    await notified("The question seems to need something from the web, and web tools are off.");
    await pressNotified("Turn on web tools");
    await lines("Search the web");
    await leaveList();
  });

  it("a setting that can't be used is said in a sentence, and the default is used", async () => {
    try {
      await set("maxSteps", "many");
      await notified(
        'conclave.maxSteps must be a whole number from 1 to 50, and is "many": 5 is used instead.',
      );
      assert.equal(world.services.settings().settings.maxSteps, 5);
    } finally {
      await set("maxSteps", undefined);
    }
  });
});
