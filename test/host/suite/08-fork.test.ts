import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, text, toolCall } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { leaveList, lines, palette, panelWorld, pick } from "./user.ts";
import { askCommand, nextEvent, PAGE_TEXT, type World } from "./world.ts";

const EDITOR = "main .branch-editor";

describe("a turn that is changed and run on", () => {
  let world: World;

  before(function () {
    if (!canDrive) this.skip();
  });
  beforeEach(async () => {
    world = await panelWorld();
  });
  afterEach(async () => {
    await world.close();
  });

  /** A turn that read a page, shown in the panel. */
  async function original(): Promise<{ readonly sessionId: string; readonly turnId: string }> {
    world.ollama.enqueue(
      [toolCall("web_fetch", { url: world.page }), done()],
      [text("It is dropped after ten minutes."), done()],
    );
    const { sessionId, turnId, outcome } = await askCommand("When is the tide cache dropped?");
    assert.equal(outcome, "answered");
    await vscode.commands.executeCommand("conclave.openTracePanel", { sessionId, turnId });
    await window.waitForText("main .cell-answer", "after ten minutes");
    return { sessionId, turnId };
  }

  /** What the log holds of a turn itself: what memory makes of it may yet come. */
  const logOf = async (sessionId: string, turnId: string): Promise<string> => {
    await world.services.log.flush();
    const events: unknown[] = [];
    for await (const item of world.services.log.read(sessionId))
      if (item.type === "event" && item.event.turnId === turnId && !item.event.type.startsWith("memory."))
        events.push(item.event);
    return JSON.stringify(events);
  };

  it("answers from another result of a tool, and leaves the turn as it was; both are in the list", async () => {
    const { sessionId, turnId } = await original();
    const was = await logOf(sessionId, turnId);
    const requests = world.ollama.chats.length;
    const before = world.ollama.chats.at(-1)?.messages ?? [];
    world.ollama.enqueue([text("It is never dropped."), done()]);
    await window.click("main .cell-tool [aria-label='Edit and run from here: web_fetch']");
    await window.waitForText(EDITOR, "Run from here");
    const ended = nextEvent(world.services, "answer.dialog");
    await window.fill(`${EDITOR} textarea`, "The tide cache is kept for ever.");
    await window.screenshot("fork-editor");
    await window.pressIn(`${EDITOR} textarea`, "Control+Enter");
    assert.equal((await ended).data.answer, "It is never dropped.");
    await window.waitForText("main .branch-head", "at web_fetch");
    await window.waitForText("main .cell-answer", "never dropped");
    await window.screenshot("fork-shown");
    assert.equal(world.ollama.chats.length, requests + 1, "only what comes after the change was asked");
    const now = world.ollama.chats.at(-1)?.messages ?? [];
    assert.deepEqual(now.slice(0, -1), before.slice(0, -1), "the prompt begins as it did");
    assert.equal(now.at(-1)?.content, "The tide cache is kept for ever.");
    assert.match(before.at(-1)?.content ?? "", new RegExp(PAGE_TEXT.slice(0, 30)));
    assert.equal(await logOf(sessionId, turnId), was);
    const rows = await world.services.log.rows(sessionId);
    assert.deepEqual(rows.ok ? rows.value.map(({ fork, answer }) => [fork, answer]) : [], [
      [undefined, "It is dropped after ten minutes."],
      [turnId, "It is never dropped."],
    ]);
    await window.click("main .branch-head .link");
    await window.waitForText("main .cell-tool .branches", "1 branch from here");
  });

  it("goes on with the branch that is looked at", async () => {
    const { turnId } = await original();
    world.ollama.enqueue([text("At once."), done()], [text("Yes."), done()]);
    await window.click("main .cell-answer .actions button", "Run again");
    await window.waitForText(EDITOR, "Run from here");
    const ended = nextEvent(world.services, "turn.end");
    await window.click(`${EDITOR} button`, "Run from here");
    await ended;
    await window.waitForText("main .branch-head", "at its question");
    await window.click("main .branch-head .link");
    await window.waitForText("main .cell-answer", "after ten minutes");
    const next = nextEvent(world.services, "turn.start");
    await window.fill("footer textarea", "Is that long?");
    await window.pressIn("footer textarea", "Control+Enter");
    assert.equal((await next).data["conclave.parent_turn_id"], turnId);
    await window.waitForText("main .cell-answer", "Yes.");
  });

  it("leaves the list of turns to run again open while something is done in the panel", async () => {
    await original();
    await palette("Run Turn Again...");
    await lines("When is the tide cache dropped?");
    // Under the list there is no other place in sight.
    await window.click("footer textarea");
    await window.pressIn("footer textarea", "x");
    await pick("When is the tide cache dropped?");
    await lines("As before");
    await leaveList();
  });

  it("is run again by a command, with a temperature that is picked", async () => {
    const { turnId } = await original();
    world.ollama.enqueue([text("At ten."), done()]);
    await palette("Run Turn Again...");
    await pick("When is the tide cache dropped?");
    await pick("As before");
    const begun = nextEvent(world.services, "turn.start");
    const ended = nextEvent(world.services, "turn.end");
    await pick("0.7");
    assert.deepEqual((await begun).data["conclave.fork"]?.options, { temperature: 0.7 });
    assert.equal((await begun).data["conclave.fork"]?.turnId, turnId);
    await ended;
    assert.equal(world.ollama.chats.at(-1)?.options.temperature, 0.7);
    await window.waitForText("main .branch-head", "the temperature (0.7)");
  });
});
