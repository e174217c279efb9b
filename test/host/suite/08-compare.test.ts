import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, text } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { panelWorld } from "./user.ts";
import { askCommand, nextEvent, theme, type World } from "./world.ts";

const ROW = ".rows [role=option]";

describe("turns found, judged and compared", () => {
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

  /** Two turns of which only the second names a spring tide; the first is shown. */
  async function twoTurns(): Promise<void> {
    world.ollama.enqueue([text("The lantern tide turns at noon."), done()]);
    const first = await askCommand("When does the lantern tide turn?");
    world.ollama.enqueue([text("The lantern tide turns at dusk, as it is a spring tide."), done()]);
    await askCommand("And on Sunday, the lantern tide?", first.sessionId);
    await vscode.commands.executeCommand("conclave.openTracePanel", first);
    await window.waitForText("main .cell-answer", "at noon");
  }

  it("a search finds the turn whose answer holds the words, and no other", async () => {
    await twoTurns();
    await window.fill(".search input", "lantern dusk");
    await window.waitGone(ROW, "When does the lantern");
    await window.waitForText(ROW, "And on Sunday");
    await window.click("[aria-label='Clear the search']");
    await window.waitForText(ROW, "When does the lantern");
  });

  it("two turns stand side by side, and what differs is marked", async () => {
    await twoTurns();
    await window.click("[aria-label='Compare with another turn']");
    await window.click(ROW, "And on Sunday");
    await window.waitForText(".compare del", "noon");
    await window.waitForText(".compare ins", "spring");
    await window.screenshot("compare-dark");
    await theme("light");
    try {
      await window.screenshot("compare-light");
    } finally {
      await theme("dark");
    }
    await window.click(".compare-heads button", "When does the lantern");
    await window.waitForText("main .cell-answer", "at noon");
  });

  it("a grade by hand is an event of the turn, with a reason and a name, and stands in the list", async () => {
    await twoTurns();
    await window.click("main .cell-answer button", "Grade it");
    const given = nextEvent(world.services, "critique.corrected");
    await window.fill("[aria-label='Reason for the grade']", "It forgets the season.");
    await window.pressIn("[aria-label='Reason for the grade']", "Enter");
    const { data } = await given;
    assert.deepEqual([data.score, data.reason], [null, "It forgets the season."]);
    assert.notEqual(data["conclave.by"], "");
    await window.waitForText("main .grade-line", "It forgets the season.");
  });
});
