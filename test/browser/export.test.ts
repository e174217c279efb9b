import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { TurnEvent } from "../../src/agent/events.ts";
import { HtmlWriter } from "../../src/trace/export/html/write.ts";
import { StoryBuilder } from "../../src/trace/export/story/build.ts";
import { CORPUS } from "../unit/trace/export/support/hostile.ts";
import { councilTurn, judgedTurn, sayingEverywhere } from "../unit/trace/export/support/turns.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { launchBrowser } from "./support/browser.ts";

const OUT = fileURLToPath(new URL("./out/", import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SESSION = "00000000-0000-4000-8000-00000000000d";

describe("HTML export in a browser", () => {
  let browser: Browser;
  let folder: string;
  /** Whatever a page asked the network for, beside itself. */
  let requests: string[];
  let problems: string[];

  before(async () => {
    browser = await launchBrowser();
    folder = await mkdtemp(join(tmpdir(), "conclave-html-"));
    await mkdir(OUT, { recursive: true });
  });

  after(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(events: readonly TurnEvent[], options: BrowserContextOptions = {}): Promise<Page> {
    const builder = new StoryBuilder(SESSION, { requests: true });
    for (const event of events) builder.take(event);
    const file = join(folder, "trace.html");
    await writeFile(file, [...new HtmlWriter(builder.story()).pieces()].join(""));
    requests = [];
    problems = [];
    const context = await browser.newContext({
      offline: true,
      viewport: { width: 900, height: 1_000 },
      ...options,
    });
    const page = await context.newPage();
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  function session(): TurnEvent[] {
    const identity = new SteadyIdentity();
    return [...judgedTurn(identity, SESSION), ...councilTurn(identity, SESSION)];
  }

  async function serious(page: Page): Promise<string[]> {
    // The page's own policy keeps foreign scripts out, axe as well: the driver puts it in from outside.
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Runtime.evaluate", { expression: AXE });
    const { result } = await cdp.send("Runtime.evaluate", {
      expression: "axe.run(document, { preload: false })",
      awaitPromise: true,
      returnByValue: true,
    });
    return (result.value as AxeResults).violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  }

  for (const colorScheme of ["dark", "light"] as const) {
    it(`opens offline in ${colorScheme}, everything folded out, wide and narrow, and axe finds nothing serious`, async () => {
      const page = await open(session(), { colorScheme });
      for (const forcedColors of ["none", "active"] as const) {
        await page.emulateMedia({ forcedColors });
        assert.deepEqual(await serious(page), []);
      }
      await page.emulateMedia({ forcedColors: "none" });
      await page.screenshot({ path: join(OUT, `export-${colorScheme}.png`) });
      await page.locator("#open-all").click();
      for (const width of [1_400, 420]) {
        await page.setViewportSize({ width, height: 1_000 });
        await page.screenshot({ path: join(OUT, `export-${colorScheme}-${width}.png`), fullPage: true });
        assert.deepEqual(await serious(page), []);
        const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        assert.ok(over <= 0, `${over} px too wide at ${width}`);
      }
      assert.equal(requests.length, 1);
      assert.deepEqual(problems, []);
      await page.context().close();
    });
  }

  it("reads what is folded only when it is opened, with the keyboard too", async () => {
    const page = await open(session());
    const memory = page.locator("details.memory", { hasText: "search_memory" }).first();
    assert.equal(await memory.locator("table").count(), 0);
    await memory.locator("summary").focus();
    await page.keyboard.press("Enter");
    await memory.locator("table").waitFor();
    assert.match(await memory.innerText(), /no Redis for now/);
    assert.match(await memory.innerText(), /0\.91/);
    await page.keyboard.press("Enter");
    assert.equal(await memory.locator("table").isVisible(), false);
    await page.context().close();
  });

  it("switches between the system's theme, light and dark", async () => {
    const page = await open(session(), { colorScheme: "dark" });
    const ground = (): Promise<string> =>
      page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
    const dark = await ground();
    await page.locator("#theme").click();
    assert.equal(await page.locator("#theme").innerText(), "Theme: light");
    const light = await ground();
    assert.notEqual(light, dark);
    await page.locator("#theme").click();
    assert.equal(await ground(), dark);
    await page.context().close();
  });

  it("opens all of it for print, and folds it again afterwards", async () => {
    const page = await open(session());
    const opened = (): Promise<number> => page.locator("main details[open]").count();
    const before = await opened();
    await page.evaluate(`window.dispatchEvent(new Event("beforeprint"))`);
    assert.equal(await opened(), await page.locator("main details").count());
    await page.evaluate(`window.dispatchEvent(new Event("afterprint"))`);
    assert.equal(await opened(), before);
    await page.context().close();
  });

  it("can be read without scripts: the same texts, folded by the browser itself", async () => {
    const page = await open(session(), { javaScriptEnabled: false });
    const tool = page.locator("details.tool", { hasText: "web_fetch" }).first();
    await tool.locator("summary").click();
    assert.match(await tool.innerText(), /Drop an entry when the row changes\./);
    assert.equal(await page.locator(".buttons").isVisible(), false);
    await page.screenshot({ path: join(OUT, "export-noscript.png") });
    await page.context().close();
  });

  for (const javaScriptEnabled of [true, false]) {
    it(`keeps hostile texts inert, ${javaScriptEnabled ? "with" : "without"} scripts`, async () => {
      const identity = new SteadyIdentity();
      const events = [...CORPUS, CORPUS.join("\n\n")].flatMap((text) =>
        sayingEverywhere(text, identity, SESSION),
      );
      const page = await open(events, { javaScriptEnabled });
      if (javaScriptEnabled) {
        await page.locator("#open-all").click();
        assert.equal(await page.evaluate("window.__hurt === undefined"), true);
      }
      for (const tag of ["img", "svg", "iframe", "form", "input", "base", "math", "object", "h1 *"])
        assert.equal(await page.locator(`body ${tag}`).count(), 0, tag);
      assert.equal(await page.locator("main :is(script, style, meta)").count(), 0);
      assert.equal(await page.locator("main [style]").count(), 0);
      assert.equal(await page.locator("article").count(), CORPUS.length + 1);
      const links = await page.locator("main a").all();
      const hrefs = await Promise.all(links.map((link) => link.getAttribute("href")));
      for (const href of hrefs) assert.match(href ?? "", /^(https?:|mailto:)/);
      assert.equal(await page.locator("h1").isVisible(), true);
      assert.equal(requests.length, 1, requests.join("\n"));
      assert.deepEqual(problems, []);
      await page.context().close();
    });
  }

  it("is kept closed by its policy even where a script gets in: nothing runs, loads or is sent", async () => {
    const page = await open(session());
    await page.evaluate(`
      window.blocked = [];
      document.addEventListener("securitypolicyviolation", (event) => window.blocked.push(event.effectiveDirective));
      const script = document.createElement("script");
      script.textContent = "window.__hurt = true";
      document.body.append(script);
      const image = document.createElement("img");
      image.src = "https://example.test/x.png";
      document.body.append(image);
      fetch("https://example.test/").catch(() => undefined);
    `);
    await page.waitForFunction("window.blocked.length === 3");
    assert.deepEqual(await page.evaluate("window.blocked.sort()"), [
      "connect-src",
      "img-src",
      "script-src-elem",
    ]);
    assert.equal(await page.evaluate("window.__hurt === undefined"), true);
    await page.context().close();
  });
});
