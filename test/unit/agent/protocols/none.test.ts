import assert from "node:assert/strict";
import { withoutParts } from "../../../../src/agent/message-parts.ts";
import type { ChatMessage, ToolCall } from "../../../../src/agent/models/types.ts";
import { protocolAdapter } from "../../../../src/agent/protocols/index.ts";
import { counter, readContent, readStep, TOOLS } from "./support.ts";

const CALL: ToolCall = { id: "1", name: "find_tide", arguments: { port: "Oban" } };

describe("no tools at all", () => {
  const none = protocolAdapter("none");

  it("offers nothing, and gives earlier calls and results as plain words", () => {
    const history: readonly ChatMessage[] = [
      { role: "user", content: "When?" },
      { role: "assistant", content: "", toolCalls: [CALL] },
      { role: "tool", toolName: "find_tide", toolCallId: "1", content: "14:10" },
      { role: "assistant", content: "At 14:10." },
    ];
    const { messages, ...rest } = none.prepare(history, TOOLS, false);
    assert.deepEqual(messages.map(withoutParts), [
      { role: "user", content: "When?" },
      { role: "user", content: "[Result of find_tide]\n14:10" },
      { role: "assistant", content: "At 14:10." },
    ]);
    assert.deepEqual(rest, {});
  });

  it("shows everything as it is: nothing is a call", () => {
    const text = '{"name": "find_tide", "arguments": {"port": "Oban"}}';
    const { reading, answer } = readContent(none.reader(TOOLS, counter(), false), [text]);
    assert.equal(answer, text);
    assert.deepEqual(reading.calls, []);
  });
});

const names = ["native", "constrained", "react", "none"] as const;

describe("every protocol", () => {
  it("is found by its name", () => {
    for (const name of names) assert.equal(protocolAdapter(name).name, name);
  });

  it("keeps thinking and answer apart", () => {
    for (const name of names) {
      const step = readStep(protocolAdapter(name).reader(TOOLS, counter(), false), [
        { channel: "thinking", text: "Hm." },
        { channel: "answer", text: "At 14:10." },
      ]);
      assert.equal(step.reading.thinking, "Hm.", name);
      assert.equal(step.thinking, "Hm.", name);
      assert.equal(step.reading.answer, "At 14:10.", name);
    }
  });

  it("carries results in one shared form, so that a turn can go on under another protocol", () => {
    for (const name of names) {
      assert.deepEqual(protocolAdapter(name).results([{ call: CALL, content: "14:10" }]), [
        { role: "tool", toolName: "find_tide", toolCallId: "1", content: "14:10" },
      ]);
      const correction = protocolAdapter(name).correction("Again.");
      assert.deepEqual(correction.map(withoutParts), [{ role: "user", content: "Again." }]);
    }
  });

  it("reads an empty step as an empty answer", () => {
    for (const name of names) {
      const { reading } = protocolAdapter(name).reader(TOOLS, counter(), false).finish("stop");
      assert.equal(reading.answer, "", name);
      assert.deepEqual(reading.calls, [], name);
      assert.equal(reading.broken, undefined, name);
    }
  });
});

describe("the requests of a turn", () => {
  it("repeat the one before object by object, under every protocol: the log holds only what each adds", () => {
    const system: ChatMessage = { role: "system", content: "Be brief." };
    const asked: readonly ChatMessage[] = [system, { role: "user", content: "When?" }];
    const own: readonly ChatMessage[] = [
      { role: "assistant", content: "", toolCalls: [CALL] },
      { role: "tool", toolName: "find_tide", toolCallId: "1", content: "14:10" },
    ];
    const more: readonly ChatMessage[] = [...own, { role: "assistant", content: "At 14:10." }];
    for (const name of names) {
      const adapter = protocolAdapter(name);
      const first = adapter.prepare([...asked, ...own], TOOLS, false).messages;
      const second = adapter.prepare([...asked, ...more], TOOLS, false).messages;
      assert.ok(first.length > 1, name);
      for (const [index, message] of first.entries())
        assert.equal(second[index], message, `${name} ${index}`);
    }
  });
});
