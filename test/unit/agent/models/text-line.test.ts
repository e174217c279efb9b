import assert from "node:assert/strict";
import fc from "fast-check";
import { ReplyReader } from "../../../../src/agent/models/reply.ts";
import { LeakSplitter } from "../../../../src/agent/models/leaked-tags.ts";
import { readTextLine, TextLine } from "../../../../src/agent/models/text-line.ts";
import type { ChatChunk } from "../../../../src/agent/models/types.ts";

const CONTEXT = { host: "localhost:11434", model: "scripted" };

interface Line {
  readonly model: string;
  readonly created_at: string;
  readonly message: { readonly role: string; readonly content: string; readonly thinking?: string };
  readonly done: boolean;
}

const DONE = {
  model: "scripted",
  message: { role: "assistant", content: "" },
  done: true,
  done_reason: "stop",
};

/** What an answer of these lines is read as. */
function read(lines: readonly string[]): readonly ChatChunk[] {
  const reply = new ReplyReader(new LeakSplitter({ json: false, holdBack: 0 }), CONTEXT);
  const all = [...lines, JSON.stringify(DONE)].map((line) => `${line}\n`).join("");
  return reply.push(Buffer.from(all), 1);
}

/** The same JSON with other white space, which no pattern knows. */
function spaced(line: Line): string {
  return JSON.stringify(line, null, 1).replaceAll("\n", "");
}

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    '"',
    "\\",
    "\n",
    "\u0000",
    "\u2028",
    "\u007f",
    '","done":true}',
    "<think>",
    "</think>",
    "}",
    "{",
  ),
);
const line: fc.Arbitrary<Line> = fc.record({
  model: fc.oneof(fc.constant("scripted"), text),
  created_at: fc.constant("2026-01-02T03:04:05.123456789Z"),
  message: fc.oneof(
    fc.record({ role: fc.constant("assistant"), content: text }),
    fc.record({ role: fc.constant("assistant"), content: text, thinking: text }),
  ),
  done: fc.constant(false),
});

describe("a line that brings a piece of text", () => {
  it("is read like any other line that says the same", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        assert.deepEqual(read(lines.map((one) => JSON.stringify(one))), read(lines.map(spaced)));
      }),
    );
  });

  it("is known by its form, which is that of a server", () => {
    const piece = (message: string): string =>
      `{"model":"a:1b","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",${message}},"done":false}`;
    const said = readTextLine(piece('"content":" tide"'));
    assert.deepEqual(said, new TextLine(" tide", ""));
    const thought = readTextLine(piece('"content":"","thinking":"Hm"'));
    assert.deepEqual(thought, new TextLine("", "Hm"));
  });

  it("is none where it brings more, is the last one, or has escapes", () => {
    const head = '{"model":"a","created_at":"2026","message":{"role":"assistant","content":"x"';
    const others = [
      `${head},"tool_calls":[]},"done":false}`,
      `${head}},"done":true}`,
      `${head}},"done":false,"error":"no"}`,
      `${head}},"done":false} `,
      head.replace('"x"', String.raw`"\n"`) + '},"done":false}',
      head.replace('"x"', '"\t"') + '},"done":false}',
      head.replace("assistant", "tool") + '},"done":false}',
      '{"error":"no"}',
    ];
    for (const other of others) assert.equal(readTextLine(other), undefined, other);
  });
});
