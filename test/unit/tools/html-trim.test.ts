import assert from "node:assert/strict";
import fc from "fast-check";
import { MAX_DEPTH, MAX_HTML, trimHtml } from "../../../src/tools/web/html-trim.ts";
import { extractMainText } from "../../../src/tools/web/main-text.ts";

function depth(html: string): number {
  let open = 0;
  let most = 0;
  for (const [tag] of html.matchAll(/<\/?[a-z]+/g)) {
    open += tag.startsWith("</") ? -1 : 1;
    most = Math.max(most, open);
  }
  return most;
}

describe("trimming a page before it is parsed", () => {
  it("drops scripts, styles and comments and keeps the rest as it is", () => {
    const page = `<p>a</p><!-- <b> --><script>if (a < b) "</p>"</script><style>p{}</style><svg><path/></svg><p title="x > y">b</p>`;
    assert.equal(trimHtml(page).html, `<p>a</p> <p title="x > y">b</p>`);
    assert.equal(trimHtml(page).scriptLength, 17);
  });

  it("keeps linked data, and text for readers without script when it is more than a sentence", () => {
    const data = `<script type="application/ld+json">{"a":1}</script>`;
    assert.equal(trimHtml(data).html, data);
    assert.equal(trimHtml("<noscript>Please enable JavaScript.</noscript>").html, "");
    const posts = `<div>${"A post of a forum that is made by script. ".repeat(30)}</div>`;
    assert.match(trimHtml(`<noscript>${posts}</noscript>`).html, /A post of a forum/);
  });

  it("flattens what is nested too deeply and keeps its text", () => {
    const page = `${"<div>".repeat(100_000)}the text${"</div>".repeat(100_000)}`;
    const { html } = trimHtml(page);
    assert.ok(depth(html) <= MAX_DEPTH);
    assert.match(html, /the text/);
  });

  it("reads a page that would hang a parser in a moment, and finds its text", () => {
    const deep = `<main>${"<div><b><i>".repeat(30_000)}<p>The pier reopens on 3 May, says the harbour master today.</p></main>`;
    assert.match(extractMainText(deep, "https://example.com/").text, /The pier reopens on 3 May/);
  });

  it("cuts a page that is too long and says so", () => {
    const { html, cut } = trimHtml("<p>word</p>".repeat(300_000));
    assert.equal(cut, true);
    assert.ok(html.length <= MAX_HTML);
    assert.equal(trimHtml("<p>word</p>").cut, false);
  });

  it("gets through any text without an end, and never makes it longer", () => {
    const part = fc.constantFrom(
      "<",
      ">",
      "<!--",
      "-->",
      "<div",
      "</div>",
      "<script>",
      "</script",
      '"',
      "='",
      "a",
      " ",
      "<p>",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const page = parts.join("");
        assert.ok(trimHtml(page).html.length <= page.length);
      }),
    );
  });
});
