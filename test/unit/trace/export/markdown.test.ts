import assert from "node:assert/strict";
import fc from "fast-check";
import { foreignMarkdown } from "../../../../src/trace/export/markdown/foreign.ts";
import { inHtml, inline } from "../../../../src/trace/export/markdown/escape.ts";
import { writeMarkdown, type MarkdownLimits } from "../../../../src/trace/export/markdown/write.ts";
import { StoryBuilder } from "../../../../src/trace/export/story/build.ts";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { SteadyIdentity } from "../support/steady-identity.ts";
import { isGolden } from "./support/golden.ts";
import { CORPUS } from "./support/hostile.ts";
import { councilTurn, judgedTurn, sayingEverywhere, turnOf } from "./support/turns.ts";

function written(
  events: readonly TurnEvent[],
  limits?: MarkdownLimits,
): { readonly text: string; readonly leftOut: string } {
  const builder = new StoryBuilder(events[0]?.sessionId ?? "", { requests: false });
  for (const event of events) builder.take(event);
  return writeMarkdown(builder.story(), limits);
}

/** The page without its fenced code: what a reader of Markdown looks at for markup. Fails when a fence stays open. */
function outsideOfCode(text: string): string {
  const out: string[] = [];
  let fence = "";
  for (const line of text.split("\n")) {
    const bare = line.replace(/^(?:> ?)+/, "");
    const run = /^`{3,}/.exec(bare)?.[0] ?? "";
    if (fence === "" && run !== "") fence = run;
    else if (fence !== "" && run.length >= fence.length && /^`+\s*$/.test(bare)) fence = "";
    else if (fence === "") out.push(line);
  }
  assert.equal(fence, "", "a fence is left open");
  return out.join("\n");
}

/** Every element of HTML outside of code, by its name. */
function elements(text: string): string[] {
  const bare = outsideOfCode(text).replace(/(?<![\\`])(`+)(?!`)(?:[^`\n]|[^`\n][^\n]*?[^`\n])\1(?!`)/g, "");
  return [...bare.matchAll(/<(\/?[a-z]+)[^>]*>/gi)].map(([, name = ""]) => name.toLowerCase());
}

const OWN = new Set(["details", "/details", "summary", "/summary", "b", "/b", "sub", "/sub"]);

/** Nothing but the frame is HTML, and the frame is whole. */
function assertFramed(text: string): void {
  const found = elements(text);
  assert.deepEqual(
    found.filter((name) => !OWN.has(name)),
    [],
  );
  for (const name of ["details", "summary", "b", "sub"])
    assert.equal(
      found.filter((one) => one === name).length,
      found.filter((one) => one === `/${name}`).length,
    );
  assert.doesNotMatch(outsideOfCode(text), /(?<!\\)!\[/, "an image");
  assert.doesNotMatch(
    outsideOfCode(text),
    /(?<!\\)\]\(\s*<?(?!https?:|mailto:)[a-z][a-z0-9+.-]*:/i,
    "a link elsewhere",
  );
}

describe("Markdown export", () => {
  it("tells one agent's turn: question, answer, judgements and cost open, all else folded", () => {
    isGolden("judged.md", written(judgedTurn()).text);
  });

  it("tells a committee's turn with its rounds and members", () => {
    isGolden("council.md", written(councilTurn()).text);
  });

  it("holds whatever a model, a tool or a name says: nothing opens, closes or leaves its place", () => {
    for (const text of CORPUS) {
      const page = written(sayingEverywhere(text)).text;
      assertFramed(page);
      assert.match(page, /\n### Answer\n/);
      assert.match(page, /<sub>Conclave, /);
    }
    assertFramed(written(sayingEverywhere(CORPUS.join("\n\n"))).text);
  });

  it("holds any mixture of signs that mean something to Markdown or HTML", () => {
    const sign = fc.constantFrom(
      ...[
        "`",
        "``",
        "```",
        "~~~",
        "<img src=x onerror=1>",
        "</details>",
        "<!--",
        "\\",
        "|",
        "\n",
        "\n\n",
        "    ",
        "> ",
        "- ",
      ],
      ...[
        "![a](https://t.example/p)",
        "[a](javascript:1)",
        "]",
        "(",
        "[",
        "]: javascript:1",
        "x",
        " ",
        "<",
        "&lt;",
        "$",
        "\r",
      ],
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 24 }), (signs) => {
        assertFramed(written(sayingEverywhere(signs.join(""))).text);
      }),
      { numRuns: 300, seed: 4 },
    );
  });

  it("leaves nothing to how a program pairs the signs of code", () => {
    const cases: readonly (readonly [text: string, safe: string])[] = [
      // A bar ends a cell of a table, and with it the code in it.
      ["| `a | <img src=x> ` |", "| \\`a | &lt;img src=x> \\` |"],
      // A lone backtick of one line would pair with one of the next.
      ["a ` b\nc ` <b> ` d ` e", "a \\` b\nc ` <b> ` d \\` e"],
      // An escaped backslash escapes no backtick.
      ["\\\\`<img src=x>`", "\\\\\\`&lt;img src=x>\\`"],
      ["\\`<img src=x>`", "\\`&lt;img src=x>\\`"],
      // A fence that is not closed ends where the text does.
      ["```\n</details>", "\n```\n</details>\n```\n"],
    ];
    for (const [text, safe] of cases) assert.equal(foreignMarkdown(text), safe, text);
  });

  it("keeps what an answer needs: emphasis, lists, tables, code, links to the web", () => {
    const answer = [
      "## Plan\n\n1. **First** _this_, `a < b`\n   ```ts\n   if (a < b) x<y>();\n   ```\n2. [the page](https://example.test/a?b=1)",
      "| a | b |\n| - | - |\n| 1 | `c` |",
    ].join("\n\n");
    const kept = foreignMarkdown(answer);
    for (const part of [
      "## Plan",
      "**First** _this_, `a < b`",
      "if (a < b) x<y>();",
      "[the page](https://example.test/a?b=1)",
      "| 1 | `c` |",
    ])
      assert.ok(kept.includes(part), part);
  });

  it("mentions nobody and links or closes no issue", () => {
    const text =
      "Thanks @octocat. Fixes #12, closes acme/app#3 and GH-7. Mail ada@example.test, `@kept` in code.";
    for (const page of [foreignMarkdown(text), inline(text), inHtml(text)]) {
      assert.doesNotMatch(page, /(?<![\w`])@octocat|#12|#3|GH-7/);
      assert.ok(page.includes("ada@example.test"));
    }
    assert.ok(foreignMarkdown(text).includes("`@kept`"));
  });

  it("drops signs that nobody sees, and those that turn the direction of a line", () => {
    const page = written(sayingEverywhere("a\u202eb\u0000c\u2066d\u200fe\ud83df")).text;
    for (const sign of ["\u0000", "\u202e", "\u2066", "\u200f"]) assert.ok(!page.includes(sign));
    assert.ok(page.isWellFormed());
  });

  it("fits the body of an issue, with every question and answer before any detail", () => {
    const identity = new SteadyIdentity();
    const events = Array.from({ length: 12 }, (_, at) =>
      turnOf(
        (script) => {
          script.ask().reply({ thinking: `thought ${at} `.repeat(2_000), content: `Answer ${at}` });
          script.answered(`Answer ${at}.`);
        },
        { identity, question: `Question ${at}?`, sessionId: "00000000-0000-4000-8000-00000000000a" },
      ),
    ).flat();
    const { text, leftOut } = written(events);
    assert.ok(text.length < 65_536, String(text.length));
    for (let at = 0; at < 12; at += 1)
      assert.ok(text.includes(`Question ${at}?`) && text.includes(`Answer ${at}.`));
    assert.match(leftOut, /the ends of \d+ texts/);
    const tight = written(events, { whole: 1_600, text: 200, answer: 400 });
    assert.ok(tight.text.length <= 1_600, String(tight.text.length));
    assert.match(tight.leftOut, /\d+ turns/);
    assert.match(tight.text, /Left out for its length/);
    assertFramed(tight.text);
  });

  it("says what could not be read of a log", () => {
    const builder = new StoryBuilder("s", { requests: false });
    for (const event of judgedTurn(new SteadyIdentity(), "s")) builder.take(event);
    builder.problem("line 3 is not JSON and was left out");
    assert.match(writeMarkdown(builder.story()).text, /_line 3 is not JSON and was left out_\n$/);
  });
});
