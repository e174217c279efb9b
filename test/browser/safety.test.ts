import assert from "node:assert/strict";
import { useFixture } from "./support/fixture.ts";
import { openFirst, withAnswer } from "./support/turns.ts";

const CORPUS = [
  `<img src=x onerror="acquireVsCodeApi().postMessage({type:'run'})">`,
  `<style>body{display:none}</style>`,
  `<script>window.__hurt = true</script>`,
  `<svg onload="window.__hurt = true"><a xlink:href="javascript:window.__hurt=true">x</a></svg>`,
  `<iframe srcdoc="<script>parent.__hurt = true</script>"></iframe>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="window.__hurt=true">`,
  `<form action="https://example.test"><input name=q></form>`,
  `[go](command:workbench.action.quit)`,
  `[x](javascript:alert(1))`,
  `[y](JaVaScRiPt:window.__hurt=true)`,
  `[z](java\tscript:window.__hurt=true)`,
  `[d](data:text/html,<script>window.__hurt=true</script>)`,
  `[v](vscode://file/etc/passwd)`,
  `[f](file:///etc/passwd)`,
  `[q](https://example.test/"onmouseover="window.__hurt=true)`,
  `![i](https://example.test/pixel.png "onload=window.__hurt=true")`,
  `![j](javascript:window.__hurt=true)`,
  `<a href="https://example.test" onclick="window.__hurt=true">raw</a>`,
  "`<img src=x onerror=window.__hurt=true>`",
  "```html\n<script>window.__hurt=true</script>\n```",
  "| a | b |\n|---|---|\n| <img src=x onerror=window.__hurt=true> | [x](javascript:1) |",
  `<b style="position:fixed;inset:0;background:red">over</b>`,
  `<meta http-equiv="refresh" content="0;url=https://example.test">`,
  `<base href="https://example.test/">`,
];

describe("panel: untrusted text", () => {
  const fixture = useFixture();

  it("is text in answers, thinking and tool results: nothing runs, nothing is said to the host, nothing is loaded", async () => {
    const panel = await fixture.open({
      before: (bed) => withAnswer(bed, CORPUS.join("\n\n")),
    });
    const { page } = panel;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await openFirst(panel);
    const links = await page.locator(".cell-answer a").all();
    for (const link of links) await link.click({ force: true });
    await panel.picture("untrusted");
    const inside = ".cell-answer .markdown";
    for (const tag of ["img", "style", "script", "svg", "iframe", "form", "input", "meta", "base", "math"]) {
      assert.equal(await page.locator(`${inside} ${tag}`).count(), 0, tag);
    }
    const attributes = await panel.evaluate<string[]>(
      `[...new Set([...document.querySelectorAll("${inside} *")].flatMap((e) => e.getAttributeNames()))]`,
    );
    assert.deepEqual(
      attributes.filter((name) => !["href", "title", "class", "tabindex"].includes(name)),
      [],
    );
    const hrefs = await panel.evaluate<string[]>(
      `[...document.querySelectorAll("${inside} a[href]")].map((a) => a.protocol)`,
    );
    assert.deepEqual([...new Set(hrefs)], ["https:"]);
    assert.equal(await panel.evaluate("window.__hurt === undefined"), true);
    assert.equal(await page.locator("body").isVisible(), true);
    assert.deepEqual([...new Set(panel.said.map(({ type }) => type))].sort(), ["link", "ready", "select"]);
    assert.ok(panel.bed.opened.every((uri) => uri.startsWith("https://example.test/")));
    assert.deepEqual(requests, []);
    assert.deepEqual(panel.bed.ran, []);
    assert.match(await page.locator(inside).innerText(), /<style>body\{display:none\}<\/style>/);
  });

  it("comes to the same elements when it streams in a sign at a time", async () => {
    const panel = await fixture.open();
    const { script } = panel.bed.engine.begin();
    script.ask();
    await panel.page.locator(".cell-question").waitFor();
    const text = CORPUS.join("\n\n");
    for (const sign of text) script.stream("answer", sign);
    await panel.page.locator(".cell-answer").getByText("raw").waitFor();
    const streamed = await panel.evaluate<string[]>(
      `[...document.querySelectorAll(".cell-answer .streaming a[href]")].map((a) => a.protocol)`,
    );
    assert.deepEqual([...new Set(streamed)], ["https:"]);
    script.reply({ content: text }).stepEnd().answered(text);
    await panel.page.locator(".standing").getByText("answered").waitFor();
    assert.equal(await panel.page.locator(".cell-answer :is(img, script, style, iframe, svg)").count(), 0);
    assert.equal(await panel.evaluate("window.__hurt === undefined"), true);
    assert.equal(
      panel.said.some(({ type }) => type === "link"),
      false,
    );
  });

  it("is kept out by the page's policy too: no inline script, no image, no connection", async () => {
    const panel = await fixture.open();
    await panel.page.locator(".empty").waitFor();
    const blocked = await panel.evaluate<string[]>(`new Promise((resolve) => {
      const seen = [];
      document.addEventListener("securitypolicyviolation", (event) => {
        seen.push(event.effectiveDirective);
        if (seen.length === 3) resolve(seen.sort());
      });
      const script = document.createElement("script");
      script.textContent = "window.__hurt = true";
      document.body.append(script);
      const image = document.createElement("img");
      image.src = "https://example.test/x.png";
      document.body.append(image);
      fetch("https://example.test/").catch(() => {});
    })`);
    assert.deepEqual(blocked, ["connect-src", "img-src", "script-src-elem"]);
    assert.equal(await panel.evaluate("window.__hurt === undefined"), true);
  });
});
