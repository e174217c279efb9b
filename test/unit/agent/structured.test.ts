import assert from "node:assert/strict";
import { isJsonObject } from "../../../src/agent/json.ts";
import * as ollama from "../../support/ollama/index.ts";
import type { ScriptedOllama } from "../../support/ollama/index.ts";
import { engineWith, reviewer } from "./agents.ts";
import { all, ask, only, warnings } from "./support.ts";

const VALUE = { title: "Tides", stars: 4 };
const JSON_TEXT = JSON.stringify(VALUE);
const shown = (value: object): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

describe("an agent whose answer is an object", () => {
  let server: ScriptedOllama;

  beforeEach(async () => {
    server = await ollama.startScriptedOllama();
  });

  afterEach(async () => {
    await server.close();
  });

  const review = (part: Parameters<typeof reviewer>[0] = {}, model?: string) =>
    ask(engineWith(server.host, { agents: [reviewer(part)] }), "How is the book?", {
      options: { agent: "Reviewer", ...(model !== undefined && { model }) },
    });

  it("is constrained to its schema, which the prompt tells too, and gives the object", async () => {
    server.enqueue([ollama.text(JSON_TEXT)]);
    const { events } = await review();
    const [sent] = server.chats;
    assert.ok(isJsonObject(sent!.format));
    assert.deepEqual(sent!.format["required"], ["title"]);
    assert.match(sent!.messages.at(-1)!.content, /JSON schema:\n\{.*"title".*"What it is called"/);
    const { value, repaired, schema, error } = only(events, "output.structured").data;
    assert.deepEqual([value, repaired, error], [VALUE, false, undefined]);
    assert.equal(schema["type"], "object");
    assert.equal(only(events, "answer.dialog").data.answer, shown(VALUE));
    assert.equal(only(events, "response.generation").data.answer, shown(VALUE));
  });

  it("shows nothing as the answer before the object is whole and valid", async () => {
    server.enqueue([...ollama.words('{"title": 3}')], [...ollama.words(JSON_TEXT)]);
    const { events } = await review();
    assert.ok(all(events, "model.delta").length > 1);
    assert.ok(all(events, "model.delta").every(({ data }) => data.channel === "thinking"));
  });

  const ACCEPTED: Readonly<Record<string, string>> = {
    "in a fence": `Here it is:\n\n\`\`\`json\n${JSON_TEXT}\n\`\`\`\nI hope it helps.`,
    "in prose": `My review is ${JSON_TEXT}. The first {draft} was shorter.`,
    "beside a smaller one": `Not {"title":"X"} but ${JSON_TEXT}`,
    "with a comma too many": '{"title":"Tides","stars":4,}',
    "as the only one of a list": `[${JSON_TEXT}]`,
  };
  for (const [how, text] of Object.entries(ACCEPTED)) {
    it(`is taken by its object: ${how}`, async () => {
      server.enqueue([ollama.text(text)]);
      const { events } = await review();
      assert.deepEqual(only(events, "output.structured").data.value, VALUE);
      assert.equal(server.chats.length, 1);
    });
  }

  const WRONG: Readonly<Record<string, readonly [string, RegExp]>> = {
    "a field that is missing": ['{"stars":4}', /must have required property 'title'/],
    "a number out of bounds": ['{"title":"Tides","stars":9}', /stars must be <= 5/],
    "a fraction for a whole number": ['{"title":"Tides","stars":4.5}', /stars must be integer/],
    "a list": ['[{"title":"a"},{"title":"b"}]', /must be object/],
    words: ["It is a fine book.", /no whole JSON object/],
    nothing: ["", /no whole JSON object/],
    "the schema itself": [
      '{"type":"object","properties":{"title":{"type":"string","description":"What it is called"},"stars":{"type":"integer","minimum":1,"maximum":5}},"required":["title"]}',
      /no whole JSON object/,
    ],
  };
  for (const [what, [text, words]] of Object.entries(WRONG)) {
    it(`is told once, in the validator's words, what is wrong with ${what}`, async () => {
      server.enqueue([ollama.text(text)], [ollama.text(JSON_TEXT)]);
      const { events, end } = await review();
      assert.match(server.chats[1]!.messages.at(-1)!.content, words);
      assert.ok(server.chats[1]!.format !== undefined);
      const { value, repaired } = only(events, "output.structured").data;
      assert.deepEqual([value, repaired], [VALUE, true]);
      assert.deepEqual(warnings(events), ["output_invalid"]);
      assert.equal(end.data.outcome, "answered");
    });
  }

  it("fails in clear words when it is wrong again, and keeps what was said", async () => {
    server.enqueue([ollama.text('{"stars":4}')], [ollama.text('{"stars":0}')], [ollama.text(JSON_TEXT)]);
    const { events, end } = await review();
    assert.equal(server.chats.length, 2);
    const { outcome, error } = end.data;
    assert.deepEqual([outcome, error?.code], ["failed", "output_invalid"]);
    assert.match(error!.message, /Reviewer.*required property 'title'/);
    assert.equal(only(events, "output.structured").data.error?.code, "output_invalid");
    assert.equal(only(events, "response.generation").data.answer, '{"stars":0}');
    assert.equal(all(events, "answer.dialog").length, 0);
  });

  it("does not complete an object that was cut off", async () => {
    const cut = [ollama.text('{"title":"Tides","stars":4'), ollama.done({ done_reason: "length" })];
    server.enqueue(cut, cut);
    const { end } = await review();
    assert.equal(end.data.error?.code, "output_invalid");
    assert.match(server.chats[1]!.messages.at(-1)!.content, /cut off/);
  });

  it("uses its tools first, then is asked for the object alone: constrained, without tools", async () => {
    server.enqueue(
      [ollama.toolCall("look_up", { query: "Tides" })],
      [...ollama.words("A book of four stars, called Tides.")],
      [ollama.text(JSON_TEXT)],
    );
    const { events } = await review({ tools: [{ name: "look_up" }] });
    assert.deepEqual(
      server.chats.map(({ tools, format }) => [tools.length, format !== undefined]),
      [
        [1, false],
        [1, false],
        [0, true],
      ],
    );
    assert.match(server.chats[2]!.messages.at(-2)!.content, /four stars/);
    assert.deepEqual(only(events, "output.structured").data.value, VALUE);
    assert.equal(only(events, "output.structured").data.repaired, false);
    assert.deepEqual(warnings(events), []);
  });

  it("needs no more calls when the object comes with the tools still on", async () => {
    server.enqueue([ollama.toolCall("look_up", { query: "Tides" })], [ollama.text(JSON_TEXT)]);
    await review({ tools: [{ name: "look_up" }] });
    assert.equal(server.chats.length, 2);
  });

  it("gives the object also when its steps are used up", async () => {
    const look = (query: string) => [ollama.toolCall("look_up", { query })];
    server.enqueue(look("a"), [ollama.text(JSON_TEXT)]);
    const { events, end } = await review({ tools: [{ name: "look_up" }], limits: { steps: 1 } });
    assert.ok(server.chats[1]!.format !== undefined && server.chats[1]!.tools.length === 0);
    assert.deepEqual(warnings(events), ["step_limit"]);
    assert.equal(end.data.outcome, "answered");
  });

  it("goes on unconstrained, and checked, when the server can't make a grammar of its schema", async () => {
    server.enqueue([ollama.errorLine("invalid JSON schema in format")], [ollama.text(JSON_TEXT)]);
    const { events } = await review();
    assert.equal(server.chats[1]!.format, undefined);
    assert.deepEqual(warnings(events), ["protocol_changed"]);
    assert.deepEqual(only(events, "output.structured").data.value, VALUE);
  });

  it("works with a model that has neither tools nor thinking", async () => {
    server.enqueue(
      [ollama.text('{"thought":"look","tool":"look_up","arguments":{"query":"Tides"}}')],
      [ollama.text('{"thought":"fine","answer":"Four stars."}')],
      [ollama.text(JSON_TEXT)],
    );
    const part = { tools: [{ name: "look_up" }], model: "scripted-plain:latest" };
    const { events } = await review(part);
    assert.deepEqual(only(events, "output.structured").data.value, VALUE);
    assert.equal(all(events, "step.start").length, 3);
  });

  it("is not asked when the schema of its file is wrong", async () => {
    const { end } = await review({ properties: { title: { type: "strng" } } });
    assert.equal(end.data.error?.code, "bad_input");
    assert.match(end.data.error.message, /Reviewer.*schema/);
    assert.equal(server.chats.length, 0);
  });

  it("is cancelled while it is repaired", async () => {
    const open = ollama.gate();
    server.enqueue([ollama.text("no")], [ollama.wait(open)]);
    const engine = engineWith(server.host, { agents: [reviewer()] });
    engine.onEvent((event) => {
      if (event.type === "model.start" && server.chats.length === 1)
        engine.running(event.sessionId)?.cancel();
    });
    const { end } = await ask(engine, "How?", { options: { agent: "Reviewer" } });
    open.open();
    assert.equal(end.data.outcome, "cancelled");
  });

  it("goes on in the next turn with the object as its answer", async () => {
    server.enqueue([ollama.text(JSON_TEXT)], [...ollama.words("It is called Tides.")]);
    const engine = engineWith(server.host, { agents: [reviewer()] });
    const { sessionId } = await ask(engine, "How is the book?", { options: { agent: "Reviewer" } });
    await ask(engine, "What is it called?", { sessionId });
    const sent = server.chats[1]!.messages.slice(1, 3);
    assert.deepEqual(
      sent.map(({ role, content }) => [role, content]),
      [
        ["user", "How is the book?"],
        ["assistant", shown(VALUE)],
      ],
    );
  });
});
