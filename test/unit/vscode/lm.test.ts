import assert from "node:assert/strict";
import { estimateTokens, toChatMessages, toToolSchemas } from "../../../src/vscode/lm/messages.ts";
import { streamReply } from "../../../src/vscode/lm/reply.ts";
import { ServerSource } from "../../../src/vscode/models/server-source.ts";
import { readSettings } from "../../../src/vscode/settings-schema.ts";
import {
  errorLine,
  startScriptedOllama,
  text,
  thinking,
  toolCall,
  words,
} from "../../support/ollama/index.ts";
import type { Reply, ScriptedOllama } from "../../support/ollama/index.ts";

const USER = 1;
const ASSISTANT = 2;

describe("messages from VS Code on their way to a model", () => {
  it("keep text, calls and results, each in its own message", () => {
    const messages = toChatMessages([
      { role: 3, content: [{ value: "Be brief." }] },
      { role: USER, content: [{ value: "When does " }, { value: "it leave?" }] },
      { role: ASSISTANT, content: [{ value: "" }, { callId: "c1", name: "search", input: { q: "ferry" } }] },
      { role: USER, content: [{ callId: "c1", content: [{ value: "14:10" }] }, { value: "Well?" }] },
    ]);
    assert.deepEqual(messages, [
      { role: "system", content: "Be brief." },
      { role: "user", content: "When does it leave?" },
      {
        role: "assistant",
        content: "",
        toolCalls: [{ id: "c1", name: "search", arguments: { q: "ferry" } }],
      },
      { role: "tool", toolName: "search", toolCallId: "c1", content: "14:10" },
      { role: "user", content: "Well?" },
    ]);
  });

  it("lose only what is no text, such as a picture", () => {
    const picture = { mimeType: "image/png", data: new Uint8Array(3) };
    assert.deepEqual(
      toChatMessages([{ role: USER, content: [picture, { value: "What is it?" }, 7, null] }]),
      [{ role: "user", content: "What is it?" }],
    );
  });

  it("keep a result whose call is gone", () => {
    assert.deepEqual(
      toChatMessages([{ role: USER, content: [{ callId: "x", content: [{ value: "14:10" }] }] }]),
      [{ role: "tool", toolName: "tool", toolCallId: "x", content: "14:10" }],
    );
  });

  it("take tools with any schema", () => {
    const [whole, none] = toToolSchemas([
      { name: "a", description: "A", inputSchema: { type: "object", properties: { q: { type: "string" } } } },
      { name: "b", description: "B" },
    ]);
    assert.deepEqual(whole?.parameters, { type: "object", properties: { q: { type: "string" } } });
    assert.deepEqual(none?.parameters, { type: "object", properties: {} });
  });

  it("are counted: more text is more tokens, results and calls included", () => {
    assert.equal(estimateTokens(""), 0);
    assert.equal(estimateTokens("seven c"), 2);
    const result = { role: USER, content: [{ callId: "c", content: [{ value: "x".repeat(350) }] }] };
    assert.equal(estimateTokens(result), 104);
  });
});

describe("a model of ours that another extension asks", () => {
  let ollama: ScriptedOllama;
  beforeEach(async () => {
    ollama = await startScriptedOllama({
      models: [
        { name: "native", loaded: true },
        { name: "plain", capabilities: ["completion"], loaded: true },
      ],
    });
  });
  afterEach(() => ollama.close());

  const TOOL = {
    name: "ferry",
    description: "Finds ferries",
    parameters: { type: "object", properties: { port: { type: "string" } }, required: ["port"] },
  } as const;

  async function reply(model: string, script: Reply, tools = [TOOL]) {
    ollama.enqueue(script);
    const { settings } = readSettings(() => undefined);
    const server = new ServerSource(() => ({ ollamaHost: ollama.host, requestTimeout: 30 })).current();
    assert.ok(server.ok);
    const texts: string[] = [];
    const calls: object[] = [];
    const failure = await streamReply(
      server.value.model(model),
      { messages: [{ role: "user", content: "When?" }], tools, settings },
      { text: (part) => void texts.push(part), call: ({ name, input }) => void calls.push({ name, input }) },
      new AbortController().signal,
    );
    return { text: texts.join(""), calls, failure };
  }

  it("streams its answer without its thinking", async () => {
    const { text: answer, failure } = await reply("native", [thinking("hm"), ...words("At 14:10.")]);
    assert.equal(answer, "At 14:10.");
    assert.equal(failure, undefined);
  });

  it("hands over native calls", async () => {
    const { calls } = await reply("native", [toolCall("ferry", { port: "Oban" })]);
    assert.deepEqual(calls, [{ name: "ferry", input: { port: "Oban" } }]);
  });

  it("calls tools also when it has no tools of its own, by constrained output", async () => {
    const written = JSON.stringify({ thought: "look", tool: "ferry", arguments: { port: "Oban" } });
    const { calls, text: answer } = await reply("plain", [text(written)]);
    assert.deepEqual(calls, [{ name: "ferry", input: { port: "Oban" } }]);
    assert.equal(answer, "");
    assert.notEqual(ollama.chats[0]?.format, undefined);
    assert.deepEqual(ollama.chats[0]?.tools, []);
  });

  it("is sent the same context length and keep-alive as by the engine, so that it is not loaded anew", async () => {
    await reply("native", words("ok"));
    assert.equal(ollama.chats[0]?.options["num_ctx"], 32_768);
    assert.equal(ollama.chats[0].keep_alive, "30m");
  });

  it("ends with a failure in words when the server breaks off, after what it had said", async () => {
    const { text: answer, failure } = await reply("native", [text("At 14"), errorLine("runner died")], []);
    assert.equal(answer, "At 14");
    assert.notEqual(failure, undefined);
  });
});
