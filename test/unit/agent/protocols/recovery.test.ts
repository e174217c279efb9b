import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject } from "../../../../src/agent/models/types.ts";
import { FORMS } from "./forms.ts";
import { NOT_CALLS } from "./not-calls.ts";
import { recoverCalls, type Recovered } from "./recover.ts";
import { NO_TOOLS, TOOLS } from "./support.ts";

function plain(found: Recovered): readonly { name: string; arguments: JsonObject }[] {
  return found.calls.map((call) => ({ name: call.name, arguments: { ...call.arguments } }));
}

describe("calls written as text", () => {
  for (const form of FORMS) {
    it(`are found: ${form.name}`, () => {
      const found = recoverCalls(form.text, TOOLS);
      assert.deepEqual(plain(found), form.calls);
      assert.equal(found.rest, form.rest ?? "");
      assert.equal(found.isCut, false);
    });
  }

  for (const { name, text } of NOT_CALLS) {
    it(`are not seen where there are none, and the text stays as it is: ${name}`, () => {
      const found = recoverCalls(text, TOOLS);
      assert.deepEqual(found.calls, []);
      assert.equal(found.rest, text);
    });
  }

  it("are not looked for when no tool is offered", () => {
    const text = '<tool_call>{"name": "f", "arguments": {}}</tool_call>';
    assert.deepEqual(recoverCalls(text, NO_TOOLS).calls, []);
    assert.equal(recoverCalls(text, NO_TOOLS).rest, text);
  });

  it("of a kind that changes nothing count behind prose, others only when nothing else is said", () => {
    const save = '{"name": "save_note", "arguments": {"text": "x"}}';
    assert.equal(recoverCalls(save, TOOLS).calls.length, 1);
    assert.equal(recoverCalls(`I keep it.\n${save}`, TOOLS).calls.length, 0);
  });

  it("that lack the tool's name are told apart and never calls", () => {
    const found = recoverCalls('{"port": "Oban", "days": 2]', TOOLS);
    assert.deepEqual(found.calls, []);
    assert.deepEqual(found.unnamed, { port: "Oban", days: 2 });
    assert.equal(recoverCalls('{"depth": 4}', TOOLS).unnamed, undefined);
  });

  it("are at most thirty-two in one message", () => {
    const one = '{"name": "find_tide", "arguments": {"port": "Oban"}}\n';
    assert.ok(recoverCalls(one.repeat(500), TOOLS).calls.length <= 32);
    assert.ok(recoverCalls(`<tool_call>${one}</tool_call>\n`.repeat(500), TOOLS).calls.length <= 32);
  });
});

describe("a message that was cut off", () => {
  const cuts = fc
    .constantFrom(...FORMS)
    .chain((form) => fc.tuple(fc.constant(form), fc.nat({ max: form.text.length - 1 })));

  it("gives no call, wherever it was cut", () => {
    fc.assert(
      fc.property(cuts, ([form, length]) => {
        assert.deepEqual(recoverCalls(form.text.slice(0, length), TOOLS, { cut: true }).calls, []);
      }),
    );
  });

  it("gives no call even when the call in it looks whole", () => {
    for (const form of FORMS) assert.deepEqual(recoverCalls(form.text, TOOLS, { cut: true }).calls, []);
  });

  it("never gives arguments that are not whole, even when the server says that the model stopped by itself", () => {
    const text = '{"name": "save_note", "arguments": {"text": "the whole long note", "pinned": true}}';
    const tagged = `<tool_call>\n${text}\n</tool_call>`;
    for (const whole of [text, tagged, `\`\`\`json\n${text}\n\`\`\``]) {
      for (let length = 0; length < whole.length; length += 1) {
        for (const call of recoverCalls(whole.slice(0, length), TOOLS).calls) {
          assert.deepEqual(call.arguments, { text: "the whole long note", pinned: true });
        }
      }
    }
  });

  it("does not show the half of a call", () => {
    const found = recoverCalls('So.\n<tool_call>\n{"name": "find_tide", "argu', TOOLS);
    assert.equal(found.isCut, true);
    assert.equal(found.rest, "So.");
  });

  it("shows the half of anything else", () => {
    const text = '{"name": "Ann", "arguments": {"a';
    assert.equal(recoverCalls(text, TOOLS, { cut: true }).rest, text);
  });
});

describe("hostile text", () => {
  const SIZE = 1024 * 1024;
  const pieces = [
    ...["{", "[", "<", "`", "*", "\n", " ", '"', "\\", "\n{", "<|", "```\n", '{"name":\n', '\\"', "'", "_>"],
    ...["<tool_call>", "\n<tool_call>{", '<tool_call>{"name":', "<function=find_tide><parameter=port>"],
    ...['<invoke name="find_tide">', "call:find_tide{port:", "[find_tide(", "[TOOL_CALLS]find_tide{"],
    ...["Action: find_tide\n", "Thought: ", "<|channel|>commentary to=functions.find_tide ", "</tool_call>"],
    ...[
      'a <tool_call>{"name":"find_tide","arguments":{}}</tool_call> b\n',
      "{'name':'find_tide','a':{'b':'c'},",
    ],
    ...['{"name":"find_tide","bad":1}\n', '[{"name":"find_tide","arguments":{}},', "<find_tide><port>"],
  ];

  // A way that grows with the square of the text would not end within the time limit of the test.
  it("of a megabyte is read in steps that grow with its length alone", () => {
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(SIZE / piece.length));
      recoverCalls(text, TOOLS);
    }
  }).timeout(120_000);

  it("just under the limit of what is held is read to its end", () => {
    for (const piece of pieces) {
      const text = piece.repeat(Math.floor((250 * 1024) / piece.length));
      recoverCalls(text, TOOLS);
    }
  }).timeout(120_000);

  it("of any kind gives back what was not a call, and calls that are objects", () => {
    const parts = fc.array(fc.constantFrom(...pieces, '"find_tide"', ":", "}", ")", "Oban", "]"), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(parts, (list) => {
        const found = recoverCalls(list.join(""), TOOLS);
        for (const call of found.calls)
          assert.equal(Object.prototype.toString.call(call.arguments), "[object Object]");
        if (found.calls.length === 0 && !found.isCut) assert.equal(found.rest, list.join(""));
      }),
    );
  });

  it("can't reach an object's prototype", () => {
    const found = recoverCalls(
      '{"name": "find_tide", "arguments": {"__proto__": {"port": "x"}, "port": "Oban"}}',
      TOOLS,
    );
    assert.equal(Object.getPrototypeOf(found.calls[0]?.arguments), Object.prototype);
    assert.equal(({} as { port?: string }).port, undefined);
  });
});
