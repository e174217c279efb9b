import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, text } from "../../support/ollama/index.ts";
import { hear, say, window } from "./driver.ts";
import { answersOf, askBurst, episodesOf, memoryPid, SECRET, SHARED, TURNS_EACH } from "./windows.ts";
import { askCommand, createWorld, nextEvent, storedIn, type World } from "./world.ts";

describe("two windows on one store: the first", () => {
  let world: World;
  let sessionId: string;

  before(async () => {
    world = await createWorld({ script: ({ body }) => [text(answersOf(body)), done()] });
    await say("one is there");
    await hear("two is there");
  });

  after(async () => {
    await world.close();
  });

  it("asks, and the other window finds the turn at once", async () => {
    const kept = nextEvent(world.services, "memory.ingested");
    ({ sessionId } = await askCommand(SHARED));
    assert.equal((await kept).data.error, undefined);
    await say("asked");
    await hear("found");
  });

  it("loses no turn and doubles none while both ask at the same time", async () => {
    await say("one begins");
    await hear("two begins");
    await askBurst(world.services, "one");
    await say("one is through");
    await hear("two is through");
    const questions = (await episodesOf(world.services)).map(({ question }) => question);
    assert.equal(questions.length, 1 + 2 * TURNS_EACH);
    assert.equal(new Set(questions).size, questions.length);
    await hear("two has counted");
  });

  it("knows nothing any more of what the other window forgets, not even in a session that it holds open", async () => {
    await askCommand(`${SECRET} is the word for the gate.`, sessionId);
    await askCommand("Thank you.", sessionId);
    await world.services.log.flush();
    await vscode.commands.executeCommand("conclave.openTracePanel");
    await window.waitForText("nav.turns .row", SECRET);
    await say("told the secret");
    await hear("forgotten");
    // The panel is open all the time, and hears of it by itself.
    await window.waitGone("nav.turns .row", SECRET);
    await window.waitForText("nav.turns .row", "Forgotten on");
    const found = await world.services.memory.search({ query: SECRET }, AbortSignal.timeout(60_000));
    assert.ok(found.ok, JSON.stringify(found));
    assert.equal(JSON.stringify(found.value.hits).includes(SECRET), false);
    const kept = nextEvent(world.services, "memory.ingested");
    await askCommand("And what is the word?", sessionId);
    await kept;
    await world.services.log.flush();
    assert.equal(JSON.stringify(world.ollama.chats.at(-1)?.messages).includes(SECRET), false);
    assert.deepEqual(await storedIn(world, SECRET), []);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("conclave.openTracePanel");
    await window.waitForText("nav.turns .row", "Forgotten on");
    await window.waitGone("nav.turns .row", SECRET);
  });

  it("closes, and leaves the other one its memory", async () => {
    await say("pid of one", await memoryPid(world.services));
    await hear("two has answered last");
  });
});
