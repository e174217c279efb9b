import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, gate, text, wait, words } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { palette, panelWorld } from "./user.ts";
import { askCommand, nextEvent, type World } from "./world.ts";

const AREA = "footer textarea";

describe("the trace panel", () => {
  let world: World;
  let held: ReturnType<typeof gate>;

  before(function () {
    if (!canDrive) this.skip();
  });

  beforeEach(async () => {
    held = gate();
    world = await panelWorld();
  });

  afterEach(async () => {
    if (!canDrive) return;
    held.open();
    await world.close();
  });

  /** Asks by typing into the panel. */
  async function ask(question: string): Promise<void> {
    await window.fill(AREA, question);
    await window.pressIn(AREA, "Control+Enter");
  }

  async function open(turn?: { readonly sessionId: string; readonly turnId: string }): Promise<void> {
    await vscode.commands.executeCommand("conclave.openTracePanel", turn);
    await window.waitForText("footer", "Ask");
  }

  it("says what is missing before the first question, with the button that mends it", async () => {
    await world.ollama.close();
    await palette("Open Trace Panel");
    await window.waitForText("main .missing", "Start it");
    await window.waitForText("main .missing button", "Start Ollama");
    await window.screenshot("panel-missing");
  });

  it("keeps a thumb as an event of the turn, in the log too", async () => {
    world.ollama.enqueue([text("The ebb begins at six."), done()]);
    await open();
    await ask("When does the ebb begin?");
    await window.waitForText("main .cell-answer", "at six");
    const given = nextEvent(world.services, "user.feedback");
    await window.click("main .actions [aria-label='Good answer']");
    const { sessionId, turnId, data } = await given;
    assert.deepEqual(data, { rating: "up", "conclave.door": "panel" });
    await world.services.log.flush();
    const kept: string[] = [];
    for await (const item of world.services.log.read(sessionId))
      if (item.type === "event" && item.event.type === "user.feedback") kept.push(item.event.turnId);
    assert.deepEqual(kept, [turnId]);
  });

  it("stops a turn by its Stop button, and keeps what was said", async () => {
    world.ollama.enqueue([...words("Half of an"), wait(held)]);
    await open();
    const ended = nextEvent(world.services, "turn.end");
    await ask("Tell me all?");
    await window.waitForText("main .cell-answer", "Half of");
    await window.click("header button.stop");
    assert.equal((await ended).data.outcome, "cancelled");
    await window.waitForText("header .standing", "cancelled after");
    await window.waitForText("main .cell-answer", "Half of an");
  });

  it("refuses a second question in a session that still answers, and its button stops the first", async () => {
    world.ollama.enqueue([text("Two masts."), done()], [...words("Of pine"), wait(held)]);
    const first = await askCommand("How many masts?");
    const started = nextEvent(world.services, "turn.start");
    const running = askCommand("Of what wood?", first.sessionId);
    await started;
    await open(first);
    await window.waitForText("main .cell-answer", "Two masts.");
    await ask("And how tall?");
    await window.waitForText("footer .notice", "still");
    await window.screenshot("panel-busy");
    await window.click("footer .notice button", "Stop the running turn");
    assert.equal((await running).outcome, "cancelled");
  });

  it("shows all of a turn that went on while it was hidden", async () => {
    world.ollama.enqueue([...words("Low tide"), wait(held), ...words(" comes at noon."), done()]);
    await open();
    const ended = nextEvent(world.services, "turn.end");
    await ask("When is low tide?");
    await window.waitForText("main .cell-answer", "Low");
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, "README.md"));
    await window.waitGone("main .cell-answer");
    held.open();
    await ended;
    await palette("Open Trace Panel");
    await window.waitForText("main .cell-answer", "Low tide comes at noon.");
    await window.waitForText("header .standing", "answered in");
  });
});
