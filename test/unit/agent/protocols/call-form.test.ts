import assert from "node:assert/strict";
import { callForm } from "../../../../src/agent/protocols/call-form.ts";
import { line, startScriptedOllama, type ScriptedOllama } from "../../../support/ollama/index.ts";
import { ASK, modelAt, NEVER } from "../models/support.ts";

const CALL = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';

describe("How a model's tool calls come", () => {
  let server: ScriptedOllama;
  beforeEach(async () => {
    server = await startScriptedOllama({ models: [{ name: "scripted", loaded: true }] });
  });
  afterEach(() => server.close());

  const form = async (message: object) => {
    const done = { message: { role: "assistant", content: "" }, done: true, done_reason: "stop" };
    server.enqueue([
      line({ message: { role: "assistant", content: "", ...message }, done: false }),
      line(done),
    ]);
    return callForm(modelAt(server.host), ASK.runner, NEVER);
  };

  it("is native where the server reads them", async () => {
    const call = { function: { name: "get_weather", arguments: { city: "Oslo" } } };
    assert.deepEqual(await form({ tool_calls: [call] }), { ok: true, value: "native" });
  });

  it("is text where they stand in the answer, in whichever way the model writes them", async () => {
    for (const content of [
      `\`\`\`json\n${CALL}\n\`\`\``,
      `To answer that I have to look at the weather.\n\n\`\`\`json\n${CALL}\n\`\`\``,
      `<tool_call>\n${CALL}\n</tool_call>`,
      CALL,
    ]) {
      assert.deepEqual(await form({ content }), { ok: true, value: "text" }, content);
    }
  });

  it("is none where the model answers by itself, or names the tool in its prose", async () => {
    for (const content of ["It is cold.", "I would call `get_weather` for Oslo."]) {
      assert.deepEqual(await form({ content }), { ok: true, value: "none" }, content);
    }
  });

  it("can't be told of a model that its server doesn't have, and says so", async () => {
    const told = await callForm(modelAt(server.host, { model: "nope" }), ASK.runner, NEVER);
    assert.ok(!told.ok && told.failure.code === "model_missing");
  });
});
