import assert from "node:assert/strict";
import { z } from "zod";
import { contract } from "./targets.ts";
import { post, user } from "./wire.ts";

const Debug = z.looseObject({ _debug_info: z.looseObject({ rendered_template: z.string() }) });

const TOOLS = [
  {
    type: "function",
    function: {
      name: "search_memory",
      description: "Find <x> & y",
      parameters: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        additionalProperties: false,
        required: ["query"],
        properties: {
          query: { type: "string", minLength: 1, description: "What" },
          limit: { type: "integer", default: 5 },
        },
      },
    },
  },
];

const HISTORY = [
  { role: "system", content: "Be brief." },
  user("What about the cache?"),
  {
    role: "assistant",
    content: "",
    thinking: "I look it up.",
    tool_calls: [
      { id: "call_1", function: { name: "search_memory", arguments: { query: "cache", limit: 2 } } },
    ],
  },
  { role: "tool", tool_name: "search_memory", tool_call_id: "call_1", content: "Keep it for 24 hours." },
];

const TOOL_LINE =
  '{"name":"search_memory","description":"Find \\u003cx\\u003e \\u0026 y","parameters":{"type":"object",' +
  '"required":["query"],"properties":{"limit":{"type":"integer"},' +
  '"query":{"type":"string","description":"What"}}}}';

contract("the rendered prompt", (target) => {
  const render = async (extra: object) => {
    const answer = await post(target, "/api/chat", {
      model: target.full,
      _debug_render_only: true,
      ...extra,
    });
    return Debug.parse(JSON.parse(answer.text))._debug_info.rendered_template;
  };

  it("holds system, tools, history, thinking, calls and results, in this order", async () => {
    assert.equal(
      await render({ messages: HISTORY, tools: TOOLS, think: false }),
      [
        "<|im_start|>system\nBe brief.\n",
        'To call a tool, answer with {"name": its name, "arguments": an object} and nothing else. Tools:',
        `${TOOL_LINE}<|im_end|>`,
        "<|im_start|>user\nWhat about the cache?<|im_end|>",
        "<|im_start|>assistant\n<think>\nI look it up.\n</think>",
        '{"name": "search_memory", "arguments": {"limit":2,"query":"cache"}}<|im_end|>',
        "<|im_start|>user\nsearch_memory returned: Keep it for 24 hours.<|im_end|>",
        "<|im_start|>assistant\n",
      ].join("\n"),
    );
  });

  it("opens the thinking itself when the model is to think", async () => {
    assert.match(
      await render({ messages: [user("Hi")], think: true }),
      /<\|im_start\|>assistant\n<think>\n$/,
    );
    assert.match(await render({ messages: [user("Hi")], think: false }), /<\|im_start\|>assistant\n$/);
  });

  it("of a later step begins with the prompt of the step before", async () => {
    const first = await render({ messages: HISTORY.slice(0, 2), tools: TOOLS, think: false });
    const second = await render({ messages: HISTORY, tools: TOOLS, think: false });
    assert.ok(second.startsWith(first));
  });

  it("joins neighbours of one role and leaves out a role that no one knows", async () => {
    const messages = [user("One"), user("Two"), { role: "stranger", content: "Three" }];
    const prompt = await render({ messages, think: false });
    assert.match(prompt, /user\nOne\n\nTwo<\|im_end\|>/);
    assert.doesNotMatch(prompt, /Three/);
  });

  it("lets an answer of the assistant's stand open, to be gone on with", async () => {
    const messages = [user("Hi"), { role: "assistant", content: "Hello" }];
    assert.match(await render({ messages, think: false }), /assistant\nHello<\|im_end\|>\n$/);
  });

  it("of a bare model file is plain ChatML", async () => {
    const messages = [{ role: "system", content: "Be brief." }, user("Hi")];
    assert.equal(
      await render({ model: target.plain, messages }),
      "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
    );
  });
});
