import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, toolCall, words } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { panelWorld } from "./user.ts";
import { askCommand, type World } from "./world.ts";

const HEAD = "main .cell-model .message-head";

describe("what the model saw, in the panel", () => {
  let world: World;

  before(function () {
    if (!canDrive) this.skip();
  });

  beforeEach(async () => {
    world = await panelWorld();
  });

  afterEach(async () => {
    if (canDrive) await world.close();
  });

  it("is each message under the word of where it came from, and raw to the byte what the server was sent", async () => {
    world.ollama.enqueue(
      [toolCall("web_fetch", { url: world.page }), done()],
      [...words("At the latest after ten minutes."), done()],
    );
    const turn = await askCommand("When is the tide cache dropped?");
    await vscode.commands.executeCommand("conclave.openTracePanel", turn);
    await window.waitForText("main .cell-answer", "ten minutes");
    await window.click("main .cell-model button.fold", "Step 2");
    await window.waitForText(HEAD, "web_fetch");
    const heads = (await window.texts(HEAD)).map((line) => line.replaceAll(/\s+/g, " ").trim());
    assert.match(heads[0] ?? "", /^1 system rules/);
    assert.match(
      heads.find((line) => /^\d user/.test(line)) ?? "",
      /question When is the tide cache dropped\?/,
    );
    assert.match(heads.at(-2) ?? "", /assistant model calls web_fetch/);
    assert.match(heads.at(-1) ?? "", /tool web_fetch result/);
    await window.waitForText("main .request-legend", "question");
    await window.waitForText("main .prefix", "of the request before");
    await window.screenshot("request");

    const sent = world.ollama.requests.filter(({ path }) => path === "/api/chat").at(-1)?.text ?? "";
    await window.click("main .request-bar button", "Raw");
    await window.waitForText("main pre.raw", '"model"');
    const [shown = ""] = await window.texts("main pre.raw");
    assert.equal(shown, sent.slice(0, shown.length));
    await window.screenshot("request-raw");
    await window.click("main .request-bar button", "Copy raw");
    await window.waitForText("main .request-bar button", "Copied");
    assert.equal(await vscode.env.clipboard.readText(), sent);
  });

  it("is the conversation that the next question goes on with", async () => {
    world.ollama.enqueue([...words("Six."), done()], [...words("Seven."), done()]);
    const first = await askCommand("When does the ebb begin?");
    const second = await askCommand("And tomorrow?", first.sessionId);
    await vscode.commands.executeCommand("conclave.openTracePanel", second);
    await window.waitForText("main .cell-answer", "Seven.");
    await window.click("header [aria-label='Conversation after this turn']");
    await window.waitForText("main .conversation", "4 messages go before the next question");
    assert.deepEqual(await window.texts("main .conversation-turn .what"), [
      "When does the ebb begin?",
      "And tomorrow?",
    ]);
    await window.screenshot("conversation");
  });
});
