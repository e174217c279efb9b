import assert from "node:assert/strict";
import { CORPUS } from "./support/corpus.ts";
import { useFixture } from "./support/fixture.ts";
import { openFirst, withAnswer } from "./support/turns.ts";

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
    // What a turn's view asks for by itself, and the links that were clicked.
    const said = new Set(panel.said.map(({ type }) => type));
    for (const usual of ["link", "ready", "select", "prefill"]) said.delete(usual);
    assert.deepEqual([...said], []);
    const hosts = new Set(panel.bed.opened.map((uri) => new URL(uri).hostname));
    for (const usual of ["example.test", "www.example.test"]) hosts.delete(usual);
    assert.deepEqual([...hosts], []);
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
