import assert from "node:assert/strict";
import type { ChatModel } from "../../../../src/agent/models/types.ts";
import {
  all,
  answers,
  ask,
  broken,
  call,
  callTools,
  end,
  engineOver,
  hangs,
  makeTool,
  muse,
  only,
  playModel,
  say,
  start,
  toolSet,
  warnings,
} from "../support.ts";

const lookUp = callTools(call("look_up", { query: "tide" }));

describe("the loop stops", () => {
  const different = (index: number) => [callTools(call("look_up", { query: `q${index}` })), end()];

  it("after the allowed steps, and asks for an answer with the same tools told, so that the cached prompt holds", async () => {
    const model = playModel([...[1, 2, 3, 4, 5].map(different), answers("What I have.")]);
    const turn = await ask(engineOver(model));
    assert.equal(model.requests.length, 6);
    assert.deepEqual(
      model.requests.map((request) => request.tools !== undefined),
      [true, true, true, true, true, true],
    );
    assert.deepEqual(warnings(turn.events), ["step_limit"]);
    assert.equal(only(turn.events, "answer.dialog").data.answer, "What I have.");
    assert.equal(turn.end.data["conclave.steps"], 6);
    assert.equal(all(turn.events, "step.start").at(-1)!.data["conclave.last_step"], true);
  });

  it("and says why, when the model goes on calling even then", async () => {
    let count = 0;
    const model: ChatModel = {
      ...playModel([]),
      chat: async function* () {
        yield callTools(call("searchTheWeb", { query: `tide ${++count}` }));
        yield await Promise.resolve(end());
      },
    };
    const turn = await ask(engineOver(model));
    assert.equal(turn.end.data.outcome, "failed");
    assert.equal(turn.end.data.error?.code, "empty_answer");
    assert.match(turn.end.data.error.message, /searchTheWeb again.*limit of 5 steps/s);
    assert.equal(count, 7, "one to answer, one without tools, no more");
  });

  it("when the same call is made three times, also when it succeeds", async () => {
    const model = playModel([
      [lookUp, end()],
      [callTools(call("look_up", { query: "other" })), end()],
      [lookUp, end()],
      [lookUp, end()],
      answers("The same each time."),
    ]);
    const { events } = await ask(engineOver(model, { settings: { maxSteps: 20 } }));
    assert.deepEqual(warnings(events), ["repeated_call"]);
    assert.equal(all(events, "tool.result").length, 4);
  });

  it("and asks without tools a model that only calls where it was to answer", async () => {
    const model = playModel([...[1, 2, 3, 4, 5, 6].map(different), answers("What I have.")]);
    const turn = await ask(engineOver(model));
    assert.deepEqual(
      model.requests.slice(-2).map((request) => request.tools !== undefined),
      [true, false],
    );
    assert.deepEqual(warnings(turn.events), ["step_limit", "retried"]);
    assert.equal(all(turn.events, "tool.request").length, 5, "the sixth call is not run");
    assert.equal(only(turn.events, "answer.dialog").data.answer, "What I have.");
  });

  it("when the token budget is used up", async () => {
    const model = playModel([[lookUp, end("stop", 900, 200)], answers("Enough.")]);
    const { events } = await ask(engineOver(model, { settings: { tokenBudget: 1_000 } }));
    assert.deepEqual(warnings(events), ["token_budget"]);
    assert.equal(only(events, "answer.dialog").data.answer, "Enough.");
  });
});

describe("an answer that is missing or cut", () => {
  it("is asked for once more, with thinking off, when there was only thinking", async () => {
    const model = playModel([[muse("hm"), end()], answers("Yes.")]);
    const { events } = await ask(engineOver(model));
    assert.equal(only(events, "answer.dialog").data.answer, "Yes.");
    assert.deepEqual(warnings(events), ["retried"]);
    assert.deepEqual(
      model.requests.map((request) => request.think),
      [true, false],
    );
  });

  it("is a clear failure when it is missing twice", async () => {
    const model = playModel([[muse("hm"), end()]]);
    const turn = await ask(engineOver(model));
    assert.equal(turn.end.data.outcome, "failed");
    assert.equal(turn.end.data.error?.code, "empty_answer");
    assert.equal(model.requests.length, 2);
  });

  it("names the limit when thinking used up all output tokens", async () => {
    const turn = await ask(engineOver(playModel([[muse("hm"), end("length")]])));
    assert.match(turn.end.data.error!.message, /8192 output tokens/);
  });

  it("is given without the blank lines that thinking or a call left around it", async () => {
    const { events } = await ask(engineOver(playModel([[say("\n \n    code\n"), say("text\n\n"), end()]])));
    assert.equal(only(events, "answer.dialog").data.answer, "    code\ntext");
  });

  it("is given with a warning when it was cut by the limit", async () => {
    const turn = await ask(engineOver(playModel([[say("Once upon"), end("length")]])));
    assert.equal(turn.end.data.outcome, "answered");
    assert.deepEqual(warnings(turn.events), ["answer_cut"]);
  });
});

describe("a turn that breaks off", () => {
  it("keeps what was streamed, and ends with the failure", async () => {
    const engine = engineOver(playModel([[say("The tide is"), broken("stream_broken")]]));
    const turn = await ask(engine);
    assert.equal(turn.end.data.outcome, "failed");
    assert.equal(turn.end.data.error?.code, "stream_broken");
    assert.equal(only(turn.events, "model.end").data.content, "The tide is");
    assert.deepEqual(turn.end.data["conclave.messages"].at(-1), {
      role: "assistant",
      content: "The tide is",
    });
    assert.equal(all(turn.events, "answer.dialog").length, 0);
  });

  it("ends with words when a model's client throws, or ends its stream without a word", async () => {
    const throwing: ChatModel = {
      ...playModel([]),
      chat: () => {
        throw new Error("boom");
      },
    };
    assert.equal((await ask(engineOver(throwing))).end.data.error?.code, "internal");
    assert.equal((await ask(engineOver(playModel([[say("x")]])))).end.data.error?.code, "stream_broken");
  });

  it("always closes what it opened: models, tools, steps, agent and turn", async () => {
    const stuck = makeTool({ name: "look_up", run: () => new Promise(() => undefined) });
    for (const replies of [[hangs(say("x"))], [[lookUp, end()]]]) {
      const turn = await start(engineOver(playModel(replies), { tools: toolSet(stuck) }));
      const open = new Map<string, string>();
      for await (const event of turn.events) {
        const [kind, phase] = event.type.split(".");
        if (phase === "start" || event.type === "tool.request") open.set(`${kind} ${event.id}`, event.type);
        if (phase === "end" || event.type === "tool.result") open.delete(`${kind} ${event.id}`);
        if (event.type === "model.delta" || event.type === "tool.request") turn.cancel();
      }
      assert.deepEqual([...open.values()], []);
      assert.equal((await turn.done).outcome, "cancelled");
    }
  });

  it("leaves a conversation that can go on, whatever broke", async () => {
    for (const first of [
      [[broken("server_unreachable")]],
      [[lookUp, end()], [broken("runner_stopped")]],
      [[lookUp, say("half"), broken("stream_broken")]],
    ]) {
      const model = playModel([...first, answers("Again.")]);
      const engine = engineOver(model);
      const { sessionId } = await ask(engine, "One?");
      await ask(engine, "Two?", { sessionId });
      const roles = model.requests.at(-1)!.messages.map((message) => message.role);
      assert.deepEqual(roles.slice(-2), ["assistant", "user"]);
    }
  });
});
