import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, text, toolCall } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { palette, tidy } from "./user.ts";
import { askCommand, createWorld, set, type World } from "./world.ts";

const KEY = "memory.retrieval.given";
const SETTING = "[data-setting='conclave.memory.retrieval.given']";

describe("the views of tools, critic and memory", () => {
  let world: World;

  before(function () {
    if (!canDrive) this.skip();
  });

  beforeEach(async () => {
    world = await createWorld();
    await tidy();
    await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
  });

  afterEach(async () => {
    if (!canDrive) return;
    const configuration = vscode.workspace.getConfiguration("conclave");
    await configuration.update(KEY, undefined, vscode.ConfigurationTarget.Workspace);
    await set(KEY, undefined);
    await world.close();
  });

  it("show a call of a tool after its turn, and lead from there to the turn", async () => {
    world.ollama.enqueue(
      [toolCall("read_file", { path: "src/cache.ts" }), done()],
      [text("It waits ten minutes."), done()],
    );
    await palette("Show Tools");
    await window.waitForText(".tool-list", "read_file");
    assert.equal((await askCommand("How long does the cache wait?")).outcome, "answered");
    await window.click(".tool-list .link", "read_file");
    await window.waitForText(".activity-row", "path: src/cache.ts");
    await window.waitForText(".activity-row", "How long does the cache wait?");
    await window.screenshot("views-tool");
    await window.click(".activity-row", "path: src/cache.ts");
    await window.waitForText("main .cell-answer", "It waits ten minutes.");
  });

  it("write a setting at the place that is picked, and follow what is changed elsewhere", async () => {
    const inspected = () => vscode.workspace.getConfiguration("conclave").inspect<number>(KEY);
    await palette("Show Memory");
    await window.click("[role=tab][data-tab=settings]");
    await window.waitForText(SETTING, "default");
    await window.fill(`${SETTING} input`, "7");
    await window.pressIn(`${SETTING} input`, "Enter");
    await window.waitForText(SETTING, "user settings");
    assert.equal(inspected()?.globalValue, 7);
    assert.equal(inspected()?.workspaceValue, undefined);
    await window.click(".scope-picker label", "Workspace");
    await window.fill(`${SETTING} input`, "4");
    await window.pressIn(`${SETTING} input`, "Enter");
    await window.waitForText(SETTING, "workspace");
    assert.equal(inspected()?.workspaceValue, 4);
    await window.screenshot("views-settings");
    await window.click(`${SETTING} button`, "Reset");
    await window.waitForText(SETTING, "user settings");
    assert.deepEqual([inspected()?.workspaceValue, inspected()?.globalValue], [undefined, 7]);
    await set(KEY, undefined);
    await window.waitForText(SETTING, "default");
    assert.equal(await window.value(`${SETTING} input`), "3");
    await window.fill(`${SETTING} input`, "900");
    await window.pressIn(`${SETTING} input`, "Enter");
    await window.waitForText(`${SETTING} [role=alert]`, "must be a whole number from 1 to 50");
    assert.equal(inspected()?.workspaceValue, undefined);
    await window.click("[role=tab][data-tab=activity]");
    await window.waitForText(".memory", "Episodes");
  });
});
