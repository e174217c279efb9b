import assert from "node:assert/strict";
import type { TurnEvent } from "../../src/agent/events.ts";
import { foreignEvents } from "../../src/trace/files/foreign-events.ts";
import { bufferSource } from "../../src/trace/files/source.ts";
import { otlpJson } from "../../src/trace/export/otlp/build.ts";
import type { PanelBed } from "../unit/trace/support/panel-bed.ts";
import { cacheTurn } from "../unit/trace/support/cache-turn.ts";
import { committeeTurn } from "../unit/trace/support/committee-turn.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { head, textOf } from "../unit/trace/files/support.ts";
import { seriousFindings } from "./support/axe.ts";
import { poisonedTurns } from "./support/corpus.ts";
import { useFixture } from "./support/fixture.ts";
import type { PanelPage } from "./support/panel-page.ts";
import { THEMES, type ThemeName } from "./support/themes.ts";

const SESSION = "00000000-0000-4000-8000-0000000000ee";

function turns(): readonly TurnEvent[] {
  const events: TurnEvent[] = [];
  const shared = { identity: new SteadyIdentity(Date.now() - 60_000), sessionId: SESSION };
  cacheTurn((event) => events.push(event), shared);
  committeeTurn((event) => events.push(event), shared);
  return events;
}

const sound = (): Buffer => Buffer.from(textOf([head({ sessionId: SESSION }), ...turns()]));

/** Unfolds all that can be unfolded, as often as something new is there. */
async function openEverything({ page }: PanelPage): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    const folded = page.locator("main [aria-expanded=false], aside [aria-expanded=false]");
    const count = Math.min(60, await folded.count());
    if (count === 0) return;
    for (let at = count - 1; at >= 0; at -= 1)
      await folded
        .nth(at)
        .click({ force: true, timeout: 2_000 })
        .catch(() => undefined);
  }
}

/** Nothing of the corpus is more than text, wherever it stands. */
async function assertInert(panel: PanelPage): Promise<void> {
  const { page } = panel;
  const foreign = await panel.evaluate<string[]>(
    `[...document.body.querySelectorAll(
      "img, script:not([nonce]), style, iframe, object, embed, form:not(.correction), meta, base, link, video, audio, math, foreignObject, template, marquee"
    )].map((e) => e.outerHTML.slice(0, 120))`,
  );
  assert.deepEqual(foreign, []);
  const handlers = await panel.evaluate<string[]>(
    `[...document.body.querySelectorAll("*")].flatMap((e) => e.getAttributeNames().filter((n) => n.startsWith("on") || n === "srcdoc" || n === "formaction"))`,
  );
  assert.deepEqual(handlers, []);
  const protocols = await panel.evaluate<string[]>(
    `[...new Set([...document.querySelectorAll("a[href]")].map((a) => a.protocol))]`,
  );
  assert.deepEqual(
    protocols.filter((one) => !["https:", "http:", "mailto:"].includes(one)),
    [],
  );
  const styles = await panel.evaluate<string[]>(
    `[...document.querySelectorAll("[style]")].map((e) => e.getAttribute("style")).filter((s) => /url\\(|expression|position: ?fixed|@import/.test(s))`,
  );
  assert.deepEqual(styles, []);
  assert.equal(await panel.evaluate("window.__hurt === undefined && ({}).__hurt === undefined"), true);
  assert.equal(await page.locator("body").isVisible(), true);
}

async function importInto(bed: PanelBed, text: string, name: string): Promise<void> {
  const from = await foreignEvents(bufferSource(Buffer.from(text)));
  const imported = await bed.log.adopt({ from, name, now: Date.now(), signal: new AbortController().signal });
  assert.ok(imported.ok, JSON.stringify(imported));
}

describe("panel: a trace file", () => {
  const fixture = useFixture();

  it("looks the same as one's own, but offers to import in place of asking", async () => {
    const panel = await fixture.open({ before: (bed) => bed.showFile(sound(), "tide-cache.conclave") });
    const { page } = panel;
    await page.locator(".cell-answer .markdown").waitFor();
    for (const theme of Object.keys(THEMES) as ThemeName[]) {
      await panel.setTheme(theme);
      await panel.picture(`file-${theme}`);
      assert.deepEqual(await seriousFindings(panel), [], theme);
    }
    assert.equal(await page.locator("textarea").count(), 0);
    assert.equal(await page.getByRole("switch").count(), 0);
    for (const name of ["New session", "Memory", "Good answer", "Ask again", "Select the chat model"])
      assert.equal(await page.getByRole("button", { name, exact: true }).count(), 0, name);
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByRole("button", { name: "Open as text" }).click();
    await page.getByRole("button", { name: "Export" }).click();
    assert.deepEqual(panel.bed.ran, ["import", "open_text", `export ${SESSION}`]);
    assert.deepEqual(panel.complaints, []);
  });

  it("has the views of tools, critic and memory too: what the file holds, and nothing to set", async () => {
    const events = [...turns()];
    const ended = events.find(({ type }) => type === "turn.end");
    assert.ok(ended);
    const grade: TurnEvent = {
      ...{ id: "aaaaaaaaaaaaaa01", parentId: ended.turnId, time: ended.time + 5_000, sessionId: SESSION },
      ...{ turnId: ended.turnId, agent: "critic", respondent: "A", type: "critique.result" },
      data: { score: 4, feedback: "It names its sources.", "gen_ai.request.model": "judge:8b" },
    };
    const bytes = Buffer.from(textOf([head({ sessionId: SESSION }), ...events, grade]));
    const panel = await fixture.open({ before: (bed) => bed.showFile(bytes) });
    const { page } = panel;
    await page.locator(".cell-answer .markdown").waitFor();
    await page.getByRole("button", { name: "Tools in this file" }).click();
    await page.getByRole("row", { name: /^search_memory 7 0/ }).waitFor();
    assert.equal(await page.getByText("there is no such tool").count(), 0);
    await panel.picture("file-tools");
    assert.deepEqual(await seriousFindings(panel), [], "tools");
    await page.getByRole("button", { name: "search_memory" }).click();
    await page.locator(".activity-row").nth(6).waitFor();
    assert.deepEqual(await page.getByRole("tab").allInnerTexts(), ["Activity"]);
    await panel.picture("file-tool");
    await page.getByRole("button", { name: "Critic in this file" }).click();
    await page.locator(".activity-row", { hasText: "It names its sources." }).click();
    await page.getByRole("button", { name: "Show the turn" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Correct the grade" }).count(), 0);
    await panel.picture("file-critic");
    assert.deepEqual(await seriousFindings(panel), [], "critic");
    await page.getByRole("button", { name: "Memory in this file" }).click();
    await page.getByRole("searchbox", { name: "Filter turns with memory" }).waitFor();
    await page.getByText("The turns of this file hold none.").waitFor();
    await panel.picture("file-memory");
    assert.deepEqual(await seriousFindings(panel), [], "memory");
    assert.deepEqual(panel.complaints, []);
  });

  it("says so in its views where it holds nothing of the kind", async () => {
    const panel = await fixture.open({ before: (bed) => bed.showFile(sound()) });
    const { page } = panel;
    await page.locator(".cell-answer .markdown").waitFor();
    await page.getByRole("button", { name: "Critic in this file" }).click();
    await page.getByText("The turns of this file hold none.").waitFor();
  });

  it("fits where it is narrow", async () => {
    const panel = await fixture.open({
      width: 420,
      before: (bed) => bed.showFile(sound(), `${"a-very-long-name-".repeat(8)}.conclave`),
    });
    await panel.page.locator(".cell-answer .markdown").waitFor();
    await panel.picture("file-narrow");
    const over = await panel.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    assert.equal(over, 0);
    assert.ok(await panel.page.getByRole("button", { name: "Import" }).isVisible());
  });

  it("says what could not be taken of it", async () => {
    const text = `${head({ sessionId: SESSION, schema: 9 })}\nnonsense\n${textOf(turns())}{"type":"turn.end"}\n`;
    const panel = await fixture.open({ before: (bed) => bed.showFile(Buffer.from(text)) });
    const { page } = panel;
    await page.locator(".cell-answer .markdown").waitFor();
    await page.getByText("3 notes on this file").click();
    await page.getByText("written by a newer version").waitFor();
    await page.getByText(/^Line 2 is not JSON/).waitFor();
    await panel.picture("file-notes");
    assert.deepEqual(await seriousFindings(panel), []);
  });

  it("that is none says so, and still opens as text", async () => {
    const panel = await fixture.open({
      before: (bed) => bed.showFile(Buffer.from("# A page\n\nOf words.\n"), "page.conclave"),
    });
    const { page } = panel;
    await page.getByRole("heading", { name: "page.conclave holds no trace" }).waitFor();
    await panel.picture("file-foreign");
    assert.equal(await page.getByRole("button", { name: "Import" }).isDisabled(), true);
    await page.getByRole("button", { name: "Open as text" }).click();
    assert.deepEqual(panel.bed.ran, ["open_text"]);
    assert.deepEqual(await seriousFindings(panel), []);
  });

  it("shows the turn again that was chosen before the editor was hidden", async () => {
    const panel = await fixture.open({ before: (bed) => bed.showFile(sound()) });
    const { page } = panel;
    await page.locator(".cell-answer .markdown").waitFor();
    await page.locator(".rows [role=option]").nth(1).click();
    await page.locator(".cell-round").first().waitFor();
    panel.bed.host.sleep();
    await page.reload();
    await page.locator(".cell-round").first().waitFor();
  });
});

describe("panel: hostile traces", () => {
  const fixture = useFixture();

  it("are text in every place of a file's view: nothing runs, loads, or is said to the host", async () => {
    const panel = await fixture.open({
      before: (bed) =>
        bed.showFile(
          Buffer.from(textOf([head({ sessionId: SESSION }), ...poisonedTurns()])),
          `<img src=x onerror=window.__hurt=true>[x](command:a).conclave`,
        ),
    });
    const { page } = panel;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.locator(".cell-answer").first().waitFor();
    for (const at of [0, 1]) {
      await page.locator(".rows [role=option]").nth(at).click();
      await page.locator(".cell-answer").first().waitFor();
      await openEverything(panel);
      await assertInert(panel);
    }
    await panel.picture("file-hostile");
    assert.deepEqual(requests, []);
    const said = new Set(panel.said.map(({ type }) => type));
    for (const type of ["action", "ask", "toggle", "delete_session", "feedback"])
      assert.ok(!said.has(type), type);
    assert.deepEqual(panel.bed.ran, []);
    assert.deepEqual(panel.bed.opened, []);
    assert.deepEqual(panel.complaints, []);
  });

  it("are text once they are imported too, as a log and as spans, and their links ask first", async () => {
    const name = `"><img src=x onerror=window.__hurt=true>.conclave`;
    const panel = await fixture.open({
      before: async (bed) => {
        await importInto(bed, textOf([head({ sessionId: SESSION }), ...poisonedTurns()]), name);
        await importInto(bed, otlpJson(poisonedTurns()), "spans.json");
        bed.answerConfirm = false;
      },
    });
    const { page } = panel;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const options = page.locator(".rows [role=option]");
    await options.first().waitFor();
    assert.equal(await options.count(), 4);
    for (let at = 0; at < 4; at += 1) {
      await options.nth(at).click();
      await page.locator(".cell-answer").first().waitFor();
      await openEverything(panel);
      await assertInert(panel);
    }
    await panel.picture("imported-hostile");
    for (const link of (await page.locator("main a[href]").all()).slice(0, 5))
      await link.click({ force: true });
    assert.ok(panel.bed.confirmed.length > 0);
    assert.deepEqual([panel.bed.opened, requests, panel.bed.ran], [[], [], []]);
  });

  it("name the file that they came from in the turn's head", async () => {
    const panel = await fixture.open({
      before: (bed) => importInto(bed, sound().toString(), "from-a-friend.conclave"),
    });
    await panel.page.locator(".rows [role=option]").first().click();
    await panel.page.locator("header").getByText("from from-a-friend.conclave").waitFor();
    await panel.picture("imported");
    assert.deepEqual(await seriousFindings(panel), []);
  });
});

describe("panel: deleting a session from the list", () => {
  const fixture = useFixture();

  it("is asked of the host by the Delete key, for the session of the chosen turn", async () => {
    const panel = await fixture.open({ before: (bed) => importInto(bed, sound().toString(), "a.conclave") });
    const { page } = panel;
    await page.locator(".rows [role=option]").first().click();
    await page.locator(".rows").focus();
    await page.keyboard.press("Delete");
    await panel.until("true");
    const asked = panel.said.filter(({ type }) => type === "delete_session");
    assert.equal(asked.length, 1);
  });
});
