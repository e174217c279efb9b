import assert from "node:assert/strict";
import fc from "fast-check";
import { withoutParts } from "../../../../src/agent/message-parts.ts";
import type { ChatMessage } from "../../../../src/agent/models/types.ts";
import type { StepReader } from "../../../../src/agent/protocol.ts";
import { constrainedProtocol } from "../../../../src/agent/protocols/constrained.ts";
import { answerSchema, stepSchema } from "../../../../src/agent/protocols/grammar-schema.ts";
import { FORMS } from "./forms.ts";
import { chunked, counter, NO_TOOLS, readContent, readStep, TOOLS } from "./support.ts";

const QUESTION: readonly ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "When is high water?" },
];
const CALL = '{"thought":"I look.","tool":"find_tide","arguments":{"port":"Oban"}}';

function reader(lastStep = false): StepReader {
  return constrainedProtocol.reader(TOOLS, counter(), lastStep);
}

describe("constrained tool calling: the request", () => {
  it("holds the model to the tools and the answer, and tells it so at the end of the system message", () => {
    const step = constrainedProtocol.prepare(QUESTION, TOOLS, false);
    assert.deepEqual(step.format, stepSchema(TOOLS.schemas));
    assert.equal(step.tools, undefined);
    const [system] = step.messages;
    assert.ok(system?.content.startsWith("Be brief.\n\n") === true);
    for (const { name } of TOOLS.schemas) assert.ok(system.content.includes(`- ${name}:`));
  });

  it("makes a system message where there is none", () => {
    const step = constrainedProtocol.prepare(QUESTION.slice(1), TOOLS, false);
    assert.deepEqual(
      step.messages.map((message) => message.role),
      ["system", "user"],
    );
  });

  it("begins every prompt of a turn with the one before, byte for byte, the last step included", () => {
    const read = readContent(reader(), [CALL]).reading;
    const results = constrainedProtocol.results([{ call: read.calls[0]!, content: "14:10" }]);
    const first = constrainedProtocol.prepare(QUESTION, TOOLS, false).messages;
    const second = constrainedProtocol.prepare(
      [...QUESTION, read.message, ...results],
      TOOLS,
      false,
    ).messages;
    const last = constrainedProtocol.prepare([...QUESTION, read.message, ...results], TOOLS, true).messages;
    assert.deepEqual(second.slice(0, first.length), first);
    assert.deepEqual(last.slice(0, second.length), second);
  });

  it("shows the model its own steps as it wrote them, and results as the user's", () => {
    const read = readContent(reader(), [CALL]).reading;
    const results = constrainedProtocol.results([{ call: read.calls[0]!, content: "14:10" }]);
    const { messages } = constrainedProtocol.prepare([...QUESTION, read.message, ...results], TOOLS, false);
    assert.deepEqual(messages.slice(2).map(withoutParts), [
      { role: "assistant", content: CALL },
      { role: "user", content: "[Result of find_tide]\n14:10" },
    ]);
  });

  it("shows steps of another protocol in its own form", () => {
    const history: readonly ChatMessage[] = [
      {
        role: "assistant",
        content: "I look.",
        toolCalls: [
          { id: "1", name: "find_tide", arguments: { port: "Oban" } },
          { id: "2", name: "find_tide", arguments: '{"port":"Mallaig"}' },
        ],
      },
      { role: "assistant", content: "At 14:10." },
    ];
    const { messages } = constrainedProtocol.prepare([...QUESTION, ...history], TOOLS, false);
    assert.deepEqual(
      messages.slice(2).map((message) => message.content),
      [`${CALL}\n{"tool":"find_tide","arguments":{"port":"Mallaig"}}`, '{"answer":"At 14:10."}'],
    );
  });

  it("leaves only the answer on the last step", () => {
    assert.deepEqual(constrainedProtocol.prepare(QUESTION, TOOLS, true).format, answerSchema());
  });

  it("asks plainly when there is no tool", () => {
    assert.deepEqual(constrainedProtocol.prepare(QUESTION, NO_TOOLS, false), { messages: QUESTION });
    const read = readContent(constrainedProtocol.reader(NO_TOOLS, counter(), false), ["Hello."]);
    assert.equal(read.reading.answer, "Hello.");
  });
});

describe("constrained tool calling: reading", () => {
  it("shows the answer while its JSON is still growing, and the thought as thinking", () => {
    const each = reader();
    assert.deepEqual(each.content('{"thought":"Easy.'), [{ channel: "thinking", text: "Easy." }]);
    assert.deepEqual(each.content('","answer":"At 14:1'), [{ channel: "answer", text: "At 14:1" }]);
    assert.deepEqual(each.content('0,\\n\\"sharp\\"'), [{ channel: "answer", text: '0,\n"sharp"' }]);
    each.content('"}');
    const { reading } = each.finish("stop");
    assert.equal(reading.answer, 'At 14:10,\n"sharp"');
    assert.equal(reading.thinking, "Easy.");
    assert.deepEqual(reading.message, { role: "assistant", content: reading.answer, thinking: "Easy." });
  });

  it("reads a call, and shows nothing of it but the thought", () => {
    const step = readContent(reader(), [CALL]);
    assert.deepEqual(step.reading.calls, [{ id: "id1", name: "find_tide", arguments: { port: "Oban" } }]);
    assert.equal(step.reading.recoveredFrom, undefined);
    assert.equal(step.answer, "");
    assert.equal(step.thinking, "I look.");
  });

  it("sets the thought apart from what the model thought before", () => {
    const step = readStep(reader(), [
      { channel: "thinking", text: "Hm." },
      { channel: "answer", text: CALL },
    ]);
    assert.equal(step.thinking, "Hm.\n\nI look.");
    assert.equal(step.reading.thinking, "Hm.\n\nI look.");
  });

  it("comes to the same wherever the text is cut", () => {
    const texts = [
      CALL,
      '{"thought":"\\ud83d\\ude80","answer":"a \\u00e9 \\ud83d\\ude80 {\\"answer\\": 1} \\\\"}',
      ...FORMS.map((form) => form.text),
      '{"thought": "x", "answer": 42}',
      '\n{"answer": "a',
      "Just prose.",
    ];
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(fc.nat({ max: 200 })), (text, cuts) => {
        const whole = readContent(reader(), [text]);
        const pieces = readContent(reader(), chunked(text, cuts));
        assert.deepEqual(pieces.reading, whole.reading);
        assert.equal(pieces.answer, whole.answer);
        assert.equal(pieces.thinking, whole.thinking);
      }),
    );
  });

  it("hands on a tool that is not there, for the loop to answer", () => {
    const { reading } = readContent(reader(), ['{"thought":"","tool":"lookUp","arguments":{}}']);
    assert.deepEqual(reading.calls, [{ id: "id1", name: "lookUp", arguments: {} }]);
  });

  it("keeps the answer of a message that was cut, and runs no call of one", () => {
    const cut = readContent(reader(), ['{"thought":"x","answer":"At 14'], "length").reading;
    assert.equal(cut.answer, "At 14");
    assert.equal(cut.broken, undefined);
    for (let length = 1; length <= CALL.length; length += 1) {
      const { reading } = readContent(reader(), [CALL.slice(0, length)], "length");
      assert.deepEqual(reading.calls, []);
      assert.ok(reading.broken);
    }
  });

  it("says what is wrong with an object that is neither call nor answer, or no JSON", () => {
    assert.match(readContent(reader(), ['{"response": "x"}']).reading.broken ?? "", /neither/);
    assert.match(readContent(reader(), ['{"thought": "x", oops']).reading.broken ?? "", /ended before/);
    assert.match(readContent(reader(), ["{]"]).reading.broken ?? "", /neither|not a valid/);
  });

  it("takes an answer that is not a string as its JSON", () => {
    const step = readContent(reader(), ['{"thought":"x","answer":[1,2]}']);
    assert.equal(step.answer, "[\n  1,\n  2\n]");
    assert.equal(step.reading.answer, step.answer);
  });

  it("survives a server that ignores the schema: prose is the answer, calls in other forms are found", () => {
    assert.equal(readContent(reader(), ["At 14:10."]).reading.answer, "At 14:10.");
    const call = readContent(reader(), [
      '<tool_call>{"name":"find_tide","arguments":{"port":"Oban"}}</tool_call>',
    ]);
    assert.equal(call.reading.calls.length, 1);
    const other = readContent(reader(), ['{"name":"find_tide","parameters":{"port":"Oban"}}']).reading;
    assert.deepEqual(other.calls, [{ id: "id1", name: "find_tide", arguments: { port: "Oban" } }]);
    assert.equal(other.recoveredFrom, "text");
  });

  it("makes all content so far thinking when it is taken back", () => {
    const each = reader();
    each.content("They want a number.");
    assert.deepEqual(each.retract?.(), [{ channel: "thinking", text: "They want a number." }]);
    each.content('{"thought":"x","answer":"42"}');
    assert.equal(each.finish("stop").reading.answer, "42");
  });
});
