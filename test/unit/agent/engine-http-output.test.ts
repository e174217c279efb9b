import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/agent/events.ts";
import * as ollama from "../../support/ollama/index.ts";
import type { ScriptedOllama } from "../../support/ollama/index.ts";
import { ManualClock, startBare } from "./models/support.ts";
import { all, ask, engineAt, gives, makeTool, only, read, start, toolSet, warnings } from "./support.ts";

const argumentsOf = (events: readonly TurnEvent[]): unknown[] =>
  all(events, "tool.request").map(({ data }) => data.arguments);
const answerOf = (events: readonly TurnEvent[]): string => only(events, "answer.dialog").data.answer;

describe("whatever a server streams", () => {
  let server: ScriptedOllama;
  beforeEach(async () => {
    server = await ollama.startScriptedOllama();
  });
  afterEach(() => server.close());

  it("a call that stayed in the thinking is run once, and it is said where it was found", async () => {
    server.enqueue(
      [ollama.thinking('<tool_call>{"name":"web_search","arguments":{"query":"tide"}}</tool_call>')],
      [...ollama.words("At 14:10.")],
    );
    const { events } = await ask(engineAt(server.host));
    const { data } = only(events, "tool.request");
    assert.deepEqual([data.arguments, data["conclave.recovered_from"]], [{ query: "tide" }, "thinking"]);
    assert.equal(answerOf(events), "At 14:10.");
  });

  it("an empty answer after thinking is asked for once more, without thinking", async () => {
    server.enqueue([ollama.thinking("hm"), ollama.text("")], [...ollama.words("Forty-two.")]);
    const { events } = await ask(engineAt(server.host));
    assert.equal(answerOf(events), "Forty-two.");
    assert.deepEqual(
      server.chats.map(({ think }) => think),
      [true, false],
    );
  });

  it("two calls with one id are two calls, each with its own result", async () => {
    const two = ["a", "b"].map((query) => ollama.call("web_search", { query }, { id: "call_0" }));
    server.enqueue([ollama.toolCalls(...two)], [...ollama.words("Done.")]);
    const { events } = await ask(engineAt(server.host));
    assert.deepEqual(argumentsOf(events), [{ query: "a" }, { query: "b" }]);
    const sent = server.chats[1]!.messages.slice(-3);
    const ids = sent[0]!.tool_calls!.map(({ id }) => id);
    assert.equal(new Set(ids).size, 2);
    assert.deepEqual(
      sent.slice(1).map((message) => message.tool_call_id),
      ids,
    );
  });

  it("arguments in a form of their own are mended, which is said, and go back as an object", async () => {
    server.enqueue(
      [
        ollama.toolCall("functions.web_search", '{"query": "tide"}'),
        ollama.toolCall("web_search", { arguments: { query: "moon" } }),
      ],
      [...ollama.words("Done.")],
    );
    const { events } = await ask(engineAt(server.host));
    assert.deepEqual(argumentsOf(events), [{ query: "tide" }, { query: "moon" }]);
    const mended = all(events, "tool.request").map(({ data }) => data["conclave.mended"]?.length);
    assert.deepEqual(mended, [2, 1]);
    const [message] = server.chats[1]!.messages.slice(-3);
    for (const { function: called } of message!.tool_calls!) assert.equal(typeof called.arguments, "object");
  });

  it("half a sign and a NUL, in text, arguments and results, leave every later request valid", async () => {
    const half = makeTool({ name: "web_search", run: () => Promise.resolve(gives("found \ud83d\u0000")) });
    server.enqueue(
      [
        ollama.thinking("hm \udc00"),
        ollama.text("I look \ud83d. "),
        ollama.toolCall("web_search", { query: "\ud83d\u0000", "\ud83d": 1 }),
      ],
      [ollama.text("It is \ud83d\u0000 so.")],
      [...ollama.words("Again.")],
    );
    const engine = engineAt(server.host, { tools: toolSet(half) });
    const { events, sessionId } = await ask(engine, "Why \ud83d?");
    assert.equal(answerOf(events), "It is \ufffd\u0000 so.");
    await ask(engine, "And?", { sessionId });
    for (const { text } of server.requests) assert.doesNotMatch(text, /\\ud[89a-f]/i);
    assert.equal(server.chats.length, 3);
  });

  it("ten megabytes are cut, with a warning, and the server is stopped", async () => {
    const megabyte = Array.from({ length: 200_000 }, (_, index) => index.toString(36).padStart(4, "0")).join(
      " ",
    );
    server.enqueue(Array.from({ length: 10 }, () => ollama.text(megabyte)));
    const { events } = await ask(engineAt(server.host));
    assert.deepEqual(warnings(events), ["answer_cut"]);
    assert.ok(answerOf(events).length <= 2 * 1024 * 1024);
    assert.equal(await server.requests.at(-1)!.ended, "aborted");
  });

  it("a call of a model that was given no tools is not run", async () => {
    let ran = 0;
    const counted = makeTool({ name: "web_search", run: () => (ran++, Promise.resolve(gives("x"))) });
    server.enqueue([ollama.toolCall("web_search", { query: "a" })], [...ollama.words("Without it.")]);
    const engine = engineAt(server.host, { tools: toolSet(counted), settings: { toolProtocol: "none" } });
    const { events } = await ask(engine);
    assert.equal(ran, 0);
    assert.equal(only(events, "tool.result").data.error?.code, "tool_unknown");
    assert.equal(answerOf(events), "Without it.");
  });

  it("a prompt that the server finds too long is cut until it fits", async () => {
    const tooLong = [ollama.httpError(400, "the input length exceeds the context length")];
    const engine = engineAt(server.host);
    server.enqueue(...["1", "2", "3", "4"].map(ollama.words), tooLong, tooLong, [...ollama.words("Five.")]);
    for (const question of ["Q1", "Q2", "Q3", "Q4"]) await ask(engine, question, { sessionId: "s" });
    const { events } = await ask(engine, "Q5", { sessionId: "s" });
    assert.equal(answerOf(events), "Five.");
    assert.deepEqual(warnings(events), ["context_cut", "context_cut"]);
    const questions = server.chats.at(-1)!.messages.filter(({ role }) => role === "user");
    assert.deepEqual(
      questions.map(({ content }) => content),
      ["Q4", "Q5"],
    );
  });
});

describe("a server that is slow to answer", () => {
  let clock: ManualClock;
  beforeEach(() => {
    clock = new ManualClock();
  });

  for (const seconds of [95, 310]) {
    it(`is given ${seconds} s to load the model, with one request, which is answered`, async () => {
      const loaded = ollama.gate();
      const server = await ollama.startScriptedOllama({
        models: [{ name: "scripted:latest", load: () => loaded.passed }],
      });
      server.enqueue([...ollama.words("Forty-two.")]);
      const turn = await start(engineAt(server.host, { clock }));
      await server.received();
      clock.advance(seconds * 1_000);
      loaded.open();
      assert.equal((await turn.done).answer, "Forty-two.");
      assert.equal(server.chats.length, 1);
      assert.deepEqual(
        server.loads.map(({ outcome }) => outcome),
        ["loaded"],
      );
      await server.close();
    });
  }

  it("is given as long to say what the model can do", async () => {
    const asked = ollama.gate();
    const goOn = ollama.gate();
    const server = await startBare((request, response) => {
      const isShow = request.url === "/api/show";
      if (isShow) asked.open();
      const body = isShow
        ? { capabilities: ["completion", "tools"] }
        : { message: { role: "assistant", content: "Forty-two." }, done: true, done_reason: "stop" };
      void (isShow ? goOn.passed : Promise.resolve()).then(() => response.end(JSON.stringify(body)));
    });
    const turn = await start(engineAt(server.address, { clock }));
    await asked.passed;
    clock.advance(95_000);
    goOn.open();
    assert.equal((await turn.done).answer, "Forty-two.");
    await server.close();
  });

  it("says which limit fired, in seconds, when one does", async () => {
    const server = await ollama.startScriptedOllama();
    server.enqueue([ollama.wait(new Promise(() => undefined))]);
    const limits = { firstByteMs: 600_000 };
    const turn = await start(engineAt(server.host, { clock, limits }));
    await server.received();
    clock.advance(600_000);
    const { error } = await turn.done;
    assert.equal(error?.code, "timeout");
    assert.match(error.message, /within 600 s \(the limit for the first answer.*conclave\.requestTimeout/);
    assert.equal(only(await read(turn.events), "turn.end").data.outcome, "failed");
    await server.close();
  });
});
