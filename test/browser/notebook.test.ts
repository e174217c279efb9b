import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type { AxeResults } from "axe-core";
import type { Browser } from "playwright-core";
import type { TurnEvent } from "../../src/agent/events.ts";
import { committeeTurn } from "../unit/trace/support/committee-turn.ts";
import { answered } from "../unit/trace/notebook/read.ts";
import { launchBrowser } from "./support/browser.ts";
import { cache, gathered, outputOf } from "./support/notebook-outputs.ts";
import { buildRenderer, NotebookPage, serveRenderer } from "./support/notebook-page.ts";
import { CORPUS } from "./support/corpus.ts";
import type { ThemeName } from "./support/themes.ts";

/** Of VS Code's page of outputs, ours must stay a small part. In bytes, as gzip packs it. */
const SIZE_LIMIT = 60 * 1024;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe("a turn in a notebook's output", () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serveRenderer>>;
  let opened: NotebookPage[] = [];

  before(async () => {
    server = await serveRenderer();
    browser = await launchBrowser();
  });

  afterEach(async () => {
    for (const page of opened) await page.close();
    opened = [];
  });

  after(async () => {
    await browser.close();
    await server.close();
  });

  async function open(
    options: { readonly theme?: ThemeName; readonly width?: number } = {},
  ): Promise<NotebookPage> {
    const page = await NotebookPage.open(browser, server.url, options);
    opened.push(page);
    return page;
  }

  it("is a line for each step, all folded, then the answer and what it cost", async () => {
    const { page, complaints, draw } = await opening(open());
    await draw(outputOf(cache()));
    const heads = page.locator("button.head");
    assert.ok((await heads.count()) >= 4);
    for (const head of await heads.all()) assert.equal(await head.getAttribute("aria-expanded"), "false");
    assert.equal(await page.locator(".body").count(), 0, "something was drawn that nobody opened");
    assert.match(await page.locator(".answer").innerText(), /LRU/);
    assert.match(await page.locator(".standing").innerText(), /answered in .*tokens in/);
    assert.deepEqual(complaints, []);
  });

  it("says over the sources that they are sources, and how many views a round has", async () => {
    const { page, draw } = await opening(open());
    const sources = [{ uri: "https://docs.example.org/cache", title: "Cache invalidation" }];
    const sourced = cache().map((event) =>
      event.type === "answer.dialog"
        ? { ...event, data: { ...event.data, "conclave.sources": sources } }
        : event,
    );
    await draw(outputOf(sourced));
    await page.locator(".label", { hasText: "Sources" }).waitFor();
    assert.deepEqual(await page.locator(".sources li").allInnerTexts(), ["Cache invalidation"]);
    const events = gathered(committeeTurn);
    const second = events.filter(({ type }) => type === "agent.start")[1];
    assert.ok(second);
    await draw(outputOf(events.slice(0, events.indexOf(second)), { running: true }), "committee");
    assert.match(
      await page.locator("#committee button.head", { hasText: "Round 1" }).innerText(),
      /1 view(?!s)/,
    );
  });

  it("opens a line to what was thought, asked, given, recalled and why", async () => {
    const { page, draw, picture } = await opening(open());
    await draw(outputOf(cache()));
    for (const head of await page.locator("button.head").all()) await head.click();
    await page.getByText("The user wants to know about the cache").last().waitFor();
    await page.getByText("Why recalled").waitFor();
    assert.equal(await page.locator(".score").count(), 2);
    await page.getByText("Result, as the model was given it").first().waitFor();
    await picture("notebook-open");
  });

  it("looks right in every theme, wide and narrow, and axe finds nothing serious in any", async function () {
    this.timeout(240_000);
    const shown = await open();
    await shown.page.evaluate(AXE);
    await shown.draw(outputOf(cache()));
    await shown.draw(outputOf(gathered(committeeTurn)), "committee");
    for (const head of await shown.page.locator("button.head").all()) await head.click();
    for (const theme of ["dark", "light", "hc-dark", "hc-light"] as const) {
      await shown.setTheme(theme);
      for (const width of [1_400, 420]) {
        await shown.page.setViewportSize({ width, height: 700 });
        await shown.picture(`notebook-${theme}-${width}`);
        const { violations } = await shown.page.evaluate<AxeResults>("axe.run(document, { preload: false })");
        const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        assert.deepEqual(
          serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`),
          [],
          `${theme} at ${width}`,
        );
      }
    }
  });

  it("fits a narrow column: nothing stands out of it", async () => {
    const shown = await open({ width: 420 });
    await shown.draw(outputOf(cache()));
    for (const head of await shown.page.locator("button.head").all()) await head.click();
    await shown.picture("notebook-narrow");
    const over = await shown.page.evaluate<number>(
      "document.documentElement.scrollWidth - window.innerWidth",
    );
    assert.ok(over <= 0, `${over} px too wide`);
  });

  it("is gone through by the keys of the panel, and by Tab", async () => {
    const { page, draw } = await opening(open());
    await draw(outputOf(cache()));
    const focused = (): Promise<string> =>
      page.evaluate<string>(
        `document.getElementById("output").shadowRoot.activeElement?.querySelector(".what")?.textContent ?? ""`,
      );
    await page.locator("button.head").first().focus();
    const first = await focused();
    await page.keyboard.press("ArrowDown");
    const second = await focused();
    assert.notEqual(second, first);
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator(".body").count(), 1);
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator(".body").count(), 1, "it was folded again");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.locator(".body").count(), 0);
    await page.keyboard.press("Home");
    assert.equal(await focused(), first);
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".body").count(), 1);
  });

  it("keeps its open lines and its focus while the turn goes on, and what was drawn is taken away when it is gone", async () => {
    const { page, draw } = await opening(open());
    const events = cache().filter(({ type }) => type !== "model.delta");
    const half = events.findIndex(({ type }) => type === "tool.result") + 1;
    await draw(outputOf(events.slice(0, half), { running: true }));
    await page.locator("button.head").first().click();
    await page.getByText("running", { exact: true }).first().waitFor();
    await draw(outputOf(events));
    await page.locator(".answer").waitFor();
    assert.equal(await page.locator("button.head").first().getAttribute("aria-expanded"), "true");
    await page.evaluate(`document.getElementById("output").remove()`);
    await draw(outputOf(events));
    assert.equal(await page.locator("button.head").first().getAttribute("aria-expanded"), "true");
    await page.evaluate(`window.__dispose("output")`);
    assert.equal(await page.locator("section.turn").count(), 0);
  });

  it("is a committee's rounds, members and what stands beside the synthesis, folded", async () => {
    const { page, draw } = await opening(open());
    await draw(outputOf(gathered(committeeTurn)));
    const round = page.locator("button.head", { hasText: "Round 1" });
    await round.click();
    const members = await page.locator(".depth-1 > button.head .what").allInnerTexts();
    assert.ok(members.length >= 2, members.join());
    await page.locator("button.head", { hasText: "Committee" }).click();
    await page
      .getByText(/Best single answer|Majority|Another view/)
      .first()
      .waitFor();
  });

  it("says how a turn failed, was cancelled or was cut off, in words", async () => {
    const { page, draw } = await opening(open());
    const events = answered("How many masts?", "Two.", 1);
    const error = {
      code: "server_unreachable",
      message: "Ollama is not running at 127.0.0.1. Start it.",
    } as const;
    const failed = events
      .filter(({ type }) => type !== "answer.dialog" && type !== "response.generation")
      .map((event) =>
        event.type === "turn.end"
          ? { ...event, data: { ...event.data, outcome: "failed" as const, error } }
          : event,
      );
    await draw(outputOf(failed));
    await page.locator(".failure", { hasText: "Ollama is not running" }).waitFor();
    await draw(outputOf(events.slice(0, 6)));
    await page.locator(".standing", { hasText: "interrupted" }).waitFor();
  });

  it("says what was cut, and of an edited question the words it was asked with", async () => {
    const { page, draw } = await opening(open());
    const events = cache().map((event) =>
      event.type === "tool.result"
        ? { ...event, data: { ...event.data, result: "long ".repeat(20_000) } }
        : event,
    );
    await draw(outputOf(events, { asked: "Another question?" }));
    await page.getByText("Asked with other words: Another question?").waitFor();
    await page.locator("button.head", { hasText: "web_fetch" }).click();
    await page.getByText(/The beginning of 100,000 characters\./).waitFor();
  });

  it("draws untrusted text as text: nothing runs, nothing is loaded, links are http(s) or mailto", async () => {
    const shown = await open();
    const hostile = CORPUS.join("\n\n");
    const events = cache().map((event): TurnEvent => {
      if (event.type === "answer.dialog") return { ...event, data: { ...event.data, answer: hostile } };
      if (event.type === "response.generation") return { ...event, data: { ...event.data, answer: hostile } };
      if (event.type === "tool.result") return { ...event, data: { ...event.data, result: hostile } };
      if (event.type === "tool.request") return { ...event, data: { ...event.data, name: CORPUS[0] ?? "" } };
      if (event.type === "model.end")
        return {
          ...event,
          data: {
            ...event.data,
            thinking: hostile,
            content: hostile,
            "gen_ai.response.model": CORPUS[2] ?? "",
          },
        };
      return event;
    });
    await shown.draw(outputOf(events, { asked: CORPUS[0] ?? "" }));
    for (const head of await shown.page.locator("button.head").all()) await head.click();
    const found = await shown.page.evaluate<{
      tags: string[];
      attributes: string[];
      protocols: string[];
      hurt: boolean;
    }>(`(() => {
      const all = [...document.getElementById("output").shadowRoot.querySelectorAll("*")];
      return {
        tags: [...new Set(all.map((e) => e.localName))],
        attributes: [...new Set(all.flatMap((e) => e.getAttributeNames()))],
        protocols: [...new Set(all.filter((e) => e.localName === "a").map((a) => a.protocol))],
        hurt: window.__hurt !== undefined,
      };
    })()`);
    for (const tag of ["img", "style", "script", "iframe", "form", "input", "meta", "base", "math", "object"])
      assert.ok(!found.tags.includes(tag), tag);
    assert.deepEqual(
      found.attributes.filter((name) => name.startsWith("on") || name === "srcdoc"),
      [],
    );
    assert.deepEqual(
      found.protocols.filter((one) => !["https:", "http:", "mailto:", ":"].includes(one)),
      [],
    );
    assert.equal(found.hurt, false);
    assert.deepEqual([shown.requests, shown.complaints], [[], []]);
    await shown.picture("notebook-untrusted");
  });

  it("says so when an output is damaged, of a newer version, or not what it says it is", async () => {
    const shown = await open();
    const sound = outputOf(cache());
    const damaged: readonly (object | string)[] = [
      "{ half",
      "null",
      { version: 99, events: [] },
      { ...sound, events: sound.events.map(({ event, cuts }) => ({ event: { ...event, data: {} }, cuts })) },
      {
        ...sound,
        events: sound.events.map(({ event, cuts }) => ({
          event: {
            ...event,
            agent: { a: 1 },
            data: { ...event.data, name: { b: 2 }, content: [3], answer: 4, query: {} },
          },
          cuts,
        })),
      },
    ];
    for (const [at, value] of damaged.entries()) {
      await shown.draw(value, `damaged-${at}`);
      const text = await shown.page.evaluate<string>(
        `document.getElementById("damaged-${at}").shadowRoot.textContent`,
      );
      assert.ok(text.length > 0, `nothing was drawn of ${JSON.stringify(value).slice(0, 60)}`);
    }
    await shown.draw(sound, "sound");
    assert.ok((await shown.page.locator("#sound button.head").count()) > 0);
    assert.deepEqual(shown.complaints, []);
  });

  it("is drawn by a small script", async () => {
    const { length } = gzipSync(await buildRenderer());
    assert.ok(length < SIZE_LIMIT, `${length} bytes`);
  });
});

/** A page with its methods ready to be called apart from it. */
async function opening(page: Promise<NotebookPage>) {
  const shown = await page;
  return {
    page: shown.page,
    complaints: shown.complaints,
    draw: (value: object, id?: string) => shown.draw(value, id),
    picture: (name: string) => shown.picture(name),
  };
}
