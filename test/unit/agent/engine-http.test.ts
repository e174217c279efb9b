import assert from "node:assert/strict";
import type { Engine } from "../../../src/agent/engine-port.ts";
import type { EngineSettings } from "../../../src/agent/settings.ts";
import * as ollama from "../../support/ollama/index.ts";
import type { ChatBody, ScriptedOllama } from "../../support/ollama/index.ts";
import { all, ask, engineAt, only, warnings } from "./support.ts";

const SYSTEM = "system";

describe("the engine over HTTP", () => {
  let server: ScriptedOllama;

  beforeEach(async () => {
    server = await ollama.startScriptedOllama();
  });

  afterEach(async () => {
    await server.close();
  });

  const engineOn = (settings: Partial<EngineSettings> = {}): Engine => engineAt(server.host, { settings });

  const conversationOf = (body: ChatBody): string[] =>
    body.messages.filter(({ role }) => role !== SYSTEM).map(({ role, content }) => `${role}: ${content}`);

  it("thinks, calls a tool and answers, and the server is sent call and result", async () => {
    server.enqueue(
      [...ollama.thinkingWords("I should look."), ollama.toolCall("web_search", { query: "tide Oban" })],
      [...ollama.words("High tide 14:10.")],
    );
    const { events } = await ask(engineOn(), "When is high tide?");
    assert.equal(only(events, "answer.dialog").data.answer, "High tide 14:10.");
    assert.equal(only(events, "response.generation").data.thinking, "I should look.");
    const sent = server.chats[1]!.messages.slice(-2);
    assert.deepEqual(sent[0]?.tool_calls?.[0]?.function.arguments, { query: "tide Oban" });
    assert.equal(sent[1]?.tool_name, "web_search");
  });

  it("runs a call that stands alone as JSON text, once, and does not show it as an answer", async () => {
    server.enqueue(
      [ollama.text('{"name":"web_search","arguments":{"query":"ferry Oban"}}')],
      [...ollama.words("At nine.")],
    );
    const { events } = await ask(engineOn(), "When does the ferry leave Oban?");
    const { data } = only(events, "tool.request");
    assert.deepEqual(data.arguments, { query: "ferry Oban" });
    assert.equal(data["conclave.recovered_from"], "text");
    const shown = all(events, "model.delta").filter((event) => event.data.channel === "answer");
    assert.equal(shown.map((event) => event.data.text).join(""), "At nine.");
  });

  it("shows a call that is only an example, and runs nothing", async () => {
    const example =
      'An example:\n```json\n{"name":"web_search","arguments":{"query":"x"}}\n```\nThat is all.';
    server.enqueue([...ollama.words(example)]);
    const { events } = await ask(engineOn(), "Show me a call as text.");
    assert.equal(all(events, "tool.request").length, 0);
    assert.equal(only(events, "answer.dialog").data.answer, example);
  });

  it("takes thinking that leaked behind a lone closing tag out of answer, history and memory", async () => {
    server.enqueue(
      ["They want a num", "ber, maybe 40 or 42.</th", "ink>", "\n\nForty-two."].map(ollama.text),
      [...ollama.words("Eighty-four.")],
    );
    const engine = engineOn({ think: false });
    const { events, sessionId } = await ask(engine, "A number?");
    assert.equal(only(events, "answer.dialog").data.answer, "Forty-two.");
    assert.match(only(events, "model.end").data.thinking, /maybe 40/);
    await ask(engine, "And doubled?", { sessionId });
    assert.doesNotMatch(JSON.stringify(server.chats[1]), /think>|maybe 40/);
  });

  it("survives an invented tool for ever: a last request without tools, and why", async () => {
    const invented = [ollama.toolCall("searchTheWeb", { query: "tide Oban" })];
    server.enqueue(...Array.from({ length: 8 }, () => invented));
    const { events, end } = await ask(engineOn(), "When is high tide?");
    assert.ok(server.chats.length <= 7);
    assert.deepEqual(server.chats.at(-1)!.tools, []);
    assert.match(end.data.error!.message, /searchTheWeb/);
    assert.deepEqual(warnings(events), ["repeated_call", "retried"]);
  });

  it("goes on by constrained output when the server says in mid-turn that the model can't call tools", async () => {
    server.enqueue(
      [ollama.httpError(400, "registry.ollama.ai/library/scripted:latest does not support tools")],
      [ollama.text('{"thought":"easy","answer":"Forty-two."}')],
    );
    const { events } = await ask(engineOn({ think: false }), "How much?");
    assert.deepEqual(warnings(events), ["protocol_changed"]);
    assert.equal(only(events, "answer.dialog").data.answer, "Forty-two.");
    assert.ok(server.chats[1]!.format !== undefined && server.chats[1]!.tools.length === 0);
  });

  it("goes on without thinking when the server says in mid-turn that the model can't", async () => {
    server.enqueue(
      [ollama.httpError(400, '"scripted:latest" does not support thinking')],
      [...ollama.words("Forty-two.")],
    );
    const { events } = await ask(engineOn(), "How much?");
    assert.equal(only(events, "answer.dialog").data.answer, "Forty-two.");
    assert.ok(!server.chats[1]!.think);
  });

  it("asks once more when the server can't parse a call", async () => {
    server.enqueue([ollama.unparsableToolCall('{"query": ')], [...ollama.words("Never mind.")]);
    const { events } = await ask(engineOn(), "How much?");
    assert.deepEqual(warnings(events), ["retried"]);
    assert.equal(only(events, "answer.dialog").data.answer, "Never mind.");
  });

  it("loads the model once in a whole session, whatever the turns and the way tools are offered", async () => {
    server.addModel({ name: "m:7b", contextLength: 8_192 });
    const search = [ollama.toolCall("web_search", { query: "a" })];
    const refused = [ollama.httpError(400, "m:7b does not support tools")];
    const answer = [ollama.text('{"thought":"easy","answer":"Yes."}')];
    const unsure = [ollama.thinking("hm")];
    server.enqueue(search, [...ollama.words("One.")], refused, answer, unsure, answer, answer);
    const engine = engineOn({ model: "m:7b" });
    const long = { label: "a.md", uri: "file:///a.md", text: "word ".repeat(20_000) };
    const { sessionId } = await ask(engine, "Short?");
    await ask(engine, "With a file?", { sessionId, references: [long] });
    await ask(engine, "Unsure?", { sessionId, options: { think: true, temperature: 1 } });
    await ask(engine, "Elsewhere?");
    const kinds = server.chats.map(({ options, keep_alive }) => [options["num_ctx"], keep_alive]);
    assert.equal(kinds.length, 7);
    for (const kind of kinds) assert.deepEqual(kind, [8_192, "30m"]);
    assert.equal(server.loads.length, 1);
  });

  it("keeps what was shown when the server dies in mid-answer, and the session goes on", async () => {
    const shown = ollama.gate();
    server.enqueue(
      [ollama.text("The tide "), ollama.text("is"), ollama.wait(shown), ollama.destroySocket()],
      [...ollama.words("Again.")],
    );
    const engine = engineOn();
    let text = "";
    engine.onEvent((event) => {
      if (event.type === "model.delta") text += event.data.text;
      if (text === "The tide is") shown.open();
    });
    const { end, sessionId } = await ask(engine, "When?");
    assert.equal(end.data.outcome, "failed");
    assert.deepEqual(end.data["conclave.messages"].at(-1), { role: "assistant", content: "The tide is" });
    await ask(engine, "Once more?", { sessionId });
    assert.deepEqual(conversationOf(server.chats[1]!), [
      "user: When?",
      "assistant: The tide is",
      "user: Once more?",
    ]);
  });

  it("says that no server is there, with what to do", async () => {
    const engine = engineOn();
    await server.close();
    const { error } = (await ask(engine, "When?")).end.data;
    assert.deepEqual([error?.code, error?.action], ["server_unreachable", "start_ollama"]);
  });

  it("says that the model is missing, with the way to get it", async () => {
    const { error } = (await ask(engineOn({ model: "nope:1b" }), "When?")).end.data;
    assert.deepEqual([error?.code, error?.action], ["model_missing", "pull_model"]);
  });

  it("gives a plain model its tools by constrained output", async () => {
    server.enqueue(
      [ollama.text('{"thought":"look","tool":"web_search",'), ollama.text('"arguments":{"query":"tide"}}')],
      [ollama.text('{"thought":"fine","answer":"At 14:'), ollama.text('10."}')],
    );
    const { events } = await ask(engineOn({ model: "scripted-plain:latest" }), "When?");
    assert.equal(only(events, "tool.request").data.name, "web_search");
    assert.equal(only(events, "answer.dialog").data.answer, "At 14:10.");
    assert.doesNotMatch(
      all(events, "model.delta")
        .map((event) => event.data.text)
        .join(""),
      /[{}]/,
    );
  });

  it("gives a plain model its tools by the ReAct text protocol when the setting says so", async () => {
    server.enqueue(
      [...ollama.words('Thought: look\nAction: web_search\nAction Input: {"query": "tide"}\n')],
      [...ollama.words("Thought: I know now.\nFinal Answer: At 14:10.")],
    );
    const engine = engineOn({ model: "scripted-plain:latest", toolProtocol: "react" });
    const { events, end } = await ask(engine, "When?");
    assert.deepEqual(only(events, "tool.request").data.arguments, { query: "tide" });
    assert.equal(only(events, "answer.dialog").data.answer, "At 14:10.");
    assert.doesNotMatch(JSON.stringify(end.data["conclave.messages"]), /Thought|I know now/);
  });
});
