import assert from "node:assert/strict";
import {
  call,
  destroySocket,
  done,
  endWithoutDone,
  errorLine,
  framing,
  gate,
  httpError,
  line,
  plainError,
  raw,
  startScriptedOllama,
  text,
  thinking,
  thinkingWords,
  toolCall,
  toolCalls,
  wait,
  words,
  type ReplyStep,
  type ScriptedOllama,
} from "../../../support/ollama/index.ts";
import type { ChatChunk } from "../../../../src/agent/models/types.ts";
import { ASK, collect, failureOf, hear, modelAt, NEVER } from "./support.ts";

describe("a chat with Ollama", () => {
  let server: ScriptedOllama;
  beforeEach(async () => {
    server = await startScriptedOllama({
      models: [
        { name: "scripted", loaded: true },
        { name: "plain", capabilities: ["completion"], loaded: true },
        { name: "levels", thinkLevels: true, family: "gptoss", loaded: true },
      ],
    });
  });
  afterEach(() => server.close());

  it("streams thinking and answer apart, and ends with counts and durations", async () => {
    const stats = {
      total_duration: 9_000_000,
      load_duration: 1_000_000,
      prompt_eval_count: 11,
      prompt_eval_duration: 2_000_000,
      eval_count: 7,
      eval_duration: 5_500_000,
    };
    server.enqueue([...thinkingWords("Six sevens. "), ...words("It is 42."), done(stats)]);
    const heard = await hear(modelAt(server.host).chat(ASK, NEVER));
    assert.equal(heard.thinking, "Six sevens. ");
    assert.equal(heard.content, "It is 42.");
    assert.ok(heard.last?.type === "end");
    const { firstChunkMs, ...usage } = heard.last.usage;
    assert.deepEqual(usage, {
      inputTokens: 11,
      outputTokens: 7,
      totalMs: 9,
      loadMs: 1,
      promptMs: 2,
      generationMs: 5.5,
    });
    assert.ok(firstChunkMs !== undefined && firstChunkMs >= 0);
    assert.equal(heard.last.finishReason, "stop");
  });

  it("says when an answer was cut by the limit of tokens", async () => {
    server.enqueue([text("It is"), done({ done_reason: "length" })]);
    const { last } = await hear(modelAt(server.host).chat(ASK, NEVER));
    assert.ok(last?.type === "end" && last.finishReason === "length");
  });

  it("joins all that one read brought to one delta a channel", async () => {
    server.enqueue([framing({ lines: 100 }), ...thinkingWords("a b c "), ...words("d e f"), done()]);
    const chunks = await collect(modelAt(server.host).chat(ASK, NEVER));
    assert.deepEqual(
      chunks.map((chunk) => chunk.type),
      ["thinking", "content", "end"],
    );
  });

  it("shows a chunk before the next one is made", async () => {
    const next = gate();
    server.enqueue([text("It "), { kind: "wait", until: next.passed }, text("is 42."), done()]);
    const stream = modelAt(server.host).chat(ASK, NEVER)[Symbol.asyncIterator]();
    assert.deepEqual(await stream.next(), { done: false, value: { type: "content", text: "It " } });
    next.open();
    assert.deepEqual(await stream.next(), { done: false, value: { type: "content", text: "is 42." } });
    await stream.return(undefined);
  });

  it("reads an answer that is cut anywhere, also inside a character", async () => {
    for (const bytes of [1, 7, 64]) {
      server.enqueue([
        framing({ bytes }),
        thinking("größer 🚀 "),
        text("naïve – 👩‍🚀"),
        toolCall("f", { x: "é" }),
        done(),
      ]);
      const heard = await hear(modelAt(server.host).chat(ASK, NEVER));
      assert.deepEqual([heard.thinking, heard.content], ["größer 🚀 ", "naïve – 👩‍🚀"]);
      assert.deepEqual(heard.calls[0]?.arguments, { x: "é" });
    }
  });

  it("hands on every tool call of every chunk, whatever their index says", async () => {
    server.enqueue([
      toolCalls(call("a", { x: 1 }, { id: "one", index: 0 }), call("b", {}, { id: "two", index: 0 })),
      toolCall("c", { nested: { y: [1, 2] } }, { id: "three", index: 0 }),
      done(),
    ]);
    const { calls } = await hear(modelAt(server.host).chat(ASK, NEVER));
    assert.deepEqual(calls, [
      { id: "one", name: "a", arguments: { x: 1 } },
      { id: "two", name: "b", arguments: {} },
      { id: "three", name: "c", arguments: { nested: { y: [1, 2] } } },
    ]);
  });

  it("moves thinking that leaked into the answer, shown already or not", async () => {
    const leak = [
      text("They want a num"),
      text("ber, maybe 40 or 42.</th"),
      text("ink>"),
      text("\n\nForty-two."),
      done(),
    ];
    const model = modelAt(server.host);
    for (const think of [true, false, false]) {
      server.enqueue(leak);
      const heard = await hear(model.chat({ ...ASK, think }, NEVER));
      assert.deepEqual(
        [heard.thinking, heard.content],
        ["They want a number, maybe 40 or 42.", "Forty-two."],
      );
    }
  });

  it("shows the first words at once, also of a model that is told not to think", async () => {
    const goOn = gate();
    server.enqueue([text("It "), wait(goOn), text("is 42."), done()]);
    const heard: ChatChunk[] = [];
    for await (const chunk of modelAt(server.host).chat({ ...ASK, think: false }, NEVER)) {
      heard.push(chunk);
      goOn.open();
    }
    assert.deepEqual(heard[0], { type: "content", text: "It " });
  });

  it("learns which model leaks, and then shows none of it as an answer, however long it is", async () => {
    const long = "They may want a number. ".repeat(100);
    const leak: ReplyStep[] = [framing({ lines: 5 }), ...words(long), text("</think>42"), done()];
    const model = modelAt(server.host, { model: "plain" });
    server.enqueue(leak, leak);
    const first = await collect(model.chat(ASK, NEVER));
    const second = await collect(model.chat(ASK, NEVER));
    const isRetracted = (chunks: typeof first): boolean => chunks.some((chunk) => chunk.type === "retract");
    assert.deepEqual([isRetracted(first), isRetracted(second)], [true, false]);
  });

  it("tells a model that can think whether to, and other models nothing", async () => {
    for (const [model, think] of [
      ["scripted", false],
      ["scripted", true],
      ["plain", true],
      ["levels", "high"],
    ] as const) {
      server.enqueue([text("42"), done()]);
      await hear(modelAt(server.host, { model }).chat({ ...ASK, think }, NEVER));
    }
    assert.deepEqual(
      server.chats.map((chat) => chat.think),
      [false, true, undefined, "high"],
    );
  });

  it("sends one request a call and asks about the model once", async () => {
    server.enqueue([text("a"), done()], [text("b"), done()]);
    const model = modelAt(server.host);
    await hear(model.chat(ASK, NEVER));
    await hear(model.chat(ASK, NEVER));
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ["/api/show", "/api/chat", "/api/chat"],
    );
  });

  describe("that goes wrong", () => {
    const failures: readonly (readonly [string, readonly ReplyStep[], string, RegExp])[] = [
      ["a full queue", [httpError(503, "server busy, please try again.")], "server_busy", /requests waiting/],
      ["a plain text 401", [plainError(401, "unauthorized")], "unauthorized", /sign-in/],
      [
        "a model that calls no tools",
        [httpError(400, "m does not support tools")],
        "tools_unsupported",
        /scripted/,
      ],
      [
        "an unreadable call",
        [httpError(500, "error parsing tool call: raw='{'")],
        "tool_call_unparsable",
        /tool call/,
      ],
      [
        "an error in mid-stream",
        [text("It "), errorLine("model runner has unexpectedly stopped")],
        "runner_stopped",
        /stopped/,
      ],
      [
        "an error object in mid-stream",
        [text("It "), line({ error: { message: "out of memory" } })],
        "runner_stopped",
        /memory/,
      ],
      ["an end without done", [text("It "), endWithoutDone()], "stream_broken", /before the model was done/],
      ["an answer without any line", [endWithoutDone()], "stream_broken", /before the model was done/],
      ["a connection cut before the answer", [destroySocket()], "stream_broken", /before it answered/],
      [
        "a line that is neither message nor end",
        [text("It "), line({ status: "ok" })],
        "stream_broken",
        /not a part of an answer/,
      ],
      [
        "a message of the wrong shape",
        [text("It "), line({ message: { content: 5 }, done: false })],
        "stream_broken",
        /not a part/,
      ],
      ["a line that is no object", [text("It "), line([1])], "stream_broken", /not a part/],
      ["garbage in mid-stream", [text("It "), raw("garbage\n")], "stream_broken", /not JSON/],
      [
        "half a line at the end",
        [text("It "), raw('{"message":'), endWithoutDone()],
        "stream_broken",
        /not JSON/,
      ],
      ["a web page", [raw("<html>Sign in</html>\n"), endWithoutDone()], "server_error", /not Ollama/],
      [
        "a redirect",
        [{ kind: "http", status: 302, body: "", headers: { location: "https://x.test/" } }],
        "server_error",
        /not Ollama/,
      ],
    ];
    for (const [name, steps, code, sentence] of failures) {
      it(`by ${name} is the failure ${code} with a sentence for people`, async () => {
        server.enqueue(steps);
        const heard = await hear(modelAt(server.host).chat(ASK, NEVER));
        assert.ok(heard.last?.type === "failure");
        assert.equal(heard.last.failure.code, code);
        assert.match(heard.last.failure.message, sentence);
        const expected = steps.some((step) => step.kind === "message") ? "It " : "";
        assert.equal(heard.content, expected, "what had arrived is kept");
      });
    }

    it("names the model that is missing", async () => {
      const failure = await failureOf(modelAt(server.host, { model: "nope" }).chat(ASK, NEVER));
      assert.deepEqual([failure.code, failure.target], ["model_missing", "nope"]);
    });

    it("says with numbers that the prompt does not fit", async () => {
      const content = "word ".repeat(3_000);
      const request = { ...ASK, messages: [{ role: "user", content } as const] };
      const failure = await failureOf(
        modelAt(server.host).chat({ ...request, runner: { ...ASK.runner, contextLength: 512 } }, NEVER),
      );
      assert.equal(failure.code, "context_overflow");
      assert.match(failure.message, /3,7\d\d tokens.*512 tokens/);
    });

    it("says where Ollama should run when it does not", async () => {
      const { host } = server;
      await server.close();
      const failure = await failureOf(modelAt(host).chat(ASK, NEVER));
      assert.equal(failure.code, "server_unreachable");
      assert.equal(
        failure.message,
        `Ollama is not running at ${host}. Start it, or change conclave.ollama.host.`,
      );
      assert.equal(failure.action, "start_ollama");
    });

    it("is not sent again", async () => {
      server.enqueue([destroySocket()]);
      await failureOf(modelAt(server.host).chat(ASK, NEVER));
      assert.equal(server.chats.length, 1);
    });

    it("by a connection cut in mid-stream keeps what had arrived, held back or not", async () => {
      for (const think of [true, false]) {
        const arrived = gate();
        server.enqueue([thinking("hm"), text("It is <th"), wait(arrived), destroySocket()]);
        const chunks: ChatChunk[] = [];
        for await (const chunk of modelAt(server.host).chat({ ...ASK, think }, NEVER)) {
          chunks.push(chunk);
          arrived.open();
        }
        const content = chunks.map((chunk) => (chunk.type === "content" ? chunk.text : "")).join("");
        assert.equal(content, "It is <th");
        const last = chunks.at(-1);
        assert.ok(last?.type === "failure" && last.failure.code === "stream_broken");
        assert.match(last.failure.message, /middle of its answer/);
      }
    });
  });
});
