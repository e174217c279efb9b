import * as vscode from "vscode";
import { done, text } from "../../support/ollama/index.ts";
import { canReload, window } from "./driver.ts";
import { tidy } from "./user.ts";
import { createWorld, leave, type World } from "./world.ts";

const QUESTION = "When do we cast off?";

/** The last of the first window: what 11-panel.restart.ts finds again. */
describe("the trace panel, before the window closes", () => {
  let world: World;

  before(async function () {
    if (!canReload) this.skip();
    world = await createWorld();
    await tidy();
  });

  after(async () => {
    if (canReload) await world.close();
  });

  it("shows a turn, and a question half typed", async () => {
    world.ollama.enqueue([text("At the slack water."), done()]);
    await vscode.commands.executeCommand("conclave.newSession");
    await vscode.commands.executeCommand("conclave.openTracePanel");
    await window.fill("footer textarea", QUESTION);
    await window.pressIn("footer textarea", "Control+Enter");
    await window.waitForText("main .cell-answer", "slack water");
    await window.fill("footer textarea", "half a question");
    await window.waitForText("header .standing", "answered in");
    await window.saved("half a question");
    await leave({ panel: QUESTION });
  });
});
