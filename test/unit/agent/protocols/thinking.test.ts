import assert from "node:assert/strict";
import fc from "fast-check";
import type { Json } from "../../../../src/agent/models/types.ts";
import type { ProtocolAdapter, ShownText, StepReader, StepReading } from "../../../../src/agent/protocol.ts";
import { constrainedProtocol } from "../../../../src/agent/protocols/constrained.ts";
import { nativeProtocol } from "../../../../src/agent/protocols/native.ts";
import { reactProtocol } from "../../../../src/agent/protocols/react.ts";
import { FORMS } from "./forms.ts";
import { NOT_CALLS } from "./not-calls.ts";
import { chunked, counter, readContent, readStep, TOOLS } from "./support.ts";

const TAGGED = '<tool_call>\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n</tool_call>';
const THOUGHT = `I need the tide.\n${TAGGED}`;
const OBAN = { id: "id1", name: "find_tide", arguments: { port: "Oban" } };

function thinking(text: string): ShownText {
  return { channel: "thinking", text };
}

function answer(text: string): ShownText {
  return { channel: "answer", text };
}

function plainCalls(reading: StepReading): readonly { readonly name: string; readonly arguments: Json }[] {
  return reading.calls.map((call) => ({ name: call.name, arguments: { ...(call.arguments as object) } }));
}

/** What each protocol takes for an answer, and for another call. */
const PROTOCOLS: readonly (readonly [ProtocolAdapter, readonly string[], string])[] = [
  [
    nativeProtocol,
    ["At 14:10."],
    '<tool_call>{"name": "search_notes", "arguments": {"query": "x"}}</tool_call>',
  ],
  [
    reactProtocol,
    [
      "At 14:10.",
      "Final Answer: At 14:10.",
      "Thought: At 14:10.",
      "Action: Final Answer\nAction Input: At 14:10.",
    ],
    'Thought: Notes first.\nAction: search_notes\nAction Input: {"query": "x"}',
  ],
  [
    constrainedProtocol,
    ["At 14:10.", '{"answer": "At 14:10."}', '{"thought": "I know.", "answer": "At 14:10."}'],
    '{"thought": "Notes first.", "tool": "search_notes", "arguments": {"query": "x"}}',
  ],
];

for (const [protocol, answers, otherCall] of PROTOCOLS) {
  const reader = (lastStep = false): StepReader => protocol.reader(TOOLS, counter(), lastStep);

  describe(`a call that stayed in the thinking, in the ${protocol.name} protocol`, () => {
    it("is run when the model said nothing else, and is not shown", () => {
      for (const rest of [[], [answer("\n\n")]]) {
        const step = readStep(reader(), [thinking(THOUGHT), ...rest]);
        assert.deepEqual(step.reading.calls, [OBAN]);
        assert.equal(step.reading.recoveredFrom, "thinking");
        assert.equal(step.reading.broken, undefined);
        assert.deepEqual(step.reading.message.toolCalls, [OBAN]);
        assert.equal(step.thinking, "I need the tide.");
        assert.equal(step.reading.thinking, step.thinking);
        assert.equal(step.answer.trim(), "");
      }
    });

    it("is found in each form in which models are known to write one", () => {
      for (const { name, text, calls } of FORMS) {
        const { reading, answer: shown } = readStep(reader(), [thinking(text)]);
        assert.deepEqual(plainCalls(reading), calls, name);
        assert.equal(shown, "", name);
      }
    });

    it("is found in thinking that the model ended with a mark it never opened", () => {
      for (const first of ["I need the tide.\n", "Thought: I need it.\n", '{"thought": "I need it."}\n']) {
        const each = reader();
        const before = [...each.content(first), ...each.content(TAGGED)];
        assert.ok(before.every(({ text }) => !text.includes("tool_call")));
        each.retract?.();
        assert.deepEqual(each.finish("stop").reading.calls, [OBAN], first);
      }
    });

    it("is left alone when an answer follows, and all of the thinking is shown", () => {
      for (const text of answers) {
        const step = readStep(reader(), [thinking(THOUGHT), answer(text)]);
        assert.deepEqual(step.reading.calls, [], text);
        assert.equal(step.reading.broken, undefined);
        assert.equal(step.answer, "At 14:10.");
        assert.ok(step.thinking.startsWith(THOUGHT), text);
        assert.equal(step.reading.thinking, step.thinking);
      }
    });

    it("is left alone when another call follows, as text or from the server", () => {
      const written = readStep(reader(), [thinking(THOUGHT), answer(otherCall)]);
      assert.deepEqual(plainCalls(written.reading), [{ name: "search_notes", arguments: { query: "x" } }]);
      assert.ok(written.thinking.startsWith(THOUGHT));
      const each = reader();
      each.thinking(THOUGHT);
      each.calls([{ id: "a", name: "search_notes", arguments: { query: "x" } }]);
      const names = each.finish("stop").reading.calls.map(({ name }) => name);
      assert.deepEqual(names, ["search_notes"]);
    });

    it("is left alone when a call follows that was begun and never ended", () => {
      const { reading } = readStep(reader(), [thinking(THOUGHT), answer(otherCall.slice(0, -8))], "length");
      assert.deepEqual(reading.calls, []);
      assert.match(reading.broken ?? "", /ended before/);
    });

    it("is not seen where there is none, and the thinking stays as it is", () => {
      for (const { name, text } of NOT_CALLS) {
        const step = readStep(reader(), [thinking(text)]);
        assert.deepEqual(step.reading.calls, [], name);
        assert.equal(step.thinking, text, name);
      }
    });

    it("is not run when the message was cut, and the model is told so", () => {
      const cut = THOUGHT.length - '"Oban"}}\n</tool_call>'.length;
      for (const text of [THOUGHT, THOUGHT.slice(0, cut)]) {
        for (const reason of ["length", "broken"] as const) {
          const step = readStep(reader(), [thinking(text)], reason);
          assert.deepEqual(step.reading.calls, []);
          assert.match(step.reading.broken ?? "", /ended before/);
          assert.equal(step.thinking, "I need the tide.");
        }
      }
      assert.match(readStep(reader(true), [thinking(THOUGHT)], "length").reading.broken ?? "", /Answer the/);
    });

    it("comes to the same, and shows the same, wherever the thinking and the answer are cut", () => {
      const texts = [
        THOUGHT,
        ...FORMS.map(({ text }) => text),
        ...NOT_CALLS.map(({ text }) => text),
        "\n",
        "",
      ];
      const anyText = fc.constantFrom(...texts);
      const anyAnswer = fc.oneof(fc.constant(""), fc.constantFrom(...answers, otherCall, ...texts));
      fc.assert(
        fc.property(anyText, anyAnswer, fc.array(fc.nat({ max: 600 })), (before, after, cuts) => {
          const whole = readStep(reader(), [thinking(before), answer(after)]);
          const pieces = [...chunked(before, cuts).map(thinking), ...chunked(after, cuts).map(answer)];
          const many = readStep(reader(), pieces);
          assert.deepEqual(many.reading, whole.reading);
          assert.equal(many.answer, whole.answer);
          assert.equal(many.thinking, whole.thinking);
          assert.equal(whole.answer, whole.reading.answer);
          assert.equal(whole.thinking, whole.reading.thinking);
        }),
        { numRuns: 300 },
      );
    });
  });
}

describe("a call that stayed in a thought of a ReAct step", () => {
  const reader = (): StepReader => reactProtocol.reader(TOOLS, counter(), false);

  it("is run when the step has no answer and no action, and the thought is not taken for the answer", () => {
    const { reading, answer: shown, thinking: thought } = readContent(reader(), [`Thought: ${THOUGHT}`]);
    assert.deepEqual(reading.calls, [OBAN]);
    assert.equal(reading.recoveredFrom, "thinking");
    assert.equal(shown, "");
    assert.equal(thought, "I need the tide.");
    assert.deepEqual(reading.message, {
      role: "assistant",
      content: "",
      thinking: "I need the tide.",
      toolCalls: [OBAN],
    });
  });

  it("goes before one in what the server told apart as thinking", () => {
    const other = TAGGED.replace("Oban", "Mallaig");
    const step = readStep(reader(), [thinking(other), answer(`Thought: ${TAGGED}`)]);
    assert.deepEqual(step.reading.calls, [OBAN]);
    assert.equal(step.thinking, other);
  });

  it("is left alone when an action, an action that was none, or an answer follows", () => {
    const mallaig = 'Action: find_tide\nAction Input: {"port": "Mallaig"}';
    const acted = readContent(reader(), [`Thought: ${THOUGHT}\n${mallaig}`]);
    assert.deepEqual(plainCalls(acted.reading), [{ name: "find_tide", arguments: { port: "Mallaig" } }]);
    assert.equal(acted.thinking, THOUGHT);
    assert.deepEqual(readContent(reader(), [`Thought: ${THOUGHT}\nAction: None`]).reading.calls, []);
    const answered = readContent(reader(), [`Thought: ${THOUGHT}\nFinal Answer: At 14:10.`]);
    assert.deepEqual(answered.reading.calls, []);
    assert.equal(answered.answer, "At 14:10.");
    assert.equal(answered.thinking, THOUGHT);
  });

  it("is not seen where there is none", () => {
    for (const { name, text } of NOT_CALLS) {
      assert.deepEqual(readContent(reader(), [`Thought: ${text}`]).reading.calls, [], name);
    }
  });

  it("is not run when the message was cut", () => {
    const { reading, answer: shown } = readContent(reader(), [`Thought: ${THOUGHT}`], "length");
    assert.deepEqual(reading.calls, []);
    assert.match(reading.broken ?? "", /ended before/);
    assert.equal(shown, "");
  });

  it("is not run when the model says that it wants no tool", () => {
    const { reading } = readStep(reader(), [thinking(THOUGHT), answer("Action: None")]);
    assert.deepEqual(reading.calls, []);
  });
});
