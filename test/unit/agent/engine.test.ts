import assert from "node:assert/strict";
import { failure, success } from "../../../src/agent/failure.ts";
import { createEngine } from "../../../src/agent/engine.ts";
import type { ChatMessage } from "../../../src/agent/models/types.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../../src/agent/settings.ts";
import {
  answers,
  ask,
  engineOver,
  hangs,
  makeTool,
  only,
  playModel,
  say,
  seededIdentity,
  start,
  toolSet,
} from "./support.ts";

describe("the engine: sessions", () => {
  it("begins a new session when none is named, and goes on with one that is", async () => {
    const engine = engineOver(playModel([answers("x")]));
    const one = await ask(engine);
    const two = await ask(engine);
    const three = await ask(engine, "And?", { sessionId: two.sessionId });
    assert.notEqual(one.sessionId, two.sessionId);
    assert.equal(three.sessionId, two.sessionId);
    assert.equal(only(one.events, "turn.start").data["conclave.parent_turn_id"], null);
    assert.equal(only(three.events, "turn.start").data["conclave.parent_turn_id"], two.end.turnId);
  });

  it("refuses a second question while the first is answered, with a way to cancel that", async () => {
    const engine = engineOver(playModel([hangs(say("x"))]));
    const turn = await start(engine, "One?", { sessionId: "s" });
    const refused = await engine.ask({ question: "Two?", door: "test", sessionId: "s" });
    assert.ok(!refused.ok);
    const { code, action, target } = refused.failure;
    assert.deepEqual(
      { code, action, target },
      { code: "session_busy", action: "cancel_running", target: "s" },
    );
    assert.equal(engine.running("s"), turn);
    turn.cancel();
    await turn.done;
    assert.equal(engine.running("s"), undefined);
  });

  it("refuses the second of two questions asked at the same moment", async () => {
    const engine = engineOver(playModel([answers("x")]));
    const request = { question: "One?", door: "test" as const, sessionId: "s" };
    const both = await Promise.all([engine.ask(request), engine.ask(request)]);
    assert.deepEqual(
      both.map((asked) => asked.ok),
      [true, false],
    );
  });

  it("takes the next question from who hears of the end of the last", async () => {
    const engine = engineOver(playModel([answers("x")]));
    const next = new Promise<boolean>((resolve) => {
      engine.onEvent((event) => {
        if (event.type !== "turn.end" || engine.running("s") !== undefined) return;
        void engine.ask({ question: "Two?", door: "test", sessionId: "s" }).then(({ ok }) => resolve(ok));
      });
    });
    await ask(engine, "One?", { sessionId: "s" });
    assert.equal(await next, true);
    await engine.dispose();
  });

  it("uses the turns that a caller knows of, before its own", async () => {
    const model = playModel([answers("x")]);
    const history: ChatMessage[] = [
      { role: "user", content: "Earlier?" },
      { role: "assistant", content: "Yes.", thinking: "hm" },
    ];
    await ask(engineOver(model), "Now?", { history });
    assert.deepEqual(model.requests[0]!.messages.slice(1), [
      { role: "user", content: "Earlier?" },
      { role: "assistant", content: "Yes." },
      { role: "user", content: "Now?" },
    ]);
  });

  it("reads a session that it does not hold back from the log, along the newest branch", async () => {
    const model = playModel([answers("x")]);
    const past = (turnId: string, parentTurnId: string | null) => ({
      turnId,
      parentTurnId,
      messages: [{ role: "user" as const, content: turnId }],
    });
    const history = {
      turns: () => Promise.resolve(success([past("a", null), past("b", "a"), past("c", "a")])),
    };
    const engine = engineOver(model, { history });
    const { events } = await ask(engine, "d", { sessionId: "old" });
    assert.deepEqual(
      model.requests[0]!.messages.slice(1).map((message) => message.content),
      ["a", "c", "d"],
    );
    assert.equal(only(events, "turn.start").data["conclave.parent_turn_id"], "c");
  });

  it("answers without earlier turns when the log can't be read, says so, and tries again the next time", async () => {
    let reads = 0;
    const history = {
      turns: () => (++reads === 1 ? Promise.reject(new Error("locked")) : Promise.resolve(success([]))),
    };
    const engine = engineOver(playModel([answers("x")]), { history });
    const { events, end: last } = await ask(engine, "One?", { sessionId: "s" });
    assert.match(only(events, "warning").data.message, /could not be read/);
    assert.equal(last.data.outcome, "answered");
    await ask(engine, "Two?", { sessionId: "s" });
    assert.equal(reads, 2);
  });
});

describe("the engine: what it refuses", () => {
  const engine = engineOver(playModel([answers("x")]));

  it("a question without words", async () => {
    const asked = await engine.ask({ question: " \n", door: "test" });
    assert.ok(!asked.ok && asked.failure.code === "bad_input");
  });

  it("a tool that does not exist, with the nearest name", async () => {
    const asked = await engine.ask({ question: "q", door: "test", options: { tools: ["look_upp"] } });
    assert.ok(!asked.ok);
    assert.match(asked.failure.message, /Did you mean look_up\?/);
  });

  it("a question that was cancelled before it was asked", async () => {
    const asked = await engine.ask({ question: "q", door: "test" }, AbortSignal.abort());
    assert.ok(!asked.ok && asked.failure.code === "cancelled");
  });

  it("everything after it was disposed of", async () => {
    const closed = engineOver(playModel([answers("x")]));
    await closed.dispose();
    assert.ok(!(await closed.ask({ question: "q", door: "test" })).ok);
  });

  it("settings that can't be read, without throwing", async () => {
    const bad = createEngine({
      identity: seededIdentity(),
      settings: () => {
        throw new Error("bad settings");
      },
      model: () => failure("no_model", "none"),
      tools: () => toolSet(),
    });
    const asked = await bad.ask({ question: "q", door: "test" });
    assert.ok(!asked.ok && asked.failure.code === "internal");
  });
});

describe("the engine: options of a question", () => {
  it("override the settings for that turn", async () => {
    const model = playModel([answers("x")]);
    const tools = toolSet(makeTool({ name: "look_up" }), makeTool({ name: "save", aliases: ["keep"] }));
    const options = { think: "low" as const, temperature: 0, seed: 7, tools: ["keep"] };
    await ask(engineOver(model, { tools, settings: { temperature: 1 } }), "q", { options });
    const { think, temperature, seed, tools: sent } = model.requests[0]!;
    assert.deepEqual({ think, temperature, seed }, { think: "low", temperature: 0, seed: 7 });
    assert.deepEqual(
      sent?.map((tool) => tool.name),
      ["save"],
    );
  });

  it("an empty list of tools means none, not all", async () => {
    const model = playModel([answers("x")]);
    await ask(engineOver(model), "q", { options: { tools: [] } });
    assert.equal(model.requests[0]!.tools, undefined);
  });

  it("a model of its own", async () => {
    const asked: string[] = [];
    const engine = createEngine({
      identity: seededIdentity(),
      settings: () => ({ ...DEFAULT_ENGINE_SETTINGS, model: "one" }),
      model: (name) => (asked.push(name), playModel([answers("x")], { name })),
      tools: () => toolSet(),
    });
    await ask(engine, "q", { options: { model: "two" } });
    assert.deepEqual(asked, ["two"]);
  });
});
