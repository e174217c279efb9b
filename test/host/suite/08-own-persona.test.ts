/** The whole way of somebody's own persona: written, checked, heard in a committee, and found again in the trace. */
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { done, toolCall, words } from "../../support/ollama/index.ts";
import type { ChatRequestView, ReplySteps } from "../../support/ollama/types.ts";
import { canDrive, window } from "./driver.ts";
import { chat, tidy } from "./user.ts";
import { askCommand, createWorld, nextEvent, PAGE_TEXT, set, type World } from "./world.ts";

const QUESTION = "Does our decision about the lagoon ledger still fit what the page says?";
const SYNTHESIS = "It still fits: both say that an entry goes when its row changes.";
const PERSONA = "name: Tide Keeper\nkind: persona\nprompt: Watch what the water does.\n";

/** Who a request is made to, by the part that stands last in it. */
function speakerOf({ body }: ChatRequestView): string {
  const asked = body.messages.findLast(({ content }) => content.includes("Your part in this is "));
  return /Your part in this is (.+):\n/.exec(asked?.content ?? "")?.[1] ?? "";
}

describe("somebody's own persona", () => {
  let world: World;
  let folder: string;

  function script(request: ChatRequestView): ReplySteps | undefined {
    const said = (text: string): ReplySteps => [...words(text), done({ eval_count: 40 })];
    const results = request.body.messages.filter(({ role }) => role === "tool");
    switch (speakerOf(request)) {
      case "Tide Keeper":
        if (results.length === 0)
          return [toolCall("search_memory", { query: "lagoon ledger decision" }), done()];
        if (results.length === 1) return [toolCall("web_fetch", { url: world.page }), done()];
        return said(`Position: It fits.\n\nThe page says: ${PAGE_TEXT}`);
      case "Skeptic":
        return said("Position: It fits for now.\n\nIt was measured on one node.");
      case "The Self":
        return said(SYNTHESIS);
      default:
        return undefined;
    }
  }

  before(async function () {
    if (!canDrive) this.skip();
    world = await createWorld({ script });
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    folder = join(root.uri.fsPath, ".conclave", "agents");
    await mkdir(folder, { recursive: true });
    await set("committee.personas", ["Tide Keeper", "Skeptic"]);
    await tidy();
    await vscode.commands.executeCommand("conclave.newSession");
  });

  after(async () => {
    if (!canDrive) return;
    await set("committee.personas", undefined);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await rm(join(folder, ".."), { recursive: true, force: true });
    await world.close();
  });

  it("is written, heard in a committee over memory and a page, and found in the trace with tools and tokens", async () => {
    world.ollama.enqueue([...words("Entries go when their row changes."), done()]);
    const remembered = nextEvent(world.services, "memory.ingested");
    await askCommand("What did we decide about the lagoon ledger?");
    await remembered;
    await writeFile(join(folder, "tide-keeper.yaml"), PERSONA);
    await vscode.commands.executeCommand("conclave.agents.focus");
    await window.waitForText(".pane-body .monaco-list-row", "Tide Keeper");
    await vscode.commands.executeCommand("workbench.action.closeSidebar");

    const ended = nextEvent(world.services, "turn.end");
    await chat(`/committee ${QUESTION}`);
    assert.equal((await ended).data.outcome, "answered");
    await window.waitForText(".interactive-session .interactive-response", "both say that an entry goes");
    await window.click(".interactive-session .monaco-button", "Open trace");

    await window.waitForText("main .member", "Tide Keeper");
    const [keeper = ""] = (await window.texts("main .member")).filter((one) => one.includes("Tide Keeper"));
    for (const part of ["3 steps", "memory", "page", "42 tokens", PAGE_TEXT]) {
      assert.ok(keeper.includes(part), `${part} is missing in: ${keeper}`);
    }
    await window.click("main .member button", "3 steps");
    await window.waitForText("main .cell-tool", "web_fetch");
    const tools = (await window.texts("main .cell-tool")).join("\n");
    assert.match(tools, /search_memory[\s\S]*Tide Keeper[\s\S]*web_fetch[\s\S]*Tide Keeper/);
    await window.screenshot("own-persona-dark");

    const seen = world.ollama.chats.find((one) =>
      JSON.stringify(one.messages).includes("Watch what the water does."),
    );
    assert.match(JSON.stringify(seen?.messages), /lagoon ledger/);
    const recalled = world.events.find(
      (event) =>
        event.type === "tool.result" && event.data.name === "search_memory" && event.agent === "Tide Keeper",
    );
    assert.match(JSON.stringify(recalled?.data), /Entries go when their row changes/);
  });
});
