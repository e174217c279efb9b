import assert from "node:assert/strict";
import fc from "fast-check";
import type { ChatMessage } from "../../../../src/agent/models/types.ts";
import type { StepReader } from "../../../../src/agent/protocol.ts";
import { nativeProtocol } from "../../../../src/agent/protocols/native.ts";
import { FORMS } from "./forms.ts";
import { NOT_CALLS } from "./not-calls.ts";
import { chunked, counter, NO_TOOLS, readContent, readStep, TOOLS } from "./support.ts";

const CALL = '{"name": "find_tide", "arguments": {"port": "Oban"}}';
const OBAN = { id: "id1", name: "find_tide", arguments: { port: "Oban" } };
const MESSAGES: readonly ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "When is high water?" },
];

function reader(lastStep = false): StepReader {
  return nativeProtocol.reader(TOOLS, counter(), lastStep);
}

describe("native tool calling: the request", () => {
  it("offers the tools as they are and leaves the messages alone", () => {
    const step = nativeProtocol.prepare(MESSAGES, TOOLS, false);
    assert.deepEqual(step, { messages: MESSAGES, tools: TOOLS.schemas });
  });

  it("offers them on the last step too, and asks for an answer behind everything else", () => {
    const step = nativeProtocol.prepare(MESSAGES, TOOLS, true);
    assert.equal(step.tools, TOOLS.schemas);
    assert.deepEqual(step.messages.slice(0, 2), MESSAGES);
    assert.match(step.messages[2]?.content ?? "", /No more tools/);
  });

  it("has no list of tools when there are none", () => {
    assert.deepEqual(nativeProtocol.prepare(MESSAGES, NO_TOOLS, false), { messages: MESSAGES });
  });

  it("brings results back in the order of the calls, with their ids", () => {
    const results = nativeProtocol.results([
      { call: OBAN, content: "14:10" },
      { call: { ...OBAN, id: "id2" }, content: "15:00" },
    ]);
    assert.deepEqual(results, [
      { role: "tool", toolName: "find_tide", toolCallId: "id1", content: "14:10" },
      { role: "tool", toolName: "find_tide", toolCallId: "id2", content: "15:00" },
    ]);
  });
});

describe("native tool calling: reading", () => {
  it("shows prose at once, character by character", () => {
    const each = reader();
    for (const char of "High water, at 14:10: {see [the] table} <b>now</b> `x`.") {
      if ("<[".includes(char)) continue;
      assert.deepEqual(each.content(char), [{ channel: "answer", text: char }], char);
    }
  });

  it("takes the server's calls, and shows their text beside them", () => {
    const each = reader();
    each.content("I look.");
    each.calls([{ id: "a", name: "find_tide", arguments: { port: "Oban" } }]);
    each.calls([{ id: "b", name: "find_tide", arguments: { port: "Mallaig" } }]);
    const { reading } = each.finish("stop");
    assert.deepEqual(
      reading.calls.map((call) => call.id),
      ["a", "b"],
    );
    assert.equal(reading.answer, "I look.");
    assert.equal(reading.recoveredFrom, undefined);
    assert.deepEqual(reading.message, { role: "assistant", content: "I look.", toolCalls: reading.calls });
  });

  it("keeps the server's calls in a form that no server fails on later", () => {
    const each = reader();
    each.calls([
      { id: "", name: "find_tide<|channel|>commentary", arguments: '{"port": "Oban"}' },
      { id: "x", name: "find_tide", arguments: { arguments: { port: "Oban" } } },
      { id: "x", name: "lookUp", arguments: null },
      { id: "y", name: "find_tide", arguments: "Oban" },
    ]);
    const { calls, message } = each.finish("stop").reading;
    assert.deepEqual(message.toolCalls, [
      { id: "id1", name: "find_tide", arguments: { port: "Oban" } },
      { id: "x", name: "find_tide", arguments: { port: "Oban" } },
      { id: "id2", name: "lookUp", arguments: {} },
      { id: "y", name: "find_tide", arguments: { __input: "Oban" } },
    ]);
    assert.deepEqual(
      calls.map(({ mended }) => mended),
      [
        ["find_tide<|channel|>commentary was read as find_tide", "the arguments were JSON in a text"],
        ["the arguments were taken out of an envelope"],
        undefined,
        undefined,
      ],
    );
  });

  it("runs a call that is the whole answer once, says where it was found, and does not show it", () => {
    const { answer, reading } = readContent(reader(), [CALL]);
    assert.equal(answer, "");
    assert.deepEqual(reading.calls, [OBAN]);
    assert.equal(reading.recoveredFrom, "text");
    assert.deepEqual(reading.message, { role: "assistant", content: "", toolCalls: [OBAN] });
  });

  it("shows an example of a call unchanged and runs nothing", () => {
    const text = `An example:\n\n\`\`\`json\n${CALL}\n\`\`\`\n\nThat is all.`;
    const { answer, reading } = readContent(reader(), [text]);
    assert.equal(answer, text);
    assert.equal(reading.answer, text);
    assert.deepEqual(reading.calls, []);
  });

  it("does not run a call twice that came both ways", () => {
    const each = reader();
    each.content(CALL);
    each.calls([{ id: "a", name: "find_tide", arguments: { port: "Oban" } }]);
    const { reading, shown } = each.finish("stop");
    assert.deepEqual(reading.calls, [{ id: "a", name: "find_tide", arguments: { port: "Oban" } }]);
    assert.deepEqual(shown, []);
  });

  it("finds a call that stayed in the thinking when there is no answer", () => {
    const text = `need the tide\n<tool_call>\n${CALL}\n</tool_call>`;
    const step = readStep(reader(), [{ channel: "thinking", text }]);
    assert.deepEqual(step.reading.calls, [OBAN]);
    assert.equal(step.reading.recoveredFrom, "thinking");
    assert.equal(step.thinking, "need the tide");
    assert.equal(step.reading.thinking, "need the tide");
  });

  it("leaves a call in the thinking alone when an answer or a real call follows", () => {
    const text = `I might write <tool_call>${CALL}</tool_call>`;
    const answered = readStep(reader(), [
      { channel: "thinking", text },
      { channel: "answer", text: "At 14:10." },
    ]);
    assert.deepEqual(answered.reading.calls, []);
    assert.equal(answered.thinking, text);
    const called = reader();
    called.thinking(text);
    called.calls([{ id: "a", name: "search_notes", arguments: { query: "x" } }]);
    assert.deepEqual(
      called.finish("stop").reading.calls.map((call) => call.name),
      ["search_notes"],
    );
  });

  it("tells the model when its call was cut, and keeps the half from view", () => {
    const { answer, reading } = readContent(reader(), ['<tool_call>{"name": "find_tide", "arg'], "length");
    assert.equal(answer, "");
    assert.deepEqual(reading.calls, []);
    assert.match(reading.broken ?? "", /ended before it was complete/);
  });

  it("tells the model when the arguments came without the tool's name", () => {
    const { answer, reading } = readContent(reader(), ['{"port": "Oban"}']);
    assert.match(reading.broken ?? "", /without the name/);
    assert.equal(answer, '{"port": "Oban"}');
    assert.equal(readContent(reader(), ['{"depth": 4}']).reading.broken, undefined);
  });

  it("gives a cut answer as it is", () => {
    const { reading } = readContent(reader(), ["High water is at 14"], "length");
    assert.equal(reading.answer, "High water is at 14");
    assert.equal(reading.broken, undefined);
  });

  it("still tells which tool was wanted on the last step", () => {
    const { reading } = readContent(reader(true), [CALL]);
    assert.deepEqual(
      reading.calls.map((call) => call.name),
      ["find_tide"],
    );
    assert.equal(reading.answer, "");
  });

  it("makes all content so far thinking when it is taken back", () => {
    const each = reader();
    each.thinking("First. ");
    each.content("They want a number.");
    assert.deepEqual(each.retract?.(), [{ channel: "thinking", text: "They want a number." }]);
    each.content("Forty-two.");
    const { reading } = each.finish("stop");
    assert.equal(reading.answer, "Forty-two.");
    assert.equal(reading.thinking, "First. They want a number.");
  });
});

describe("native tool calling: text in pieces", () => {
  const texts = [...FORMS, ...NOT_CALLS].map((form) => form.text);
  const fragments = [
    ...[
      "<tool_call>",
      "</tool_call>",
      "\n",
      "\n\n",
      " ",
      "{",
      "}",
      "```json\n",
      "```",
      "`",
      CALL,
      "Action: ",
      "[",
    ],
    ...[
      "find_tide",
      "(",
      "Action Input: ",
      "Thought: ",
      "**",
      "call:",
      "<|",
      "|>",
      "<|channel|>",
      "to=functions.",
    ],
    ...[
      "<function=find_tide>",
      "<parameter=port>",
      "</function>",
      "[TOOL_CALLS]",
      "🚀",
      "prose",
      "print",
      "~~~",
    ],
  ];
  const anyText = fc.oneof(
    fc.constantFrom(...texts),
    fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map((list) => list.join("")),
    fc
      .tuple(fc.constantFrom(...texts), fc.constantFrom(...texts))
      .map(([first, second]) => `${first}\n${second}`),
  );
  const cutsAnd = fc.tuple(anyText, fc.array(fc.nat({ max: 600 }), { maxLength: 8 }), fc.boolean());

  it("comes to the same, and shows the same, wherever it is cut", () => {
    fc.assert(
      fc.property(cutsAnd, ([text, cuts, wasCut]) => {
        const reason = wasCut ? "length" : "stop";
        const whole = readContent(reader(), [text], reason);
        for (const pieces of [chunked(text, cuts), text.split("")]) {
          const step = readContent(reader(), pieces, reason);
          assert.deepEqual(step.reading, whole.reading);
          assert.equal(step.answer, whole.answer);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("shows exactly what it says it answered", () => {
    fc.assert(
      fc.property(cutsAnd, ([text, cuts]) => {
        const step = readContent(reader(), chunked(text, cuts));
        assert.equal(step.answer, step.reading.answer);
      }),
    );
  });

  it("in a hundred thousand pieces stays cheap, held back or not", () => {
    for (const piece of ["word ", '{"name": "', "<tool_call>{", "* ", "\n"]) {
      const each = reader();
      for (let count = 0; count < 100_000; count += 1) each.content(piece);
      each.finish("stop");
    }
  }).timeout(60_000);
});
