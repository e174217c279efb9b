import assert from "node:assert/strict";
import * as vscode from "vscode";
import { done, gate, noHeadersUntil, text, toolCall, wait, words } from "../../support/ollama/index.ts";
import { canDrive, window } from "./driver.ts";
import { askCommand, createWorld, nextEvent, set, useServer, type World } from "./world.ts";

describe("when something goes wrong", () => {
  let world: World;

  beforeEach(async () => {
    world = await createWorld();
  });

  afterEach(async () => {
    await world.close();
  });

  it("a server that dies in mid-answer leaves what was shown, and says what happened", async () => {
    const dead = gate();
    world.ollama.enqueue([...words("The first half of the answer"), wait(dead)]);
    const streamed = nextEvent(world.services, "model.delta", (event) => event.data.text.includes("answer"));
    const asked = askCommand("Will this arrive?");
    await streamed;
    await world.ollama.close();
    const result = await asked;
    assert.equal(result.outcome, "failed");
    assert.equal(result.answer, "The first half of the answer");
    assert.match(result.error?.message ?? "", /Ollama|server|model/i);
    await world.services.log.flush();
    const rows = await world.services.log.rows(result.sessionId);
    assert.ok(rows.ok && rows.value[0]?.status === "failed");
  });

  it("a server that is not there is named, with what to do", async () => {
    await world.ollama.close();
    const result = await askCommand("Is anybody there?");
    assert.equal(result.outcome, "failed");
    assert.equal(result.error?.code, "server_unreachable");
    assert.match(result.error.message, /Start it|conclave\.ollama\.host/);
  });

  it("a model that is missing is named, with the way to pull it", async () => {
    await useServer(world.ollama.host, "nope:7b");
    const result = await askCommand("Hello?");
    assert.equal(result.error?.code, "model_missing");
    assert.equal(result.error.action, "pull_model");
    assert.match(result.error.message, /nope:7b/);
  });

  it("no model at all is said, with the way to choose one", async () => {
    await set("model", "");
    const result = await askCommand("Hello?");
    assert.equal(result.error?.code, "no_model");
    assert.equal(result.error.action, "select_model");
  });

  it("a memory process that is killed in mid-turn costs the search, not the answer", async () => {
    const status = await world.services.memory.status(AbortSignal.timeout(60_000));
    const ready = await world.services.memory.search(
      { query: "cache", limit: 1 },
      AbortSignal.timeout(60_000),
    );
    assert.ok(ready.ok, JSON.stringify(ready));
    const { pid } = await world.services.memory.status(AbortSignal.timeout(60_000));
    assert.ok(pid, `the memory process has no id: ${JSON.stringify(status)}`);
    world.ollama.enqueue(() => {
      process.kill(pid, "SIGKILL");
      return [toolCall("search_memory", { query: "cache" }), done()];
    }, [text("Here is what I can say."), done()]);
    const result = await askCommand("What about the cache?");
    assert.equal(result.outcome, "answered");
    assert.equal(result.answer, "Here is what I can say.");
  });

  const stages = [
    {
      stage: "while the model loads",
      reply: (until: ReturnType<typeof gate>) => [noHeadersUntil(until), text("late")],
      began: (w: World) => w.ollama.received(),
    },
    {
      stage: "while the answer streams",
      reply: (until: ReturnType<typeof gate>) => [...words("And so on"), wait(until)],
      began: (w: World) => nextEvent(w.services, "model.delta"),
    },
  ];
  for (const { stage, reply, began } of stages) {
    it(`a cancel ${stage} ends the turn while the server is silent, and the server is let go`, async () => {
      const until = gate();
      world.ollama.enqueue(reply(until));
      const started = nextEvent(world.services, "turn.start");
      const ready = began(world);
      const asked = askCommand("Take your time");
      const { sessionId } = await started;
      await ready;
      world.services.engine.running(sessionId)?.cancel();
      const result = await asked;
      assert.equal(result.outcome, "cancelled");
      assert.equal(await world.ollama.requests.findLast((r) => r.path === "/api/chat")?.ended, "aborted");
      until.open();
    });
  }

  it("a second question in a session that still answers is refused with a sentence", async () => {
    const until = gate();
    world.ollama.enqueue([text("wait"), wait(until)]);
    const started = nextEvent(world.services, "turn.start");
    const asked = askCommand("First");
    const { sessionId } = await started;
    const second = await vscode.commands.executeCommand<{ outcome: string; error?: { code: string } }>(
      "conclave.ask",
      {
        question: "Second",
        sessionId,
        open: false,
      },
    );
    assert.equal(second.error?.code, "session_busy");
    until.open();
    assert.equal((await asked).outcome, "answered");
  });

  it("the set-up report says what is wrong when the server is down", async function () {
    if (!canDrive) this.skip();
    await world.ollama.close();
    await vscode.commands.executeCommand("conclave.checkSetup");
    await window.waitForText("body", "Start it");
    await window.screenshot("set-up");
  });
});
