import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, text, thinkingWords, toolCall, words } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { askCommand, createWorld, leave, nextEvent, PAGE_TEXT, theme, type World } from "./world.ts";

const QUESTION = "what did we decide about the cache?";
const ANSWER = "You keep an **in-process cache** for ten minutes and drop a row when it changes.";

describe("one question in three doors", () => {
  let world: World;

  before(async () => {
    world = await createWorld();
  });

  after(async () => {
    await world.close();
  });

  /** A turn that searches memory, reads a page, and answers. */
  function script(): void {
    world.ollama.enqueue(
      [
        ...thinkingWords("They ask for an earlier decision. Memory may hold it."),
        toolCall("search_memory", { query: "cache decision" }),
      ],
      [...thinkingWords("The page has the details."), toolCall("web_fetch", { url: world.page })],
      [...words(ANSWER), done({ prompt_eval_count: 812, eval_count: 24 })],
    );
  }

  function namesOfTools(turnId: string): string[] {
    return world.events.flatMap((event) =>
      event.turnId === turnId && event.type === "tool.request" ? [event.data.name] : [],
    );
  }

  it("the command answers, with memory searched and the page read", async () => {
    world.ollama.enqueue([text("In spring you chose an in-process cache: Redis was ruled out."), done()]);
    const kept = nextEvent(world.services, "memory.ingested");
    const first = await askCommand("We keep the cache in process and rule out Redis. Agreed?");
    assert.equal(first.outcome, "answered");
    assert.equal((await kept).data.error, undefined);
    script();
    const remembered = nextEvent(world.services, "memory.ingested");
    const result = await askCommand(QUESTION);
    assert.equal(result.answer, ANSWER);
    assert.deepEqual(namesOfTools(result.turnId), ["search_memory", "web_fetch"]);
    const results = world.events.filter(
      (event) => event.turnId === result.turnId && event.type === "tool.result",
    );
    assert.match(JSON.stringify(results[0]), /rule out Redis/, JSON.stringify(results[0]));
    assert.match(JSON.stringify(results[1]), new RegExp(PAGE_TEXT));
    assert.equal((await remembered).data.error, undefined);
    await leave({ sessionId: result.sessionId, turnId: result.turnId });
  });

  it("the chat participant answers with nobody signed in", async () => {
    script();
    const response: unknown = await vscode.commands.executeCommand("workbench.action.chat.open", {
      query: `@conclave ${QUESTION}`,
      blockOnResponse: true,
    });
    assert.match(JSON.stringify(response), /"outcome":"answered"/);
    if (!canDrive) return;
    await window.waitForText(".interactive-session", "drop a row when it changes");
    await window.screenshot("chat-dark");
    await theme("light");
    await window.screenshot("chat-light");
    await theme("dark");
  });

  it("the panel runs a turn and shows every step of it", async function () {
    if (!canDrive) this.skip();
    script();
    await vscode.commands.executeCommand("workbench.action.closeAuxiliaryBar");
    await vscode.commands.executeCommand("conclave.openTracePanel");
    const ended = nextEvent(world.services, "turn.end");
    await window.fill("textarea", QUESTION);
    await window.pressIn("textarea", "Control+Enter");
    assert.equal((await ended).data.outcome, "answered");
    for (const part of ["Thinking", "search_memory", "web_fetch", "Answer"])
      await window.waitForText("main", part);
    await window.waitForText("main", "drop a row when it changes");
    await window.screenshot("panel-dark");
    await theme("light");
    await window.screenshot("panel-light");
    await theme("dark");
  });
});
