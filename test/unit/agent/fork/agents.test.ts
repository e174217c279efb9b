import assert from "node:assert/strict";
import * as ollama from "../../../support/ollama/index.ts";
import type { ScriptedOllama } from "../../../support/ollama/index.ts";
import { agent, engineWith, reviewer } from "../agents.ts";
import { all, ask, only, type WholeTurn } from "../support.ts";
import { branch } from "./bed.ts";

const says = (words: string) => [...ollama.words(words)];
const looks = (query: string) => [ollama.toolCall("look_up", { query })];

describe("a branch of a turn in which agents asked each other", () => {
  let server: ScriptedOllama;
  beforeEach(async () => {
    server = await ollama.startScriptedOllama();
  });
  afterEach(() => server.close());

  const engine = () =>
    engineWith(server.host, {
      agents: [agent({ name: "Ana" }), agent({ name: "Bo", prompt: "Answer as Bo." })],
    });
  const original = async (on = engine()): Promise<WholeTurn> => {
    server.enqueue(
      [ollama.toolCall("ask_agent", { agent: "Bo", question: "Is it near?" })],
      looks("tide"),
      says("At two, says Bo."),
      says("At two."),
    );
    return ask(on, "When is high tide?", { options: { agent: "Ana" } });
  };
  const stepsOf = (turn: WholeTurn, name: string): readonly string[] =>
    all(turn.events, "step.start").flatMap(({ agent: of, id }) => (of === name ? [id] : []));

  it("repeats the work of the one that was asked under its call", async () => {
    const on = engine();
    const turn = await original(on);
    const last = server.chats.at(-1);
    server.enqueue(says("At three."));
    const fork = await branch(on, turn, { eventId: stepsOf(turn, "Ana")[1] ?? "" });
    assert.deepEqual(server.chats.at(-1), last);
    const bo = all(fork.events, "agent.start").find(({ agent: name }) => name === "Bo");
    assert.ok(bo);
    assert.ok(bo.replays !== undefined);
    assert.equal(
      bo.parentId,
      all(fork.events, "tool.request").find(({ data }) => data.name === "ask_agent")?.id,
    );
    const inner = all(fork.events, "tool.request").find(({ data }) => data.name === "look_up");
    assert.ok(inner);
    assert.equal(inner.agent, "Bo");
    const step = all(fork.events, "step.start").find(({ id }) => id === inner.stepId);
    assert.equal(step?.parentId, bo.id, "and under that agent's own step");
  });

  it("goes on within the one that was asked, and then with what that one answers now", async () => {
    const on = engine();
    const turn = await original(on);
    const was = server.chats.slice();
    const before = server.chats.length;
    server.enqueue(says("At four, says Bo."), says("At four."));
    await branch(on, turn, { eventId: stepsOf(turn, "Bo")[1] ?? "" });
    assert.equal(server.chats.length, before + 2);
    assert.deepEqual(server.chats[before], was[2], "Bo's second step, as it was asked");
    const given = server.chats.at(-1)!.messages.at(-1)!.content;
    assert.match(given, /Bo answers:\nAt four, says Bo\./);
  });

  it("gives the one that asked another answer", async () => {
    const on = engine();
    const turn = await original(on);
    const at = all(turn.events, "tool.result").find(({ data }) => data.name === "ask_agent")?.id ?? "";
    server.enqueue(says("At five."));
    const fork = await branch(on, turn, {
      eventId: at,
      edits: [{ part: "tool_result", eventId: at, text: "Bo answers:\nAt five." }],
    });
    assert.equal(server.chats.at(-1)!.messages.at(-1)!.content, "Bo answers:\nAt five.");
    assert.equal(only(fork.events, "answer.dialog").data.answer, "At five.");
  });
});

describe("a branch under each way to offer tools", () => {
  let server: ScriptedOllama;
  beforeEach(async () => {
    server = await ollama.startScriptedOllama();
  });
  afterEach(() => server.close());

  const REPLIES = {
    constrained: [
      [ollama.text('{"thought":"Look.","tool":"look_up","arguments":{"query":"tide"}}')],
      [ollama.text('{"thought":"Now.","answer":"At two."}')],
    ],
    react: [
      [ollama.text('Thought: Look.\nAction: look_up\nAction Input: {"query":"tide"}\n')],
      [ollama.text("Thought: Now.\nFinal Answer: At two.")],
    ],
  } as const;

  for (const protocol of ["constrained", "react"] as const)
    it(`sends the same again: ${protocol}`, async () => {
      const on = engineWith(server.host, { agents: [], settings: { toolProtocol: protocol } });
      server.enqueue(says("Hello."), ...REPLIES[protocol]);
      const { sessionId } = await ask(on, "Hi");
      const turn = await ask(on, "When?", { sessionId });
      const was = server.chats.at(-1);
      server.enqueue(REPLIES[protocol][1]);
      const steps = all(turn.events, "step.start");
      await branch(on, turn, { eventId: steps.at(-1)!.id });
      assert.deepEqual(server.chats.at(-1), was);
    });
});

describe("a branch of an agent whose answer is an object", () => {
  let server: ScriptedOllama;
  beforeEach(async () => {
    server = await ollama.startScriptedOllama();
  });
  afterEach(() => server.close());

  it("is asked for its object again behind what it was told of the first one", async () => {
    const on = engineWith(server.host, { agents: [reviewer()] });
    server.enqueue([ollama.text('{"stars": 3}')], [ollama.text('{"title": "Tides"}')]);
    const turn = await ask(on, "How is the book?", { options: { agent: "Reviewer" } });
    const was = server.chats.at(-1);
    server.enqueue([ollama.text('{"title": "Tides, again"}')]);
    const fork = await branch(on, turn, { eventId: all(turn.events, "step.start").at(-1)!.id });
    assert.deepEqual(server.chats.at(-1), was);
    const output = only(fork.events, "output.structured").data;
    assert.deepEqual([output.value, output.repaired], [{ title: "Tides, again" }, true]);
  });
});
