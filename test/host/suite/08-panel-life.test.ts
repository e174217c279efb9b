import * as vscode from "vscode";
import { done, gate, wait, words } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { palette, panelWorld } from "./user.ts";
import { nextEvent, type World } from "./world.ts";

const AREA = "footer textarea";

/** What can happen to a webview while a turn streams in it, and how it is there again afterwards. */
const FATES: readonly (readonly [what: string, happens: () => Promise<unknown>])[] = [
  [
    "Developer: Reload Webviews",
    async () => await vscode.commands.executeCommand("workbench.action.webview.reloadWebviewAction"),
  ],
  ["Conclave: Reload Trace Panel", () => palette("Reload Trace Panel")],
  [
    "a move to another column and back",
    async () => {
      await vscode.commands.executeCommand("workbench.action.moveEditorToNextGroup");
      await window.waitForText("main .cell-answer", "Low");
      await vscode.commands.executeCommand("workbench.action.moveEditorToPreviousGroup");
    },
  ],
  [
    "being hidden behind another editor, three times",
    async () => {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      if (folder === undefined) throw new Error("no folder is open");
      for (let round = 0; round < 3; round += 1) {
        await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, "README.md"));
        await window.waitGone("main .cell-answer");
        await palette("Open Trace Panel");
        await window.waitForText("main .cell-answer", "Low");
      }
    },
  ],
];

describe("the trace panel's webview, in the middle of a stream", () => {
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

  for (const [what, happens] of FATES)
    it(`comes back after ${what}, with the turn, what is typed, and what came meanwhile`, async () => {
      world.ollama.enqueue([...words("Low tide"), wait(held), ...words(" comes at noon."), done()]);
      await vscode.commands.executeCommand("conclave.openTracePanel");
      await window.waitForText("footer", "Ask");
      const ended = nextEvent(world.services, "turn.end");
      await window.fill(AREA, "When is low tide?");
      await window.pressIn(AREA, "Control+Enter");
      await window.waitForText("main .cell-answer", "Low");
      await window.fill(AREA, "half a question");
      // Folded by hand: this is kept, too.
      await window.click("main .cell-question [data-head]");
      await happens();
      await window.waitForText("main .cell-answer", "Low");
      await window.waitForText("main .cell-question", "Question");
      held.open();
      await ended;
      await window.waitForText("main .cell-answer", "Low tide comes at noon.");
      await window.waitForText("header .standing", "answered in");
      const typed = await window.value(AREA);
      if (typed !== "half a question") throw new Error(`"${typed}" stands in the question`);
    });

  it("is made anew by Reload Trace Panel when its page is dead, with the turn and what came meanwhile", async () => {
    world.ollama.enqueue([...words("Low tide"), wait(held), ...words(" comes at noon."), done()]);
    await vscode.commands.executeCommand("conclave.openTracePanel");
    await window.waitForText("footer", "Ask");
    const ended = nextEvent(world.services, "turn.end");
    await window.fill(AREA, "When is low tide?");
    await window.pressIn(AREA, "Control+Enter");
    await window.waitForText("main .cell-answer", "Low");
    await window.strand();
    await palette("Reload Trace Panel");
    await window.waitForText("main .cell-answer", "Low");
    held.open();
    await ended;
    await window.waitForText("main .cell-answer", "Low tide comes at noon.");
  });
});
