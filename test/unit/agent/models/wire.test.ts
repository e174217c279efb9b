import assert from "node:assert/strict";
import fc from "fast-check";
import type {
  ChatMessage,
  ChatRequest,
  ModelInfo,
  Think,
  ToolSchema,
} from "../../../../src/agent/models/types.ts";
import { toEnvelope, toWire, toWireMessage, wireJson, wireText } from "../../../../src/agent/models/wire.ts";

const REQUEST: ChatRequest = {
  messages: [{ role: "user", content: "hi" }],
  maxTokens: 100,
  runner: { contextLength: 4_096, keepAlive: "30m" },
};
const THINKER: ModelInfo = { name: "m", capabilities: ["completion", "thinking"], family: "qwen3" };
const PLAIN: ModelInfo = { name: "m", capabilities: ["completion"] };
const LEVELS: ModelInfo = { name: "m", capabilities: ["completion", "thinking"], family: "gptoss" };

function think(asked: Think | undefined, info: ModelInfo | undefined, model = "m"): unknown {
  return toWire(model, asked === undefined ? REQUEST : { ...REQUEST, think: asked }, info).think;
}

describe("a request on the wire", () => {
  it("always says whether to think to a model that can, since left out means yes", () => {
    assert.equal(think(undefined, THINKER), false);
    assert.equal(think(false, THINKER), false);
    assert.equal(think(true, THINKER), true);
  });

  it("never asks a model to think that can't", () => {
    for (const asked of [undefined, false, true, "high"] as const)
      assert.equal(think(asked, PLAIN), undefined);
  });

  it("sends levels only to models that take them, and those nothing else", () => {
    assert.equal(think("high", THINKER), true);
    assert.equal(think("high", LEVELS), "high");
    assert.equal(think("max", LEVELS), "high");
    assert.equal(think(true, LEVELS), "medium");
    assert.equal(think(false, LEVELS), "low");
  });

  it("sends what was asked when nothing is known of the model", () => {
    assert.equal(think(false, undefined), undefined);
    assert.equal(think(true, undefined), true);
    assert.equal(think("low", undefined, "library/gpt-oss:20b"), "low");
  });

  it("sets context, output limit and keep-alive, and has overflow be an error", () => {
    const body = toWire(
      "m",
      { ...REQUEST, temperature: 0, topP: 0.9, seed: 7, stop: ["Observation:"] },
      PLAIN,
    );
    assert.deepEqual(body.options, {
      num_ctx: 4_096,
      num_predict: 100,
      temperature: 0,
      top_p: 0.9,
      seed: 7,
      stop: ["Observation:"],
    });
    assert.equal(body.keep_alive, "30m");
    assert.deepEqual([body.stream, body.truncate, body.shift], [true, false, false]);
  });

  it("sends a keep-alive without a unit as a number, which is how the server takes it", () => {
    const sent = (keepAlive: string | number): unknown =>
      toWire("m", { ...REQUEST, runner: { contextLength: 1, keepAlive } }, PLAIN).keep_alive;
    assert.deepEqual([sent("-1"), sent("600"), sent(-1), sent("1h30m")], [-1, 600, -1, "1h30m"]);
  });

  it("leaves out tools, format and stop when there are none", () => {
    const body = toWire("m", { ...REQUEST, tools: [], stop: [] }, PLAIN);
    assert.ok(!("tools" in body) && !("format" in body) && !("stop" in body.options!));
  });

  it("keeps tools in their order and schemas as they are", () => {
    const tools: ToolSchema[] = ["b", "a"].map((name) => ({
      name,
      description: `does ${name}`,
      parameters: { type: "object", properties: { x: { anyOf: [{ type: "string" }, { type: "null" }] } } },
    }));
    const sent = toWire("m", { ...REQUEST, tools }, PLAIN).tools ?? [];
    assert.deepEqual(
      sent.map((tool) => tool.function),
      tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    );
  });

  it("sends the arguments of past calls as objects whatever the model wrote, or the server fails for ever", () => {
    const sent = (args: unknown): unknown =>
      toWireMessage({
        role: "assistant",
        content: "",
        toolCalls: [{ id: "c1", name: "f", arguments: args as string }],
      }).tool_calls?.[0]?.function.arguments;
    assert.deepEqual(sent({ a: 1 }), { a: 1 });
    assert.deepEqual(sent('{"a":1}'), { a: 1 });
    for (const broken of ['{"a":', "text", 5, null, true, [1], "[1]"]) assert.deepEqual(sent(broken), {});
  });

  it("names the tool and the call of a result", () => {
    const message: ChatMessage = { role: "tool", toolName: "f", toolCallId: "c1", content: "4" };
    assert.deepEqual(toWireMessage(message), {
      role: "tool",
      content: "4",
      tool_name: "f",
      tool_call_id: "c1",
    });
  });

  it("sends thinking back only where the message holds it", () => {
    assert.deepEqual(toWireMessage({ role: "assistant", content: "4", thinking: "hm" }), {
      role: "assistant",
      content: "4",
      thinking: "hm",
    });
    assert.deepEqual(toWireMessage({ role: "assistant", content: "4" }), { role: "assistant", content: "4" });
  });

  it("is, byte for byte, the JSON of its body, however often its messages were sent before", () => {
    const text = fc.string({ unit: "binary", maxLength: 12 });
    const half = fc.constantFrom("\ud83d", "\udc00 x", "a\ud800b");
    const said = fc.oneof(text, half);
    const message: fc.Arbitrary<ChatMessage> = fc.oneof(
      fc.record({ role: fc.constantFrom("user" as const, "system" as const), content: said }),
      fc.record({ role: fc.constant("tool" as const), toolName: said, toolCallId: said, content: said }),
      fc.record({
        role: fc.constant("assistant" as const),
        content: said,
        thinking: said,
        toolCalls: fc.array(fc.record({ id: said, name: said, arguments: fc.dictionary(said, said) })),
      }),
    );
    const tool = fc.record({ name: said, description: said, parameters: fc.dictionary(text, text) });
    const asked = fc.record(
      {
        messages: fc.array(message, { maxLength: 5 }),
        tools: fc.array(tool, { maxLength: 2 }),
        format: fc.dictionary(said, said),
        seed: fc.nat(),
      },
      { requiredKeys: ["messages"] },
    );
    fc.assert(
      fc.property(asked, said, (request, model) => {
        const sent: ChatRequest = { ...REQUEST, ...request };
        const expected = wireJson(toWire(model, sent, PLAIN));
        const envelope = toEnvelope(model, sent, PLAIN);
        assert.equal(wireText(sent, envelope), expected);
        assert.equal(wireText({ ...sent, messages: [...sent.messages] }, envelope), expected);
      }),
    );
  });

  it("is the JSON of its body also where requests begin like others before them, and go on as they like", () => {
    const said: ChatMessage[] = Array.from({ length: 6 }, (_, at) => ({ role: "user", content: `"${at}"` }));
    const picked = fc.array(fc.constantFrom(...said), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(picked, { minLength: 2, maxLength: 8 }), (requests) => {
        for (const messages of requests) {
          const sent: ChatRequest = { ...REQUEST, messages };
          assert.equal(wireText(sent, toEnvelope("m", sent, PLAIN)), wireJson(toWire("m", sent, PLAIN)));
        }
      }),
    );
  });

  it("gives the same bytes for the same request, so that the server's cache holds", () => {
    assert.equal(
      JSON.stringify(toWire("m", REQUEST, THINKER)),
      JSON.stringify(toWire("m", { ...REQUEST }, THINKER)),
    );
  });
});
