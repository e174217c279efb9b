import assert from "node:assert/strict";
import { OllamaChatModel } from "../../../../src/agent/models/ollama.ts";
import { parseHost } from "../../../../src/agent/models/host.ts";
import { createEngine } from "../../../../src/agent/engine.ts";
import type { Engine } from "../../../../src/agent/engine-port.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../../../src/agent/settings.ts";
import * as ollama from "../../../support/ollama/index.ts";
import type { ScriptedOllama } from "../../../support/ollama/index.ts";
import { all, makeTool, only, seededIdentity, toolSet } from "../support.ts";
import { convene, persona, warned } from "./bed.ts";

describe("a committee over HTTP", () => {
  let server: ScriptedOllama;
  let other: ScriptedOllama;

  beforeEach(async () => {
    [server, other] = await Promise.all([ollama.startScriptedOllama(), ollama.startScriptedOllama()]);
  });

  afterEach(async () => {
    await Promise.all([server.close(), other.close()]);
  });

  const engineOn = (settings: Partial<EngineSettings> = {}): Engine =>
    createEngine({
      identity: seededIdentity(),
      agents: () => ({
        agents: [persona("Ana", { tools: [{ name: "web_search" }] }), persona("Bo")],
        rules: "",
        problems: [],
      }),
      settings: () => ({
        ...DEFAULT_ENGINE_SETTINGS,
        model: "scripted:latest",
        think: false,
        committee: { personas: ["Ana", "Bo"], agreement: "off" },
        ...settings,
      }),
      model: (model, address = server.host) => {
        const host = parseHost(address);
        return host.ok ? new OllamaChatModel({ host: host.value, model }) : host.failure;
      },
      tools: () => toolSet(makeTool({ name: "web_search" })),
    });

  it("lets a member search, hears the other without it, and sums both up", async () => {
    server.enqueue(
      [ollama.toolCall("web_search", { query: "tide Oban" })],
      [...ollama.words("Position: at 14:10, says the almanac.")],
      [...ollama.words("Position: after lunch.")],
      [...ollama.words("At 14:10, after lunch.")],
    );
    const { events } = await convene(engineOn());
    assert.equal(only(events, "answer.dialog").data.answer, "At 14:10, after lunch.");
    assert.equal(all(events, "tool.request").length, 1);
    const first = server.chats[0];
    for (const chat of server.chats) {
      assert.deepEqual(chat.tools, first?.tools);
      assert.deepEqual(chat.options["num_ctx"], first?.options["num_ctx"]);
      assert.deepEqual(chat.messages[0], first?.messages[0]);
    }
  });

  it("gives the judge its form and the members' tools, so that the cached prompt holds", async () => {
    server.enqueue(
      [...ollama.words("Position: early")],
      [...ollama.words("Position: at dawn")],
      [ollama.text('{"agree":true,"positions":["early"]}')],
      [...ollama.words("Early.")],
    );
    const { events } = await convene(engineOn(), { rounds: 3, agreement: "model" });
    assert.equal(only(events, "committee.end").data["conclave.stopped"], "agreed");
    const judge = server.chats[2];
    assert.notEqual(judge?.format, undefined);
    assert.deepEqual(judge?.tools, server.chats[0]?.tools);
    assert.deepEqual(judge?.messages.at(-1)?.role, "user");
  });

  it("goes on without a member whose answer the server breaks off, and names it", async () => {
    server.enqueue(
      [ollama.text("Tues"), ollama.destroySocket()],
      [...ollama.words("Thursday")],
      [...ollama.words("On Thursday.")],
    );
    const { events } = await convene(engineOn());
    assert.match(warned(events, "agent_failed").join(), /^Ana gave no answer/u);
    assert.deepEqual(
      only(events, "round.end").data.positions.map(({ answer }) => answer),
      ["", "Thursday"],
    );
    assert.equal(only(events, "answer.dialog").data.answer, "On Thursday.");
  });

  it("is spread over two servers, and both are asked", async () => {
    server.enqueue([...ollama.words("Tuesday")], [...ollama.words("On Tuesday.")]);
    other.enqueue([...ollama.words("Thursday")]);
    const { events } = await convene(engineOn({ hosts: [other.host] }));
    assert.deepEqual([server.chats.length, other.chats.length], [2, 1]);
    assert.match(only(events, "answer.dialog").data.answer, /^On Tuesday\./u);
  });

  it("stops on both servers within a moment of the cancel", async () => {
    const never = ollama.gate();
    server.enqueue([ollama.text("Tues"), ollama.wait(never)]);
    other.enqueue([ollama.text("Thurs"), ollama.wait(never)]);
    const asked = await engineOn({ hosts: [other.host] }).ask({
      question: "When?",
      door: "test",
      options: { committee: {} },
    });
    assert.ok(asked.ok);
    let begun = 0;
    for await (const event of asked.value.events) {
      if (event.type !== "model.delta" || ++begun < 2) continue;
      asked.value.cancel();
    }
    assert.equal((await asked.value.done).outcome, "cancelled");
    never.open();
  });
});
