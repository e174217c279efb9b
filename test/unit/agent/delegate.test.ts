import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/agent/events.ts";
import * as ollama from "../../support/ollama/index.ts";
import type { ScriptedOllama } from "../../support/ollama/index.ts";
import { agent, engineWith, type AgentsSetup } from "./agents.ts";
import { all, ask, fakeTimer, makeTool, only, start, until, warnings } from "./support.ts";

const asks = (name: string, question = "And you?") => [
  ollama.toolCall("ask_agent", { agent: name, question }),
];
const says = (words: string, tokens?: number) => [
  ...ollama.words(words),
  ...(tokens === undefined ? [] : [ollama.done({ prompt_eval_count: tokens, eval_count: 1 })]),
];

/** The chain of events from one up to its turn, by type. */
function above(events: readonly TurnEvent[], event: TurnEvent): string[] {
  const parent = events.find(({ id }) => id === event.parentId);
  return parent === undefined ? [] : [parent.type, ...above(events, parent)];
}

describe("an agent that asks another", () => {
  let server: ScriptedOllama;

  beforeEach(async () => {
    server = await ollama.startScriptedOllama();
  });

  afterEach(async () => {
    await server.close();
  });

  const ana = agent({ name: "Ana" });
  const bo = agent({ name: "Bo", prompt: "Answer as Bo." });
  const engine = (setup: Partial<AgentsSetup> = {}) =>
    engineWith(server.host, { agents: [ana, bo], ...setup });
  const turn = (setup: Partial<AgentsSetup> = {}, part = {}) =>
    ask(engine(setup), "When is high tide?", { options: { agent: "Ana" }, ...part });

  it("is given its answer, and the delegate knows only the question that it was asked", async () => {
    server.enqueue(asks("Bo", "Is it near?"), says("At 14:10, I think."), says("At 14:10."));
    const { events } = await turn();
    assert.equal(only(events, "answer.dialog").data.answer, "At 14:10.");
    const asked = server.chats[1]!.messages;
    assert.deepEqual(
      asked.slice(1).map(({ content }) => content),
      ["Is it near?\n\nAnswer as Bo."],
    );
    assert.equal(asked[0]!.content, server.chats[0]!.messages[0]!.content);
    assert.match(server.chats[2]!.messages.at(-1)!.content, /Bo answers:\nAt 14:10, I think\./);
  });

  it("has the delegate's work under the call, each with its own states", async () => {
    server.enqueue(asks("Bo"), says("Yes."), says("Yes."));
    const { events } = await turn();
    const [, delegate] = all(events, "agent.start");
    assert.equal(delegate!.data["conclave.role"], "delegate");
    assert.deepEqual(above(events, delegate!), ["tool.request", "step.start", "agent.start", "turn.start"]);
    const end = all(events, "agent.end").find(({ id }) => id === delegate!.id)!;
    assert.ok(events.indexOf(end) < events.indexOf(only(events, "tool.result")));
    const states = (name: string): string[] =>
      all(events, "agent.transition")
        .filter((event) => event.agent === name)
        .map(({ data }) => data.to);
    assert.deepEqual(states("Bo"), ["receiving", "generating", "publishing", "idle"]);
    assert.deepEqual(states("Ana").slice(1, 5), [
      "generating",
      "dispatching_tool",
      "waiting_for_tool",
      "generating",
    ]);
  });

  it("counts the delegate's tokens as the turn's, once", async () => {
    server.enqueue(
      [...asks("Bo"), ollama.done({ prompt_eval_count: 100, eval_count: 1 })],
      says("Yes.", 1_000),
      says("Yes.", 200),
    );
    const { end } = await turn();
    assert.equal(end.data["gen_ai.usage.input_tokens"], 1_300);
    assert.equal(end.data["gen_ai.usage.output_tokens"], 3);
  });

  it("lets the delegate answer with its own model, tools and limits, whatever the turn chose for Ana", async () => {
    server.addModel({ name: "small:1b" });
    server.addModel({ name: "big:30b" });
    server.enqueue(asks("Bo"), [ollama.toolCall("look_up", { query: "a" })], says("Yes."), says("Yes."));
    const own = agent({ name: "Bo", model: "small:1b", tools: [{ name: "look_up" }], limits: { steps: 1 } });
    const { events } = await turn({ agents: [ana, own] }, { options: { agent: "Ana", model: "big:30b" } });
    assert.deepEqual(
      server.chats.map(({ model }) => model),
      ["big:30b", "small:1b", "small:1b", "big:30b"],
    );
    assert.deepEqual(
      server.chats[1]!.tools.map((tool) => tool.function.name),
      ["look_up"],
    );
    assert.ok(warnings(events).includes("step_limit"));
  });

  it("gives a delegate whose file sets no limits half of the turn's steps and tokens", async () => {
    const look = (query: string, tokens: number) => [
      ollama.toolCall("look_up", { query }),
      ollama.done({ prompt_eval_count: tokens, eval_count: 1 }),
    ];
    const half = { maxSteps: 2, tokenBudget: 10_000 };
    server.enqueue(asks("Bo"), look("a", 10), says("Yes."), says("Yes."));
    const steps = await turn({ settings: half });
    assert.match(all(steps.events, "warning")[0]!.data.message, /limit of 1 steps/);
    server.enqueue(asks("Bo"), look("a", 6_000), says("Yes."), says("Yes."));
    const tokens = await turn({ settings: { ...half, maxSteps: 8 } });
    const bos = all(tokens.events, "warning").filter((event) => event.agent === "Bo");
    assert.deepEqual(
      bos.map(({ data }) => [data.code, data.detail?.["limit"]]),
      [["token_budget", 5_000]],
    );
  });

  it("is refused a circle with a sentence, and both end: Ana asks Bo, Bo asks Ana", async () => {
    server.enqueue(
      asks("Bo", "Do you agree?"),
      asks("ana", "And you?"),
      says("Then yes. @Ana, thank you, and you?"),
      says("Agreed. @Bo, do you agree?"),
    );
    const { events, end } = await turn();
    assert.equal(end.data.outcome, "answered");
    assert.equal(all(events, "agent.start").length, 2);
    assert.match(server.chats[2]!.messages.at(-1)!.content, /Ana waits for your answer/);
    assert.deepEqual(warnings(events), ["delegation_refused"]);
  });

  it("is refused when it asks itself", async () => {
    server.enqueue(asks("Ana"), says("Then I answer."));
    const { events } = await turn();
    assert.equal(all(events, "agent.start").length, 1);
    assert.match(only(events, "tool.result").data.error!.message, /You are Ana yourself/);
  });

  it("goes two questions deep and no deeper", async () => {
    const agents = ["Ana", "Bo", "Cy", "Di"].map((name) => agent({ name }));
    server.enqueue(asks("Bo"), asks("Cy"), asks("Di"), says("c"), says("b"), says("a"));
    const { events, end } = await turn({ agents });
    assert.deepEqual(
      all(events, "agent.start").map((event) => event.agent),
      ["Ana", "Bo", "Cy"],
    );
    assert.match(server.chats[3]!.messages.at(-1)!.content, /Di was not asked/);
    assert.equal(end.data.outcome, "answered");
  });

  it("ends, whatever the agents say: two that ask each other for ever cost a bounded number of calls", async () => {
    const agents = ["Ana", "Bo", "Cy"].map((name) => agent({ name }));
    const order = ["Bo", "Cy", "Ana"];
    server.enqueue(...Array.from({ length: 400 }, (_, index) => asks(order[index % 3]!, `Number ${index}?`)));
    const { events, end } = await turn({ agents });
    assert.ok(server.chats.length < 400);
    assert.ok(all(events, "agent.start").length <= 1 + 6 + 36);
    assert.notEqual(end.data.outcome, "cancelled");
  });

  it("may ask six times in a turn, and no more", async () => {
    const questions = Array.from({ length: 7 }, (_, index) => `Number ${index}?`);
    server.enqueue(
      [ollama.toolCalls(...questions.map((question) => ollama.call("ask_agent", { agent: "Bo", question })))],
      ...questions.map(() => says("Yes.")),
    );
    const { events } = await turn();
    assert.equal(all(events, "agent.start").filter((event) => event.agent === "Bo").length, 6);
    assert.match(all(events, "tool.result").at(-1)!.data.error!.message, /6 times, which is the limit/);
  });

  it("is told that an agent does not exist, with the nearest name", async () => {
    server.enqueue(asks("Boo"), says("Never mind."));
    const { events } = await turn();
    assert.match(only(events, "tool.result").data.result!, /no agent "Boo"\. Did you mean Bo\?/);
  });

  it("is told why the delegate failed, and goes on", async () => {
    server.addModel({ name: "small:1b" });
    server.enqueue(asks("Bo"), says("Without Bo, then."));
    const missing = agent({ name: "Bo", model: "smal:1b" });
    const { events, end } = await turn({ agents: [ana, missing] });
    assert.equal(end.data.outcome, "answered");
    assert.match(only(events, "tool.result").data.result!, /Bo gave no answer\..*Did you mean small:1b\?/);
  });

  it("stops a delegate whose time is up, by the limit of its file, and goes on", async () => {
    const { clock, timer } = fakeTimer();
    const hangs = ollama.gate();
    server.enqueue(asks("Bo"), [ollama.text("I think"), ollama.wait(hangs)], says("Without Bo, then."));
    const slow = agent({ name: "Bo", limits: { seconds: 300 } });
    const running = await start(engine({ agents: [ana, slow], timer }), "When?", {
      options: { agent: "Ana" },
    });
    let isLate = false;
    for await (const event of running.events) {
      if (event.type !== "model.delta" || event.agent !== "Bo") continue;
      clock.tick(299_000);
      assert.equal(server.chats.length, 2);
      clock.tick(2_000);
      isLate = true;
    }
    assert.ok(isLate);
    hangs.open();
    assert.equal((await running.done).outcome, "answered");
    assert.match(server.chats.at(-1)!.messages.at(-1)!.content, /within 300 s/);
  });

  it("is cancelled with the delegate, whose end comes before the turn's", async () => {
    const hangs = ollama.gate();
    server.enqueue(asks("Bo"), [ollama.text("I think"), ollama.wait(hangs)]);
    const running = await start(engine(), "When?", { options: { agent: "Ana" } });
    const events: TurnEvent[] = [];
    await until(running.events, "model.delta");
    running.cancel();
    for await (const event of running.events) events.push(event);
    hangs.open();
    assert.deepEqual(
      events
        .slice(-3)
        .map(({ type, agent: name }) => `${type} ${name}`)
        .slice(1),
      ["agent.end Ana", "turn.end Ana"],
    );
    assert.deepEqual(
      all(events, "agent.end").map((event) => [event.agent, event.data.outcome]),
      [
        ["Bo", "cancelled"],
        ["Ana", "cancelled"],
      ],
    );
  });

  it("is offered the tool, with the names of those it can ask, only when there is somebody", async () => {
    server.enqueue(says("a"), says("b"));
    await turn();
    const offered = server.chats[0]!.tools.find((tool) => tool.function.name === "ask_agent")!;
    assert.match(offered.function.description!, /Ana \(Knows all about Ana\); Bo \(Knows all about Bo\)\.$/);
    await turn({ agents: [ana] });
    assert.ok(!server.chats[1]!.tools.some((tool) => tool.function.name === "ask_agent"));
  });

  it("stays private through its delegate: nothing that memory keeps is offered or run", async () => {
    const keeper = makeTool({ name: "save_memory", readOnly: false });
    server.enqueue(
      asks("Bo"),
      [ollama.toolCall("save_memory", { query: "secret" })],
      says("Yes."),
      says("Yes."),
    );
    const { events } = await turn({ tools: [keeper] }, { private: true, options: { agent: "Ana" } });
    assert.ok(server.chats.every(({ tools }) => tools.every((tool) => tool.function.name !== "save_memory")));
    const results = all(events, "tool.result").filter(({ data }) => data.name === "save_memory");
    assert.deepEqual(
      results.map(({ data }) => data.error?.code),
      ["tool_unknown"],
    );
  });

  it("gives the sources of its delegate as its own", async () => {
    const source = { uri: "https://tides.example/oban", title: "Tides" };
    const finds = makeTool({
      name: "look_up",
      run: () =>
        Promise.resolve({ ok: true, content: "14:10", details: { summary: "1", sources: [source] } }),
    });
    server.enqueue(asks("Bo"), [ollama.toolCall("look_up", { query: "a" })], says("b"), says("a"));
    const { events } = await turn({ tools: [finds] });
    assert.deepEqual(only(events, "answer.dialog").data["conclave.sources"], [source]);
  });
});
