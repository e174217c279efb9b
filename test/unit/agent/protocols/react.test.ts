import assert from "node:assert/strict";
import fc from "fast-check";
import { withoutParts } from "../../../../src/agent/message-parts.ts";
import type { ChatMessage, Json } from "../../../../src/agent/models/types.ts";
import type { StepReader } from "../../../../src/agent/protocol.ts";
import { reactProtocol } from "../../../../src/agent/protocols/react.ts";
import { chunked, counter, NO_TOOLS, readContent, TOOLS } from "./support.ts";

const QUESTION: readonly ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "When is high water?" },
];
const STEP = 'Thought: Tides first.\nAction: find_tide\nAction Input: {"port": "Oban"}\n';

function reader(lastStep = false): StepReader {
  return reactProtocol.reader(TOOLS, counter(), lastStep);
}

describe("ReAct: the request", () => {
  it("tells the form with examples of a real tool, and stops the model before it makes up a result", () => {
    const step = reactProtocol.prepare(QUESTION, TOOLS, false);
    assert.deepEqual(step.stop, ["Observation:"]);
    const told = step.messages[0]?.content ?? "";
    assert.ok(told.startsWith("Be brief.\n\n"));
    assert.ok(told.includes('Action: find_tide\nAction Input: {"port":"..."}'));
    assert.equal(step.format, undefined);
    assert.equal(step.tools, undefined);
  });

  it("shows earlier steps under their labels and results as observations, the prompt growing at its end only", () => {
    const read = readContent(reader(), [STEP]).reading;
    const results = reactProtocol.results([{ call: read.calls[0]!, content: "14:10" }]);
    const history = [...QUESTION, read.message, ...results];
    const { messages } = reactProtocol.prepare(history, TOOLS, false);
    assert.deepEqual(messages.slice(2).map(withoutParts), [
      {
        role: "assistant",
        content: 'Thought: Tides first.\nAction: find_tide\nAction Input: {"port":"Oban"}',
      },
      { role: "user", content: "Observation: 14:10" },
    ]);
    assert.deepEqual(messages.slice(0, 2), reactProtocol.prepare(QUESTION, TOOLS, false).messages);
    assert.deepEqual(reactProtocol.prepare(history, TOOLS, true).messages.slice(0, 4), messages);
  });

  it("asks plainly when there is no tool", () => {
    assert.deepEqual(reactProtocol.prepare(QUESTION, NO_TOOLS, false), { messages: QUESTION });
  });
});

describe("ReAct: an action", () => {
  const actions: readonly (readonly [string, string, string, Json])[] = [
    ["as it should be", STEP, "find_tide", { port: "Oban" }],
    [
      "in bold and code",
      '**Thought:** x\n**Action:** `find_tide`\n**Action Input:** ```json\n{"port": "Oban"}\n```',
      "find_tide",
      { port: "Oban" },
    ],
    [
      "bold before the colon",
      '**Thought**: x\n**Action**: find_tide\n**Action Input**: {"port": "Oban"}',
      "find_tide",
      { port: "Oban" },
    ],
    [
      "as headings, in any case",
      '### thought: x\n### ACTION: find_tide\n### action_input: {"port": "Oban"}',
      "find_tide",
      { port: "Oban" },
    ],
    [
      "with plain input",
      "Action: find_tide\nAction Input: Oban harbour\n",
      "find_tide",
      { __input: "Oban harbour" },
    ],
    ["with quoted input", 'Action: find_tide\nAction Input: "Oban"', "find_tide", { __input: "Oban" }],
    [
      "with named input",
      'Action: find_tide\nAction Input: port="Oban", days=2',
      "find_tide",
      { port: "Oban", days: 2 },
    ],
    [
      "with input over several lines",
      'Action: find_tide\nAction Input:\n{\n  "port": "Oban"\n}',
      "find_tide",
      { port: "Oban" },
    ],
    ["without input", "Thought: x\nAction: find_tide", "find_tide", {}],
    [
      "with the input on its line",
      'Action: find_tide, Action Input: {"port": "Oban"}',
      "find_tide",
      { port: "Oban" },
    ],
    ["as a function", 'Action: find_tide(port="Oban")', "find_tide", { port: "Oban" }],
    ["with the input in brackets", "Action: find_tide[Oban]", "find_tide", { __input: "Oban" }],
    [
      "as JSON",
      'Action: {"name": "find_tide", "arguments": {"port": "Oban"}}',
      "find_tide",
      { port: "Oban" },
    ],
    ["with a full stop", 'Action: find_tide.\nAction Input: {"port": "Oban"}', "find_tide", { port: "Oban" }],
    [
      "with a made-up observation",
      `${STEP}Observation: 14:10\nThought: Good.\nFinal Answer: 14:10`,
      "find_tide",
      { port: "Oban" },
    ],
    [
      "first of several",
      `${STEP}Action: search_notes\nAction Input: {"query": "x"}`,
      "find_tide",
      { port: "Oban" },
    ],
    ["with an answer made up behind it", `${STEP}Final Answer: 14:10`, "find_tide", { port: "Oban" }],
    [
      "of a tool that is not there",
      'Action: lookUp\nAction Input: {"port": "Oban"}',
      "lookUp",
      { port: "Oban" },
    ],
    ["behind an action that was none", `Thought: x\nAction: None\n${STEP}`, "find_tide", { port: "Oban" }],
    [
      "in tags instead of labels",
      '<tool_call>{"name": "find_tide", "arguments": {"port": "Oban"}}</tool_call>',
      "find_tide",
      { port: "Oban" },
    ],
  ];
  for (const [what, text, name, args] of actions) {
    it(`is read ${what}`, () => {
      const { reading, answer } = readContent(reader(), [text]);
      assert.deepEqual(reading.calls, [{ id: "id1", name, arguments: args }]);
      assert.equal(answer, "");
      assert.equal(reading.broken, undefined);
    });
  }

  it("is not run when the message was cut", () => {
    for (let length = 0; length <= STEP.length; length += 1) {
      assert.deepEqual(readContent(reader(), [STEP.slice(0, length)], "length").reading.calls, []);
    }
    assert.match(readContent(reader(), [STEP.slice(0, -4)], "length").reading.broken ?? "", /ended before/);
  });

  it("whose input never ended is not run even when the server says that the model stopped by itself", () => {
    const { reading } = readContent(reader(), ['Action: save_note\nAction Input: {"text": "half a no']);
    assert.deepEqual(reading.calls, []);
    assert.match(reading.broken ?? "", /ended before/);
  });

  it("that names no tool at all is told to the model", () => {
    const { reading } = readContent(reader(), ["Thought: x\nAction: I will look at the tide table"]);
    assert.deepEqual(reading.calls, []);
    assert.match(reading.broken ?? "", /Action Input/);
  });
});

describe("ReAct: an answer", () => {
  const answers: readonly (readonly [string, string, string])[] = [
    [
      "behind its label",
      "Thought: I know.\nFinal Answer: At 14:10.\n\nMind the wind.\n",
      "At 14:10.\n\nMind the wind.",
    ],
    ["behind a bold label", "**Thought:** x\n**Final Answer:** At 14:10.", "At 14:10."],
    ["under its label", "Final Answer:\nAt 14:10.", "At 14:10."],
    ["without any label", "High water is at 14:10.", "High water is at 14:10."],
    ["that was only thought", "Thought: High water is at 14:10.", "High water is at 14:10."],
    [
      "behind a thought and a blank line",
      "Thought: I know this.\n\nHigh water is at 14:10.",
      "High water is at 14:10.",
    ],
    [
      "behind an action that was none",
      "Thought: x\nAction: None needed\nFinal Answer: At 14:10.",
      "At 14:10.",
    ],
    ["as an action", "Thought: x\nAction: Final Answer\nAction Input: At 14:10.", "At 14:10."],
    [
      "that goes on with steps made up",
      "Final Answer: At 14:10.\nThought: Next.\nAction: find_tide",
      "At 14:10.",
    ],
    [
      "with words that look like labels",
      "Final Answer: Do this:\nAction: call the harbour.\nAnswer: yes",
      "Do this:\nAction: call the harbour.\nAnswer: yes",
    ],
  ];
  for (const [what, text, expected] of answers) {
    it(`is read ${what}`, () => {
      const { reading, answer } = readContent(reader(), [text]);
      assert.equal(reading.answer, expected);
      assert.equal(answer, expected);
      assert.deepEqual(reading.calls, []);
      assert.equal(reading.broken, undefined);
    });
  }

  it("is shown while it comes, the thought before it as thinking", () => {
    const each = reader();
    assert.deepEqual(each.content("Thought: I know"), [{ channel: "thinking", text: "I know" }]);
    assert.deepEqual(each.content(".\nFinal Answer: At"), [
      { channel: "thinking", text: "." },
      { channel: "answer", text: "At" },
    ]);
    assert.deepEqual(each.content(" 14:10"), [{ channel: "answer", text: " 14:10" }]);
    const { reading } = each.finish("stop");
    assert.deepEqual(reading.message, { role: "assistant", content: "At 14:10", thinking: "I know." });
  });

  it("comes to the same, and shows the same, wherever the text is cut", () => {
    const fragments = [
      ...[
        "Thought:",
        "Action:",
        "Action Input:",
        "Final Answer:",
        "Observation:",
        "**",
        "\n",
        "\n\n",
        " ",
        "None",
      ],
      ...[
        "find_tide",
        '{"port": "Oban"}',
        "prose",
        "`",
        "```json\n",
        "Act",
        "### ",
        "Answer",
        "<tool_call>",
        ":",
      ],
    ];
    const text = fc.array(fc.constantFrom(...fragments), { maxLength: 14 }).map((list) => list.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 200 })), (whole, cuts) => {
        const one = readContent(reader(), [whole]);
        for (const pieces of [chunked(whole, cuts), whole.split("")]) {
          const many = readContent(reader(), pieces);
          assert.deepEqual(many.reading, one.reading);
          assert.equal(many.answer, one.answer);
          assert.equal(many.thinking, one.thinking);
        }
        assert.equal(one.answer, one.reading.answer);
      }),
      { numRuns: 400 },
    );
  });

  it("starts anew when what came so far is taken back", () => {
    const each = reader();
    each.content("Action: find_tide\nhm");
    assert.deepEqual(each.retract?.(), [{ channel: "thinking", text: "Action: find_tide\nhm" }]);
    each.content("Final Answer: 42");
    const { reading } = each.finish("stop");
    assert.equal(reading.answer, "42");
    assert.deepEqual(reading.calls, []);
  });
});
