import assert from "node:assert/strict";
import { parsePage, textOf } from "../../../src/tools/web/extract/dom.ts";
import { dropHidden } from "../../../src/tools/web/extract/hidden.ts";

function shown(html: string): string {
  const document = parsePage(html);
  dropHidden(document);
  return textOf(document.body);
}

describe("what a reader can't see", () => {
  const ways = [
    `hidden`,
    `aria-hidden="true"`,
    `style="display:none"`,
    `style="margin:0; DISPLAY : none !important"`,
    `style="visibility: hidden"`,
    `style="font-size:0"`,
    `style="opacity:0"`,
    `style="position:absolute;left:-9999px"`,
    `style="position: fixed; top: -10000.5px"`,
    `style="text-indent:-999em"`,
    `style="position:absolute;clip:rect(0 0 0 0)"`,
    `style="clip-path: inset(50%)"`,
    `class="visually-hidden"`,
  ];
  for (const way of ways) {
    it(`is dropped when it has ${way}`, () => {
      assert.equal(shown(`<p>seen</p><div ${way}><p>unseen</p></div>`), "seen");
    });
  }

  it("is not what only looks alike", () => {
    const alike = [
      `style="opacity:0.9"`,
      `style="font-size:0.8em"`,
      `style="left:-1200px"`,
      `style="margin-left:-20px; text-indent:-2em"`,
      `style="clip-path: inset(5%)"`,
      `hidden="until-found"`,
      `aria-hidden="false"`,
    ];
    for (const way of [...alike, `style="opacity:0;transform:translateY(8px)"`, `class="hidden-gems"`]) {
      assert.equal(shown(`<div ${way}>seen</div>`), "seen", way);
    }
  });

  it("is not the page itself, which its script would reveal", () => {
    const page = `<p>${"A sentence of the page. ".repeat(10)}</p>`.repeat(6);
    assert.match(shown(`<div hidden id="S:1">${page}</div><p>Loading</p>`), /A sentence of the page/);
    assert.match(shown(`<body style="display:none">${page}</body>`), /A sentence of the page/);
  });
});
