import assert from "node:assert/strict";
import { line, startScriptedOllama, type ScriptedOllama } from "../../../support/ollama/index.ts";
import { ASK, collect, modelAt, NEVER } from "./support.ts";

describe("the likelihoods of a chat's tokens", () => {
  let server: ScriptedOllama;
  beforeEach(async () => {
    server = await startScriptedOllama({ models: [{ name: "scripted", loaded: true }] });
  });
  afterEach(() => server.close());

  it("are told where that is asked for, without what is malformed", async () => {
    const told = { token: " true", logprob: -0.2 };
    const top = [told, { token: " false", logprob: -1.7 }, { token: 3 }, null];
    const logprobs = [{ ...told, bytes: [32], top_logprobs: top }, { token: "x" }, 7];
    server.enqueue([line({ message: { role: "assistant", content: " true" }, done: false, logprobs })]);
    const heard = await collect(modelAt(server.host).chat({ ...ASK, topLogprobs: 5 }, NEVER));
    const body = server.requests.at(-1)!.body as Record<string, unknown>;
    assert.deepEqual([body["logprobs"], body["top_logprobs"]], [true, 5]);
    assert.deepEqual(
      heard.filter(({ type }) => type === "logprobs"),
      [{ type: "logprobs", places: [{ ...told, top: top.slice(0, 2) }] }],
    );
  });

  it("are not asked for where nobody wants them", async () => {
    const heard = await collect(modelAt(server.host).chat(ASK, NEVER));
    const body = server.requests.at(-1)!.body as Record<string, unknown>;
    assert.ok(!("logprobs" in body) && !("top_logprobs" in body));
    assert.ok(heard.every(({ type }) => type !== "logprobs"));
  });
});
