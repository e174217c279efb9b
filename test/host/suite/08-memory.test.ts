import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { done, text, toolCall } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { answerBox, answerDialog, chat, notified, palette, tidy } from "./user.ts";
import { askCommand, createWorld, leave, nextEvent, set, storedIn, type World } from "./world.ts";

const CHAT = ".interactive-session";
const ROW = "nav.turns .row";

describe("memory in the user's hands", () => {
  let world: World;

  before(function () {
    if (!canDrive) this.skip();
  });

  beforeEach(async () => {
    world = await createWorld();
    await tidy();
    await vscode.commands.executeCommand("conclave.newSession");
  });

  afterEach(async () => {
    if (canDrive) await world.close();
  });

  /** A turn that is answered and remembered. */
  async function turn(question: string, answer: string): Promise<{ sessionId: string; turnId: string }> {
    world.ollama.enqueue([text(answer), done()]);
    const kept = nextEvent(world.services, "memory.ingested");
    const { sessionId, turnId } = await askCommand(question);
    assert.equal((await kept).data.error, undefined);
    return { sessionId, turnId };
  }

  async function openPanel(): Promise<void> {
    await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
    await vscode.commands.executeCommand("conclave.openTracePanel");
    await window.waitForText("footer", "Ask");
  }

  it("/remember keeps a fact with its source, and /recall tells it, with the day and why", async () => {
    await chat("/remember I prefer the green lantern over the red one");
    await window.waitForText(CHAT, "Remembered: I prefer the green lantern");
    await window.waitForText(CHAT, "kept as a fact");
    await chat("/recall green lantern");
    await window.waitForText(`${CHAT} .rendered-markdown`, "Known:");
    await window.waitForText(`${CHAT} .rendered-markdown li`, "green lantern");
    await window.waitForText(`${CHAT} .rendered-markdown`, "Recalled because");
    await window.screenshot("memory-recall");
    assert.deepEqual(world.ollama.chats, []);
    await window.click(`${CHAT} .monaco-button`, "Show memory");
    await window.waitForText("main .memory", "green lantern");
    await window.screenshot("memory-view-from-recall");
  });

  it("/forget names what goes, and after a yes it is nowhere: not in memory, not in a trace", async () => {
    const secret = "quicksilver-sentinel";
    const first = await turn(`The pass word is ${secret}. Noted?`, `Noted: ${secret}.`);
    world.ollama.enqueue(
      [toolCall("search_memory", { query: "pass word" }), done()],
      [text("I looked it up."), done()],
    );
    const kept = nextEvent(world.services, "memory.ingested");
    await askCommand("What is the pass word?");
    await kept;
    await world.services.log.flush();
    assert.ok((await storedIn(world, secret)).length >= 2, "the trace and the table hold it before");
    const refused = answerDialog(undefined);
    await chat(`/forget ${secret}`);
    const { message, detail } = await refused;
    assert.match(message, /^Forget .* for good\?$/);
    assert.ok(detail.includes(secret), detail);
    assert.ok((await storedIn(world, secret)).length >= 2, "nothing goes without a yes");
    const agreed = answerDialog("Forget");
    await chat(`/forget ${secret}`);
    await agreed;
    await window.waitForText(CHAT, "Forgotten:");
    await window.screenshot("memory-forget");
    assert.deepEqual(await storedIn(world, secret), []);
    await chat(`/forget ${secret}`);
    await window.waitForText(CHAT, "Nothing is remembered about quicksilver-sentinel");
    await openPanel();
    await window.waitForText(ROW, "Forgotten on");
    await vscode.commands.executeCommand("conclave.openTracePanel", first);
    await window.waitForText("main", "Forgotten on");
    await window.screenshot("memory-forgotten-turn");
  });

  it("a chat goes on without what it listed, noted and had forgotten before", async () => {
    const secret = "orpiment-sentinel";
    world.ollama.enqueue([text("Aye."), done()], [text("Nothing of it."), done()]);
    await chat("Are you there?");
    await chat(`/remember the cellar opens with ${secret}`);
    await chat(`/recall ${secret}`);
    await window.waitForText(`${CHAT} .rendered-markdown`, "Known:");
    const agreed = answerDialog("Forget");
    await chat(`/forget ${secret}`);
    await agreed;
    const kept = nextEvent(world.services, "memory.ingested");
    await chat("How does the cellar open?");
    await kept;
    await world.services.log.flush();
    assert.equal(JSON.stringify(world.ollama.chats).includes(secret), false);
    assert.deepEqual(await storedIn(world, secret), []);
  });

  it("a session goes on without what was forgotten of it", async () => {
    const secret = "saltpetre-sentinel";
    const { sessionId } = await turn(`Say ${secret}.`, `${secret}.`);
    const agreed = answerDialog("Forget");
    const removed = vscode.commands.executeCommand<number>("conclave.forget", { about: secret });
    await agreed;
    assert.ok((await removed) > 0);
    world.ollama.enqueue([text("Gone."), done()]);
    await askCommand("What did you say?", sessionId);
    assert.equal(JSON.stringify(world.ollama.chats.at(-1)?.messages).includes(secret), false);
    assert.deepEqual(await storedIn(world, secret), []);
  });

  it("Forget All About asks for words, and says so when nothing is known of them", async () => {
    await palette("Forget All About...");
    await answerBox("You are shown what goes", "a name that nobody ever said");
    await notified("Nothing is remembered of it.");
  });

  it("/private leaves nothing of a turn behind, and says what private means", async () => {
    const secret = "vermilion-sentinel";
    world.ollama.enqueue([text(`I keep ${secret} to myself.`), done()], [text("Still here."), done()]);
    await chat(`/private What of ${secret}?`);
    await window.waitForText(CHAT, "Conclave keeps nothing of this session");
    await chat("And now?");
    assert.match(JSON.stringify(world.ollama.chats.at(-1)?.messages), /vermilion/, "the session goes on");
    await world.services.log.flush();
    assert.deepEqual(await storedIn(world, secret), []);
    const found = await world.services.memory.search({ query: secret }, AbortSignal.timeout(60_000));
    assert.equal(JSON.stringify(found).includes(secret), false);
    await chat("/remember this too");
    await window.waitForText(CHAT, "This session is private");
    await window.screenshot("memory-private-chat");
    await openPanel();
    await window.waitForText(ROW, secret);
    await window.screenshot("memory-private-list");
    await leave({ unsaved: secret });
  });

  it("New Private Session begins one in the panel, and Save Private Session keeps it", async () => {
    const secret = "ultramarine-sentinel";
    world.ollama.enqueue([text(`So it is ${secret}.`), done()]);
    await palette("New Private Session");
    await window.waitForText("footer", "Ask");
    const ended = nextEvent(world.services, "turn.end");
    await window.fill("footer textarea", `What is ${secret}?`);
    await window.pressIn("footer textarea", "Control+Enter");
    const { sessionId } = await ended;
    await window.waitForText("main .cell-answer", secret);
    await window.screenshot("memory-private-panel");
    assert.equal(world.services.log.isPrivate(sessionId), true);
    assert.deepEqual(await storedIn(world, secret), []);
    const kept = nextEvent(world.services, "memory.ingested");
    await vscode.commands.executeCommand("conclave.savePrivateSession", sessionId);
    assert.equal((await kept).data.error, undefined);
    await notified("the session is saved");
    assert.ok((await storedIn(world, secret)).some((file) => file.includes(sessionId)));
    const found = await world.services.memory.search({ query: secret }, AbortSignal.timeout(60_000));
    assert.ok(JSON.stringify(found).includes(secret));
    await leave({ saved: secret });
  });

  it("is exported to a file and imported from it, without a row twice", async () => {
    await turn("Which bell rings at noon?", "The brass bell.");
    const folder = await mkdtemp(join(tmpdir(), "conclave-export-"));
    try {
      const path = join(folder, "memory.jsonl");
      const rows = await vscode.commands.executeCommand<number>("conclave.exportMemory", path);
      const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
      assert.equal(lines.length, rows);
      assert.ok(lines.some((line) => line.includes("brass bell")));
      assert.equal(await vscode.commands.executeCommand<number>("conclave.importMemory", path), 0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("stays in its folder: another scope finds nothing of it, all scopes do", async () => {
    await turn("Where is the tar kept?", "In the tar-barrel-of-the-sample.");
    const { memory, scopes } = world.services;
    const signal = AbortSignal.timeout(60_000);
    const here = scopes.current()?.id;
    assert.ok(here);
    const find = async (wanted?: readonly string[]): Promise<boolean> => {
      const query = { query: "tar barrel", ...(wanted === undefined ? {} : { scopes: wanted }) };
      return JSON.stringify(await memory.search(query, signal)).includes("tar-barrel-of-the-sample");
    };
    assert.deepEqual(
      [await find([here, ""]), await find(["another", ""]), await find()],
      [true, false, true],
    );
    assert.equal(scopes.nameOf(here), vscode.workspace.workspaceFolders?.[0]?.name);
  });

  it("is off in words when it is turned off, and answers go on", async () => {
    await set("memory.enabled", false);
    try {
      await chat("/recall anything");
      await window.waitForText(CHAT, "Memory is off");
      world.ollama.enqueue([text("Without memory."), done()]);
      assert.equal((await askCommand("Does it work?")).answer, "Without memory.");
    } finally {
      await set("memory.enabled", undefined);
    }
  });
});
