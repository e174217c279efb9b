import assert from "node:assert/strict";
import fc from "fast-check";
import { LeakSplitter, type SplitOptions } from "../../../../src/agent/models/leaked-tags.ts";

interface Sorted {
  readonly thinking: string;
  readonly content: string;
}

/** Reads pieces as a view does: a retraction moves all content so far to thinking. */
function sort(chunks: readonly string[], options?: SplitOptions): Sorted {
  const splitter = new LeakSplitter(options);
  let [thinking, content] = ["", ""];
  for (const piece of [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()]) {
    if (piece.type === "content") content += piece.text;
    else if (piece.type === "thinking") thinking += piece.text;
    else {
      thinking += content;
      content = "";
    }
  }
  return { thinking, content };
}

interface Example extends Sorted {
  readonly name: string;
  readonly input: string;
}

const LEAKS: readonly Example[] = [
  {
    name: "think tags",
    input: "<think>\nTwo and two.\n</think>\n\nFour.",
    thinking: "Two and two.",
    content: "Four.",
  },
  { name: "thinking tags", input: "<thinking>hm</thinking>Four.", thinking: "hm", content: "Four." },
  { name: "tags in capitals", input: "<THINK>hm</THINK>\nFour.", thinking: "hm", content: "Four." },
  { name: "thought tags", input: "<thought>hm</thought>Four.", thinking: "hm", content: "Four." },
  { name: "bars", input: "<|think|>hm<|/think|>Four.", thinking: "hm", content: "Four." },
  { name: "bars with a plain end", input: "<|think|>hm</think>Four.", thinking: "hm", content: "Four." },
  { name: "square brackets", input: "[THINK]hm[/THINK]Four.", thinking: "hm", content: "Four." },
  { name: "triangles", input: "◁think▷hm◁/think▷Four.", thinking: "hm", content: "Four." },
  { name: "an empty thought", input: "<think>\n\n</think>\n\nFour.", thinking: "", content: "Four." },
  { name: "an opening tag twice", input: "<think><think>hm</think>Four.", thinking: "hm", content: "Four." },
  { name: "thinking cut off", input: "<think>I was about to", thinking: "I was about to", content: "" },
  {
    name: "thinking after a sentence",
    input: "Sure! <think>hm</think>Four.",
    thinking: "hm",
    content: "Sure! Four.",
  },
  {
    name: "channels",
    input: "<|channel|>analysis<|message|>User wants 4.<|end|><|start|>assistant<|channel|>final<|message|>4",
    thinking: "User wants 4.",
    content: "4",
  },
  {
    name: "channels after the start of a message",
    input: "<|start|>assistant<|channel|>analysis<|message|>hm<|end|><|channel|>final<|message|>4<|return|>",
    thinking: "hm",
    content: "4",
  },
  {
    name: "a channel with its name on a line",
    input: "<|channel>thought\nI add them.<channel|>Four.",
    thinking: "I add them.",
    content: "Four.",
  },
  {
    name: "a closing tag alone",
    input: "They want a number, maybe 40 or 42.</think>\n\nForty-two.",
    thinking: "They want a number, maybe 40 or 42.",
    content: "Forty-two.",
  },
  {
    name: "a closing tag alone on its line",
    input: "hm\n</think>\nFour.",
    thinking: "hm\n",
    content: "Four.",
  },
  { name: "a closing tag at the very start", input: "\n</think>\n\nFour.", thinking: "", content: "Four." },
  {
    name: "a closing channel alone",
    input: "I add them.<channel|>Four.",
    thinking: "I add them.",
    content: "Four.",
  },
  {
    name: "a stray backtick in the thinking",
    input: "Is ` a tick? Yes.\nDone.</think>\nIt is.",
    thinking: "Is ` a tick? Yes.\nDone.",
    content: "It is.",
  },
  {
    name: "a tag quoted within leaked thinking",
    input: "<think>They ask for `</think>`.</think>It ends thinking.",
    thinking: "They ask for `</think>`.",
    content: "It ends thinking.",
  },
];

const TEXTS: readonly (readonly [string, string])[] = [
  ["a tag in backticks", "The tag `</think>` ends the thinking of a model."],
  ["both tags in backticks", "`<think>` opens and `</think>` closes."],
  ["a tag in double backticks", "Write ``</think>`` there."],
  ["tags in a code block", "Like so:\n```xml\n<think>\nhm\n</think>\nFour.\n```\nThat is all."],
  ["tags in a block of tildes", "~~~\n<think>\n</think>\n~~~\n"],
  ["a tag in quotes", 'The tag "</think>" ends it.'],
  ["a tag named in a sentence", "The <think> tag opens and the </think> tag closes."],
  ["less-than signs", "if a < b and c <d> then <b>bold</b> <thin> <"],
  ["a link", "[think](https://example.test) and [Think] again"],
  ["channel signs without a header", "Use <|channel|> with care: <|end|> is one too."],
  [
    "a call in a channel",
    '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a":"</think>"}<|call|>',
  ],
  ["a call after a channel", "<channel|>call:get_weather{city:1}"],
  ["an indented beginning", "    code\ntext"],
];

describe("leaked thinking", () => {
  for (const { name, input, thinking, content } of LEAKS) {
    it(`is moved out of the answer: ${name}`, () => assert.deepEqual(sort([input]), { thinking, content }));
  }

  for (const [name, input] of TEXTS) {
    it(`is not seen where there is none: ${name}`, () =>
      assert.deepEqual(sort([input]), { thinking: "", content: input }));
  }

  it("comes out the same wherever the text is cut, held back or not", () => {
    const inputs = [...LEAKS.map(({ input }) => input), ...TEXTS.map(([, input]) => input)];
    const cuts = fc.array(fc.nat({ max: 120 }), { maxLength: 12 });
    fc.assert(
      fc.property(
        fc.constantFrom(...inputs),
        cuts,
        fc.constantFrom(0, 5, 1_000),
        (input, places, holdBack) => {
          const edges = [...new Set([0, ...places.filter((place) => place < input.length), input.length])];
          edges.sort((a, b) => a - b);
          const chunks = edges.slice(1).map((edge, index) => input.slice(edges[index], edge));
          const whole = sort([input]);
          const split = sort(chunks, { holdBack });
          assert.equal(split.content, whole.content);
          assert.equal(split.thinking.trimEnd(), whole.thinking.trimEnd());
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("loses no character of any text without tags", () => {
    const unit = fc.constantFrom("a", "<", ">", "`", "~", "\n", " ", "/", "|", "think", "[", "]", ".", "é");
    fc.assert(
      fc.property(
        fc.array(
          fc.array(unit).map((parts) => parts.join("")),
          { maxLength: 6 },
        ),
        (chunks) => {
          const input = chunks.join("");
          fc.pre(!/<\/?think>|<\|think\|>|<\|\/think\|>|<\/\|think\|>/.test(input));
          assert.deepEqual(sort(chunks), { thinking: "", content: input });
        },
      ),
    );
  });

  it("shows text at once when nothing in it could be a tag", () => {
    const splitter = new LeakSplitter();
    assert.deepEqual(splitter.push("Forty"), [{ type: "content", text: "Forty" }]);
    assert.deepEqual(splitter.push("-two <th"), [{ type: "content", text: "-two " }]);
    assert.deepEqual(splitter.push("e>"), [{ type: "content", text: "<the>" }]);
  });

  it("streams thinking whose opening tag was seen", () => {
    const splitter = new LeakSplitter();
    splitter.push("<think>");
    assert.deepEqual(splitter.push("Let me"), [{ type: "thinking", text: "Let me" }]);
  });

  it("takes back what was shown when only the closing tag tells", () => {
    const splitter = new LeakSplitter();
    splitter.push("They want a num");
    splitter.push("ber.</th");
    assert.deepEqual(splitter.push("ink>\n\nFor"), [{ type: "retract" }, { type: "content", text: "For" }]);
    assert.equal(splitter.sawLoneClose, true);
  });

  it("never shows it when content is held back", () => {
    const splitter = new LeakSplitter({ holdBack: 100 });
    assert.deepEqual(splitter.push("They want a number."), []);
    assert.deepEqual(splitter.push("</think>42"), [{ type: "thinking", text: "They want a number." }]);
    assert.deepEqual(splitter.end(), [{ type: "content", text: "42" }]);
  });

  it("holds back no more than it was told", () => {
    const splitter = new LeakSplitter({ holdBack: 10 });
    assert.deepEqual(splitter.push("0123456789"), []);
    assert.deepEqual(splitter.push("x"), [{ type: "content", text: "0123456789x" }]);
    assert.deepEqual(splitter.push("y"), [{ type: "content", text: "y" }]);
  });

  it("reads tags before a constrained answer and none within it", () => {
    const json = '{"answer":"<think>a</think> b."}';
    assert.deepEqual(sort([json], { json: true }), { thinking: "", content: json });
    assert.deepEqual(sort(["<think>hm</think>\n", json], { json: true }), { thinking: "hm", content: json });
    assert.deepEqual(sort(["hm.</think>\n", json], { json: true }), { thinking: "hm.", content: json });
  });
});
