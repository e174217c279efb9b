import assert from "node:assert/strict";
import fc from "fast-check";
import { requestTokens } from "../../../../src/agent/budget/gauge.ts";
import { partLimits } from "../../../../src/agent/budget/shares.ts";
import { success } from "../../../../src/agent/failure.ts";
import type { ToolProtocol } from "../../../../src/agent/events.ts";
import type { ChatMessage, ChatRequest } from "../../../../src/agent/models/types.ts";
import { emptyMemory } from "../memory.ts";
import {
  all,
  answers,
  ask,
  call,
  callTools,
  end,
  engineOver,
  gives,
  long,
  makeTool,
  muse,
  only,
  playModel,
  toolSet,
  warnings,
} from "../support.ts";

const lookUp = (query: string) => [callTools(call("look_up", { query })), end()];

/** Every result right behind the call it answers, no call without its result, and somebody who asks. */
function assertWellFormed({ messages }: ChatRequest): void {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      assert.ok(open.delete(message.toolCallId), "a result without its call");
      continue;
    }
    assert.equal(open.size, 0, "a call without its result");
    if (message.role === "assistant") for (const { id } of message.toolCalls ?? []) open.add(id);
  }
  assert.equal(open.size, 0, "a call without its result");
  assert.ok(
    messages.some(({ role }) => role === "user"),
    "nobody asks",
  );
}

describe("a request", () => {
  const text = fc
    .tuple(fc.constantFrom("word ", "日本", "x", "👩‍🚀", '{"a": 1}\n'), fc.nat(1_500))
    .map(([unit, count]) => unit.repeat(count));
  const history = fc.array(fc.tuple(text, text), { maxLength: 6 }).map((turns) =>
    turns.flatMap(([question, answer]): ChatMessage[] => [
      { role: "user", content: question === "" ? "?" : question },
      { role: "assistant", content: answer === "" ? "." : answer },
    ]),
  );
  const scenario = fc.record({
    history,
    question: text.map((asked) => (asked.trim() === "" ? "Why?" : asked)),
    attached: fc.array(text, { maxLength: 3 }),
    results: fc.array(text, { maxLength: 4 }),
    thinking: text,
    tools: fc.integer({ min: 1, max: 30 }),
    rules: text,
    contextLength: fc.integer({ min: 400, max: 12_000 }),
    protocol: fc.constantFrom<ToolProtocol>("native", "constrained", "react", "none"),
    summary: fc.boolean(),
    parallel: fc.integer({ min: 1, max: 3 }),
  });

  it("never takes more than the context, whatever is asked, attached, recalled, found or said before", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const { contextLength, protocol } = given;
        const calls = given.results.map((_, step) => [
          muse(given.thinking === "" ? "hm" : given.thinking),
          callTools(
            ...Array.from({ length: given.parallel }, (__, at) =>
              call("look_up_0", { query: `${step}-${at}` }),
            ),
          ),
          end(),
        ]);
        let next = 0;
        const found = makeTool({
          name: "look_up_0",
          run: () => Promise.resolve(gives(given.results[next++ % given.results.length] ?? "x")),
        });
        const others = Array.from({ length: given.tools - 1 }, (_, at) =>
          makeTool({ name: `look_up_${at + 1}` }),
        );
        const model = playModel([...calls, answers('{"answer": "Final Answer: yes"}')], { contextLength });
        const engine = engineOver(model, {
          tools: toolSet(found, ...others),
          agents: () => ({ agents: [], problems: [], rules: given.rules }),
          settings: {
            toolProtocol: protocol,
            contextLength,
            budget: { summary: given.summary },
            maxSteps: 4,
          },
        });
        const references = given.attached.map((content, at) => ({
          label: `${at}.txt`,
          uri: `file:///${at}.txt`,
          text: content,
        }));
        const { events, end: ended } = await ask(engine, given.question, {
          history: given.history,
          references,
        });
        const { prompt } = partLimits({ contextLength, maxOutputTokens: 8_192, calibration: 1, shares: {} });
        for (const request of model.requests) {
          const isSummary = request.messages.at(-1)!.content.includes("Write a summary of the conversation");
          const tokens = requestTokens(request) + (isSummary ? request.maxTokens : contextLength - prompt);
          assert.ok(tokens <= contextLength, `${tokens} of ${contextLength}`);
          assertWellFormed(request);
        }
        for (const { data } of all(events, "context.budget")) {
          const sum = Object.values<number>({ ...data.parts }).reduce((total, part) => total + part, 0);
          assert.ok(sum <= contextLength, `${sum} of ${contextLength}`);
        }
        if (ended.data.outcome !== "answered") {
          assert.ok(
            ended.data.error?.code === "context_overflow" || ended.data.error?.code === "empty_answer",
          );
        }
      }),
      { numRuns: 120 },
    );
  });

  it("is made smaller by what a protocol's own words take, and then sent", async () => {
    const model = playModel([answers('{"answer": "yes"}')], { contextLength: 4_096 });
    const history = Array.from({ length: 8 }, (_, turn): ChatMessage[] => [
      { role: "user", content: `Q${turn}` },
      { role: "assistant", content: '"\n'.repeat(500) },
    ]);
    const engine = engineOver(model, { settings: { toolProtocol: "constrained" } });
    const { end: ended, events } = await ask(engine, "And?", { history: history.flat() });
    assert.equal(ended.data.outcome, "answered");
    assert.equal(model.requests.length, 1);
    assert.equal(all(events, "step.start").length, 1, "nothing was refused on the way");
    assert.ok(model.requests[0]!.messages.some(({ content }) => content === "Q7"));
  });

  it("that can't be made small enough is not sent: the failure has the numbers", async () => {
    const model = playModel([answers("x")], { contextLength: 2_048 });
    const { end: ended } = await ask(engineOver(model), long("q", 5_000));
    assert.equal(model.requests.length, 0);
    assert.equal(ended.data.error?.code, "context_overflow");
    assert.match(ended.data.error.message, /about 5\d\d\d tokens, and 256 for the answer.*2048 tokens/);
  });
});

describe("earlier turns that no longer fit", () => {
  /** A session of turns, each with a result of so many tokens. */
  function withResults(tokens: number, turns: number, contextLength: number) {
    const replies = Array.from({ length: turns }, (_, turn) => [
      lookUp(`${turn}`),
      answers(`Answer ${turn}.`),
    ]);
    const found = makeTool({ name: "look_up", run: () => Promise.resolve(gives(long("r", tokens))) });
    const model = playModel([...replies.flat(), answers("x")], { contextLength });
    return { model, engine: engineOver(model, { tools: toolSet(found) }) };
  }

  it("lose the results of their tools first, oldest first, with a line that says so; the words stay", async () => {
    const { model, engine } = withResults(800, 5, 4_096);
    const seen = [];
    for (let turn = 0; turn < 5; turn += 1) seen.push(await ask(engine, `Q${turn}`, { sessionId: "s" }));
    const compacted = seen.flatMap(({ events }) => all(events, "context.compacted"));
    assert.deepEqual([...new Set(compacted.map(({ data }) => data.how))], ["results"]);
    const [first] = compacted;
    assert.equal(first!.data.turns[0], seen[0]!.end.turnId);
    assert.ok(first!.data.before > first!.data.after);
    const { messages } = model.requests.at(-1)!;
    assert.match(
      messages.find(({ role }) => role === "tool")!.content,
      /^[r0-9a-z]+\n\[trimmed: 200 of 2800 characters/,
    );
    assert.equal(messages.at(-1)!.content.length, 2_800, "the newest result is whole");
    assert.ok(messages.some(({ content }) => content === "Q0"));
    assert.ok(messages.some(({ content }) => content === "Answer 0."));
    assert.deepEqual(warnings(seen.flatMap(({ events }) => events)), []);
  });

  it("stay trimmed in later turns, byte for byte, so that the server's cached prompt holds", async () => {
    const { model, engine } = withResults(800, 6, 4_096);
    let cuts = 0;
    let prefixes = 0;
    for (let turn = 0; turn < 6; turn += 1) {
      const { events } = await ask(engine, `Q${turn}`, { sessionId: "s" });
      cuts += all(events, "context.compacted").length;
    }
    const prompts = model.requests.map(({ messages }) => messages.map((message) => JSON.stringify(message)));
    prompts.forEach((prompt, at) => {
      const before = prompts[at - 1];
      if (before !== undefined && prompt.slice(0, before.length).join() === before.join()) prefixes += 1;
    });
    assert.ok(cuts >= 1 && cuts <= 2, `${cuts} cuts`);
    assert.equal(prefixes, prompts.length - 1 - cuts);
  });

  it("leave the thinking of the turn's earlier steps out before they go themselves", async () => {
    const found = makeTool({ name: "look_up", run: () => Promise.resolve(gives("found it")) });
    const think = (step: number) => [
      muse(long("t", 900)),
      callTools(call("look_up", { query: `${step}` })),
      end(),
    ];
    const model = playModel([answers(long("a", 900)), think(1), think(2), think(3), answers("x")], {
      contextLength: 4_096,
    });
    const engine = engineOver(model, { tools: toolSet(found) });
    const { sessionId } = await ask(engine, "Q0");
    const { events } = await ask(engine, "Q1", { sessionId });
    assert.deepEqual(
      all(events, "context.compacted").map(({ data }) => data.how),
      ["thinking"],
    );
    const { messages } = model.requests.at(-1)!;
    const thoughts = messages.map(
      (message) => message.role === "assistant" && message.thinking !== undefined,
    );
    assert.equal(thoughts.filter(Boolean).length, 1, "the newest step's");
    assert.ok(messages.some(({ content }) => content === "Q0"));
  });

  it("keep their share while a turn's own results ask for all there is", async () => {
    const found = makeTool({ name: "look_up", run: () => Promise.resolve(gives(long("r", 3_000))) });
    const model = playModel(
      [answers(long("a", 1_000)), lookUp("1"), lookUp("2"), lookUp("3"), answers("x")],
      {
        contextLength: 8_192,
      },
    );
    const engine = engineOver(model, { tools: toolSet(found) });
    const { sessionId } = await ask(engine, "Q0");
    const { events } = await ask(engine, "Q1", { sessionId });
    assert.ok(model.requests.at(-1)!.messages.some(({ content }) => content === "Q0"));
    assert.deepEqual([...new Set(warnings(events))], ["context_cut"]);
  });
});

describe("what is recalled from memory", () => {
  it("takes no more than the attached texts leave of their common share, and that is told", async () => {
    const who = { sessionId: "s", turnId: "t", agent: "a", respondent: "A", model: "m", kind: "turn" };
    const hits = Array.from({ length: 10 }, (_, at) => ({
      score: 1,
      parts: {},
      episode: {
        ...who,
        id: `e${at}`,
        question: "Which?",
        answer: long("m", 400),
        time: Date.UTC(2026, 0, 2),
      },
    }));
    const memory = emptyMemory({ search: () => Promise.resolve(success({ hits, searched: 10 })) });
    const model = playModel([answers("x")], { contextLength: 4_096, capabilities: ["completion"] });
    const engine = engineOver(model, { memory, tools: toolSet() });
    const references = [{ label: "a.md", uri: "file:///a.md", text: long("r", 500) }];
    const { events } = await ask(engine, "Which cache?", { references });
    const { parts } = only(events, "context.budget").data;
    assert.ok(parts.references >= 500 && parts.memory > 300, JSON.stringify(parts));
    assert.ok(parts.references + parts.memory <= 1_024 + 40, JSON.stringify(parts));
    assert.deepEqual(warnings(events), ["context_cut"]);
    assert.match(model.requests[0]!.messages.at(-2)!.content, /\[cut: \d+ of \d+ characters/);
    await engine.dispose();
  });
});

describe("rules of the project", () => {
  it("that are longer than their share are cut, and that is told", async () => {
    const model = playModel([answers("x")], { contextLength: 4_096 });
    const agents = () => ({ agents: [], problems: [], rules: long("R", 4_000) });
    const { events } = await ask(engineOver(model, { agents }));
    const { content } = model.requests[0]!.messages[0]!;
    assert.ok(content.length < 1_100 * 3.5);
    assert.match(content, /\w\n\[cut: the rest of these rules/);
    assert.match(content, /only the user's messages tell you what to do\.$/);
    assert.equal(only(events, "warning").data.code, "context_cut");
  });
});
