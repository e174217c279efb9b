import assert from "node:assert/strict";
import { z } from "zod";
import { OllamaApi } from "../../src/agent/models/api.ts";
import { ModelDirectory } from "../../src/agent/models/capabilities.ts";
import { OllamaCatalog } from "../../src/agent/models/catalog.ts";
import { parseHost, type OllamaHost } from "../../src/agent/models/host.ts";
import { DEFAULT_LIMITS, OllamaChatModel } from "../../src/agent/models/ollama.ts";
import { pullModel, type PullUpdate } from "../../src/agent/models/pull.ts";
import type { ChatChunk, ChatRequest, JsonObject } from "../../src/agent/models/types.ts";
import { CONTEXT_LENGTH, contract, DIMENSIONS, type Target } from "./targets.ts";
import { CALL_FORMAT, LONG_FORMAT, SEARCH_TOOL } from "./wire.ts";

const REQUEST: ChatRequest = {
  messages: [{ role: "user", content: "What did we decide about the cache?" }],
  maxTokens: 24,
  temperature: 0,
  seed: 7,
  runner: { contextLength: 2_048, keepAlive: "5m" },
};
const TOOL = {
  name: SEARCH_TOOL.function.name,
  description: SEARCH_TOOL.function.description,
  parameters: z.json().parse(SEARCH_TOOL.function.parameters) as JsonObject,
};

function hostOf(target: Target): OllamaHost {
  const host = parseHost(target.host);
  assert.ok(host.ok);
  return host.value;
}

contract("our client", (target) => {
  const never = new AbortController().signal;
  const model = (name = target.full) => new OllamaChatModel({ host: hostOf(target), model: name });
  const collect = async (extra: Partial<ChatRequest>, name = target.full): Promise<readonly ChatChunk[]> => {
    const chunks: ChatChunk[] = [];
    for await (const chunk of model(name).chat({ ...REQUEST, ...extra }, never)) chunks.push(chunk);
    return chunks;
  };
  const failureOf = (chunks: readonly ChatChunk[]) => {
    const last = chunks.at(-1);
    assert.equal(last?.type, "failure", JSON.stringify(last));
    return last.failure;
  };
  const textOf = (chunks: readonly ChatChunk[], type: "content" | "thinking") =>
    chunks.flatMap((chunk) => (chunk.type === type ? [chunk.text] : [])).join("");

  it("streams an answer and says what it cost", async () => {
    const chunks = await collect({});
    assert.notEqual(textOf(chunks, "content"), "");
    assert.equal(textOf(chunks, "thinking"), "", "thinking is off unless asked for");
    const end = chunks.at(-1);
    assert.equal(end?.type, "end");
    assert.match(end.finishReason, /stop|length/);
    const { inputTokens = 0, outputTokens = 0, totalMs = 0, firstChunkMs = 0 } = end.usage;
    assert.ok(inputTokens > 0 && outputTokens > 0 && totalMs > 0 && firstChunkMs > 0);
  });

  it("keeps thinking apart", async () => {
    const chunks = await collect({ think: true, maxTokens: 6 });
    assert.notEqual(textOf(chunks, "thinking"), "");
  });

  it("hands over a native tool call", async () => {
    const format = z.json().parse(CALL_FORMAT) as JsonObject;
    const chunks = await collect({ tools: [TOOL], format, maxTokens: 200 });
    const calls = chunks.flatMap((chunk) => (chunk.type === "tool_calls" ? chunk.calls : []));
    assert.deepEqual(
      calls.map((call) => call.name),
      ["search_memory"],
    );
    assert.match(calls[0]?.id ?? "", /^call_/);
    const end = chunks.at(-1);
    assert.equal(end?.type === "end" && end.finishReason, "stop");
  });

  it("sends history with thinking, calls and results in the form the server takes", async () => {
    const call = { id: "call_1", name: "search_memory", arguments: { query: "cache" } };
    const chunks = await collect({
      messages: [
        { role: "system", content: "Be brief." },
        ...REQUEST.messages,
        { role: "assistant", content: "", thinking: "I look it up.", toolCalls: [call] },
        { role: "tool", toolName: "search_memory", toolCallId: "call_1", content: "24 hours." },
      ],
      tools: [TOOL],
    });
    assert.equal(chunks.at(-1)?.type, "end");
  });

  it("names a model that is not there", async () => {
    const failure = failureOf(await collect({}, "nope"));
    assert.deepEqual([failure.code, failure.target], ["model_missing", "nope"]);
  });

  it("says that a model has no tools", async () => {
    assert.equal(failureOf(await collect({ tools: [TOOL] }, target.plain)).code, "tools_unsupported");
  });

  it("says that a format is not understood", async () => {
    assert.equal(failureOf(await collect({ format: { type: "nonsense" } })).code, "invalid_format");
  });

  it("says that a prompt is too long rather than letting it be cut", async () => {
    const content = Array.from({ length: 600 }, (_, index) => `word${index}`).join(" ");
    const chunks = await collect({
      messages: [{ role: "user", content }],
      runner: { contextLength: 256, keepAlive: "5m" },
    });
    assert.equal(failureOf(chunks).code, "context_overflow");
  });

  it("stops within a moment of the signal in mid-answer", async () => {
    const stop = new AbortController();
    const format = z.json().parse(LONG_FORMAT) as JsonObject;
    const request = { ...REQUEST, format, maxTokens: 2_500 };
    let last: ChatChunk | undefined;
    for await (const chunk of model().chat(request, stop.signal)) {
      last = chunk;
      if (chunk.type !== "content" || stop.signal.aborted) continue;
      stop.abort();
    }
    assert.equal(last?.type === "failure" && last.failure.code, "cancelled");
  });

  it("reads what a model can do", async () => {
    const info = await model().describe(never);
    assert.ok(info.ok);
    assert.deepEqual(info.value.capabilities.toSorted(), ["completion", "thinking", "tools"]);
    assert.equal(info.value.contextLength, CONTEXT_LENGTH);
  });

  it("lists, embeds and pulls", async () => {
    const api = new OllamaApi(hostOf(target));
    const directory = new ModelDirectory(api);
    const catalog = new OllamaCatalog(api, directory);
    const listed = await catalog.list(never);
    assert.ok(listed.ok && listed.value.some((one) => one.name === `${target.full}:latest`));
    const embedded = await catalog.embed({ model: target.full, input: ["a", "b"] }, DEFAULT_LIMITS, never);
    assert.ok(embedded.ok);
    assert.deepEqual(
      embedded.value.map((vector) => vector.length),
      [DIMENSIONS, DIMENSIONS],
    );
    let last: PullUpdate | undefined;
    for await (const update of pullModel(api, directory, "http://127.0.0.1:1/conclave/absent", never))
      last = update;
    assert.equal(last?.type, "failure");
  });
});
