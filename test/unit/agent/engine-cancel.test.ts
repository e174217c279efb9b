import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import {
  answers,
  call,
  callTools,
  end,
  engineOver,
  hangs,
  makeTool,
  only,
  playModel,
  read,
  until,
  say,
  start,
  toolSet,
} from "./support.ts";

describe("the engine: cancelling", () => {
  const lookUp = callTools(call("look_up", { query: "a" }));
  const stuck = toolSet(makeTool({ name: "look_up", run: () => new Promise(() => undefined) }));
  const stages = [
    ["while the model answers", [hangs(say("half"))], "model.delta"],
    ["while the model is silent", [hangs()], "model.start"],
    ["while a tool runs that ignores its signal", [[lookUp, end()]], "tool.request"],
  ] as const;

  for (const [when, replies, at] of stages) {
    it(`stops at once ${when}`, async () => {
      const turn = await start(engineOver(playModel(replies), { tools: stuck }));
      await until(turn.events, at);
      turn.cancel();
      const { outcome, error } = await turn.done;
      assert.deepEqual([outcome, error?.code], ["cancelled", "cancelled"]);
      assert.equal(only(await read(turn.events), "turn.end").data.outcome, "cancelled");
    });
  }

  it("begins no other step when it comes between two", async () => {
    const model = playModel([[lookUp, end()], answers("too late")]);
    const engine = engineOver(model);
    const turn = await start(engine);
    engine.onEvent((event) => {
      if (event.type === "step.end") turn.cancel();
    });
    assert.equal((await turn.done).outcome, "cancelled");
    const events = await read(turn.events);
    assert.equal(events.filter((event) => event.type === "step.start").length, 1);
    assert.equal(model.requests.length, 1);
  });

  it("stops at once while the model's capabilities are asked", async () => {
    const model = playModel([], { describe: () => new Promise(() => undefined) });
    const turn = await start(engineOver(model));
    await until(turn.events, "agent.transition");
    turn.cancel();
    assert.equal((await turn.done).outcome, "cancelled");
  });

  it("keeps what was shown until then", async () => {
    const turn = await start(engineOver(playModel([hangs(say("half an answer"))])));
    await until(turn.events, "model.delta");
    turn.cancel();
    assert.equal((await turn.done).answer, "half an answer");
    const messages = only(await read(turn.events), "turn.end").data["conclave.messages"];
    assert.deepEqual(messages.at(-1), { role: "assistant", content: "half an answer" });
  });

  it("heeds the caller's signal, and leaves no listener on it", async () => {
    const caller = new AbortController();
    const engine = engineOver(playModel([hangs(say("x"))]));
    const asked = await engine.ask({ question: "q", door: "test" }, caller.signal);
    assert.ok(asked.ok);
    await until(asked.value.events, "model.delta");
    caller.abort();
    assert.equal((await asked.value.done).outcome, "cancelled");
    assert.equal(getEventListeners(caller.signal, "abort").length, 0);
  });

  it("of everything, and waiting for it, is what dispose does", async () => {
    const engine = engineOver(playModel([hangs(say("x"))]), { settings: { parallelRequests: 2 } });
    const turns = [await start(engine), await start(engine)];
    await Promise.all(turns.map((turn) => until(turn.events, "model.delta")));
    await engine.dispose();
    for (const turn of turns) {
      assert.equal((await turn.done).outcome, "cancelled");
      assert.equal(engine.running(turn.sessionId), undefined);
    }
  });
});

describe("the engine: several sessions on one server", () => {
  it("sends no more requests at once than the server works on; the next waits for its turn", async () => {
    let release: (() => void) | undefined;
    const model = playModel([
      async function* () {
        await new Promise<void>((resolve) => (release = resolve));
        yield say("first");
        yield end();
      },
      answers("second"),
    ]);
    const engine = engineOver(model);
    const first = await start(engine, "One?");
    await until(first.events, "model.start");
    const second = await start(engine, "Two?");
    await until(second.events, "step.start");
    assert.equal(model.requests.length, 1);
    release?.();
    assert.equal((await first.done).answer, "first");
    assert.equal((await second.done).answer, "second");
  });

  it("lets other sessions go on while a tool of one runs", async () => {
    const stuck = toolSet(makeTool({ name: "look_up", run: () => new Promise(() => undefined) }));
    const model = playModel([[callTools(call("look_up", { query: "a" })), end()], answers("second")]);
    const engine = engineOver(model, { tools: stuck });
    const first = await start(engine, "One?");
    await until(first.events, "tool.request");
    assert.equal((await (await start(engine, "Two?")).done).answer, "second");
    await engine.dispose();
  });

  it("cancels a turn that waits, and the line goes on", async () => {
    const model = playModel([hangs(say("x")), answers("third")]);
    const engine = engineOver(model);
    const first = await start(engine, "One?");
    await until(first.events, "model.delta");
    const second = await start(engine, "Two?");
    await until(second.events, "step.start");
    const third = await start(engine, "Three?");
    second.cancel();
    assert.equal((await second.done).outcome, "cancelled");
    first.cancel();
    assert.equal((await third.done).answer, "third");
    assert.equal(model.requests.length, 2);
  });
});
