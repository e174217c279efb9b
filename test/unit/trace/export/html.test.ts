import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { markdownHtml } from "../../../../src/trace/export/html/markdown.ts";
import { HtmlWriter, type HtmlLimits } from "../../../../src/trace/export/html/write.ts";
import { StoryBuilder } from "../../../../src/trace/export/story/build.ts";
import { SteadyIdentity } from "../support/steady-identity.ts";
import { isGolden } from "./support/golden.ts";
import { CORPUS } from "./support/hostile.ts";
import { councilTurn, judgedTurn, sayingEverywhere } from "./support/turns.ts";

function written(
  events: readonly TurnEvent[],
  limits?: HtmlLimits,
): { readonly page: string; readonly leftOut: string } {
  const builder = new StoryBuilder(events[0]?.sessionId ?? "", { requests: true });
  for (const event of events) builder.take(event);
  const writer = new HtmlWriter(builder.story(), limits);
  const page = [...writer.pieces()].join("");
  return { page, leftOut: writer.leftOut };
}

/** The page without its own style and script, which no text of a trace reaches. */
function body(page: string): string {
  return page.replace(/<style>[^]*?<\/style>/, "").replace(/<script>[^]*?<\/script>/, "");
}

/** The same, whatever the style and the script are. */
function stable(page: string): string {
  return body(page).replace(/'sha256-[^']+'/g, "'sha256-...'");
}

/** Attributes that the page's own elements carry; no other may stand in a tag. */
const TAG = /^<\/?[a-z][a-z0-9]*(?: (?:[a-z-]+="[^"<>]*"|hidden|open))*>$/;

function assertPlain(html: string): void {
  for (const [tag] of html.matchAll(/<[^>]*>?/g)) if (!tag.startsWith("<!doctype")) assert.match(tag, TAG);
  assert.doesNotMatch(html, /<[^>]* on[a-z]+=/i);
  assert.doesNotMatch(html, /<(?:img|svg|iframe|form|input|base|math|object|embed|link)\b/i);
}

describe("HTML export", () => {
  it("tells one agent's turn", () => {
    isGolden("judged.html", stable(written(judgedTurn()).page));
  });

  it("tells a committee's turn", () => {
    isGolden("council.html", stable(written(councilTurn()).page));
  });

  it("forbids everything but its own style and script, by their hashes", () => {
    const { page } = written(judgedTurn());
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "";
    const inline = (name: string): string =>
      createHash("sha256")
        .update(new RegExp(`<${name}>([^]*?)</${name}>`).exec(page)?.[1] ?? "")
        .digest("base64");
    assert.equal(
      policy,
      `default-src 'none'; style-src 'sha256-${inline("style")}'; script-src 'sha256-${inline("script")}'; base-uri 'none'; form-action 'none'`,
    );
    assert.equal(page.match(/<script/g)?.length, 1);
    assert.doesNotMatch(body(page), / style="| src=/);
  });

  it("holds whatever is said as text: every tag in the page is its own", () => {
    for (const text of [...CORPUS, CORPUS.join("\n\n")])
      assertPlain(body(written(sayingEverywhere(text)).page));
  });

  it("makes only elements of its list of any Markdown", () => {
    const sign = fc.constantFrom(
      ...[
        "`",
        "```",
        "<img onerror=1>",
        "<",
        ">",
        '"',
        "'",
        "&",
        "[",
        "](",
        ")",
        "javascript:",
        "https://a.example/",
        "!",
        "*",
        "_",
      ],
      ...["\n", "|", "- ", "1. ", "> ", "# ", "~~", "$", "\\", "a", " ", "[x](https://e.example/'\"<>)"],
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 30 }), (signs) => assertPlain(markdownHtml(signs.join("")))),
      { numRuns: 500, seed: 5 },
    );
  });

  it("keeps an answer's Markdown, and a link's address in sight", () => {
    const html = markdownHtml(
      "## Plan\n\n- **one** `a<b`\n\n```ts\nx<y>\n```\n\n[page](https://example.test/?a=1&b=2) list[0] snake_case_name",
    );
    assert.match(html, /<h5>Plan<\/h5>/);
    assert.match(html, /<li><strong>one<\/strong> <code>a&lt;b<\/code><\/li>/);
    assert.match(html, /<pre tabindex="0"><code>x&lt;y&gt;<\/code><\/pre>/);
    assert.match(html, /<a href="https:\/\/example\.test\/\?a=1&amp;b=2" title=/);
    assert.match(html, /list\[0\] snake_case_name/);
  });

  it("stays within its size, and says what it left out", () => {
    const identity = new SteadyIdentity();
    const sessionId = "00000000-0000-4000-8000-00000000000b";
    const events = Array.from({ length: 30 }, () =>
      sayingEverywhere("<&>".repeat(2_000), identity).map((event) => ({ ...event, sessionId })),
    ).flat();
    const { page, leftOut } = written(events, { whole: 300_000, text: 1_000 });
    assert.ok(page.length < 450_000, String(page.length));
    assert.match(leftOut, /\d+ folded parts?.*the ends of \d+ texts/);
    assert.ok(page.includes("Left out for its size"));
    assertPlain(body(page));
  });
});
