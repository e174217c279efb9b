import assert from "node:assert/strict";
import * as ollama from "../../support/ollama/index.ts";
import type { ScriptedOllama } from "../../support/ollama/index.ts";
import { agent, engineWith } from "./agents.ts";
import { all, ask, makeTool, only, warnings } from "./support.ts";

const answer = [...ollama.words("High tide is at 14:10.")];

describe("a turn of one agent", () => {
  let server: ScriptedOllama;

  beforeEach(async () => {
    server = await ollama.startScriptedOllama();
  });

  afterEach(async () => {
    await server.close();
  });

  const named = (name: string) => ({ options: { agent: name } });
  const toolsOf = (index = 0): string[] => server.chats[index]!.tools.map((tool) => tool.function.name);

  it("has the agent's own model, temperature, thinking and instruction, which stands last", async () => {
    server.addModel({ name: "small:1b" });
    server.enqueue(answer);
    const pilot = agent({
      name: "Pilot",
      model: "small:1b",
      temperature: 0.1,
      think: true,
      prompt: "Speak of water.",
    });
    const { events } = await ask(
      engineWith(server.host, { agents: [pilot] }),
      "When is high tide?",
      named("pilot"),
    );
    const [sent] = server.chats;
    assert.equal(sent!.model, "small:1b");
    assert.deepEqual([sent!.options["temperature"], sent!.think], [0.1, true]);
    assert.match(sent!.messages.at(-1)!.content, /^When is high tide\?\n\nSpeak of water\.$/);
    assert.equal(only(events, "agent.start").data["gen_ai.agent.name"], "Pilot");
    assert.equal(only(events, "model.end").data["gen_ai.response.model"], "small:1b");
    assert.deepEqual(only(events, "turn.end").data["conclave.messages"][0], {
      role: "user",
      content: "When is high tide?",
    });
  });

  it("is refused for a name that no agent has, with the nearest one", async () => {
    const engine = engineWith(server.host, { agents: [agent({ name: "Skeptic" })] });
    const asked = await engine.ask({ question: "Why?", door: "test", ...named("Sceptic") });
    assert.ok(!asked.ok);
    assert.equal(asked.failure.code, "bad_input");
    assert.match(asked.failure.message, /"Sceptic".*Did you mean Skeptic\?/);
    assert.equal(server.chats.length, 0);
  });

  it("is answered by the product itself where the settings name nobody in particular", async () => {
    server.enqueue(answer);
    const { events } = await ask(engineWith(server.host, { agents: [agent({ name: "Pilot" })] }));
    assert.deepEqual(warnings(events), []);
    assert.equal(only(events, "agent.start").data["gen_ai.agent.name"], "conclave");
  });

  it("says that the agent of the settings is not there, and which one is near", async () => {
    server.enqueue(answer);
    const settings = { agent: "Pillot" };
    const engine = engineWith(server.host, { agents: [agent({ name: "Pilot" })], settings });
    const { events } = await ask(engine);
    assert.match(only(events, "warning").data.message, /"Pillot".*Did you mean Pilot\?/);
    assert.equal(only(events, "warning").data.code, "agent_unknown");
  });

  it("offers only the tools of the agent's file, in the order of all tools and in its words", async () => {
    server.enqueue(answer);
    const tools = ["first", "second", "third"].map((name) => makeTool({ name }));
    const own = [{ name: "third" }, { name: "first", description: "Looks at the tide table." }];
    const engine = engineWith(server.host, { agents: [agent({ name: "Pilot", tools: own })], tools });
    await ask(engine, "When?", named("Pilot"));
    assert.deepEqual(toolsOf(), ["first", "third"]);
    assert.equal(server.chats[0]!.tools[0]!.function.description, "Looks at the tide table.");
  });

  it("offers no tool when the list of the file is empty, and runs none", async () => {
    server.enqueue([ollama.toolCall("look_up", { query: "tide" })], answer);
    const engine = engineWith(server.host, { agents: [agent({ name: "Pilot", tools: [] })] });
    const { events } = await ask(engine, "When?", named("Pilot"));
    assert.deepEqual(toolsOf(), []);
    assert.ok(all(events, "tool.result").every(({ data }) => data.error?.code === "tool_unknown"));
    assert.deepEqual(only(events, "tool.schema").data.tools, []);
  });

  it("says which tool of the file does not exist, with the nearest name, and goes on with the others", async () => {
    server.enqueue(answer);
    const tools = [makeTool({ name: "web_search" }), makeTool({ name: "look_up" })];
    const own = [{ name: "web_serch" }, { name: "look_up" }];
    const engine = engineWith(server.host, { agents: [agent({ name: "Pilot", tools: own })], tools });
    const { events } = await ask(engine, "When?", named("Pilot"));
    const { code, message } = only(events, "warning").data;
    assert.equal(code, "tool_unknown");
    assert.match(message, /Pilot.*web_serch.*Did you mean web_search\?/);
    assert.deepEqual(toolsOf(), ["look_up"]);
  });

  it("says nothing of a tool that is only withheld from this turn", async () => {
    server.enqueue(answer);
    const tools = [makeTool({ name: "look_up" }), makeTool({ name: "save_memory", readOnly: false })];
    const own = [{ name: "save_memory" }, { name: "look_up" }];
    const engine = engineWith(server.host, { agents: [agent({ name: "Pilot", tools: own })], tools });
    const { events } = await ask(engine, "When?", { ...named("Pilot"), private: true });
    assert.deepEqual(warnings(events), []);
    assert.deepEqual(toolsOf(), ["look_up"]);
  });

  for (const wanted of ["Qwen3 8B (local)", "qwen3:9b"]) {
    it(`fails when the model ${wanted} is missing, names the nearest, and lets no other one answer`, async () => {
      server.addModel({ name: "qwen3:8b" });
      const engine = engineWith(server.host, { agents: [agent({ name: "Pilot", model: wanted })] });
      const { error } = (await ask(engine, "When?", named("Pilot"))).end.data;
      assert.ok(error!.code === "model_missing" || error!.code === "bad_input");
      assert.match(error!.message, /Did you mean qwen3:8b\?/);
      assert.equal(server.chats.length, 0);
    });
  }

  it("gives tools by constrained output to a model that can't call them", async () => {
    server.enqueue(
      [ollama.text('{"thought":"look","tool":"look_up","arguments":{"query":"tide"}}')],
      [ollama.text('{"thought":"fine","answer":"At 14:10."}')],
    );
    const pilot = agent({ name: "Pilot", model: "scripted-plain:latest", tools: [{ name: "look_up" }] });
    const { events } = await ask(engineWith(server.host, { agents: [pilot] }), "When?", named("Pilot"));
    assert.equal(only(events, "tool.request").data.name, "look_up");
    assert.equal(only(events, "answer.dialog").data.answer, "At 14:10.");
    assert.equal(only(events, "tool.schema").data["conclave.protocol"], "constrained");
  });

  it("heeds the limit of steps in the agent's file", async () => {
    const look = (query: string) => [ollama.toolCall("look_up", { query })];
    server.enqueue(look("a"), look("b"), answer);
    const engine = engineWith(server.host, { agents: [agent({ name: "Pilot", limits: { steps: 1 } })] });
    const { events } = await ask(engine, "When?", named("Pilot"));
    assert.equal(all(events, "tool.request").length, 1);
    assert.deepEqual(warnings(events).slice(0, 1), ["step_limit"]);
  });

  it("renders the thinking aides of its file behind its instruction, and answers in words", async () => {
    server.enqueue(answer);
    const properties = {
      assumption: { type: "string", description: "What is taken for granted" },
      mood: { enum: ["calm", "rough"] },
    };
    const pilot = agent({ name: "Pilot", properties, required: ["assumption"] });
    const { events } = await ask(engineWith(server.host, { agents: [pilot] }), "When?", named("Pilot"));
    const { content } = server.chats[0]!.messages.at(-1)!;
    assert.match(
      content,
      /You are Pilot\.\n\n[^]*- assumption \(always\): What is taken for granted\n- mood: one of "calm", "rough"$/,
    );
    assert.equal(server.chats[0]!.format, undefined);
    assert.equal(only(events, "answer.dialog").data.answer, "High tide is at 14:10.");
  });

  it("is told who it is by its own file, where a card is wanted", async () => {
    server.enqueue(answer);
    const who = { name: "Pilot", kind: "persona" as const, bio: "Born at sea.", traits: [], family: [] };
    const pilot = agent({ name: "Pilot", persona: { ...who, interests: [], relationships: [] } });
    const other = { ...who, name: "Ana", bio: "Born inland.", interests: [], relationships: [] };
    const settings = { memory: { card: "always", learning: "rules" }, persona: other } as const;
    await ask(engineWith(server.host, { agents: [pilot], settings }), "Who are you?", named("Pilot"));
    const sent = JSON.stringify(server.chats[0]!.messages);
    assert.match(sent, /Born at sea/);
    assert.doesNotMatch(sent, /Born inland/);
  });

  it("has the same prompt byte for byte when it is asked the same again", async () => {
    server.enqueue(answer, answer);
    const pilot = agent({ name: "Pilot", properties: { a: "What is assumed" } });
    const again = () => ask(engineWith(server.host, { agents: [pilot] }), "When?", named("Pilot"));
    await again();
    await again();
    assert.deepEqual(server.chats[0], server.chats[1]);
  });
});
