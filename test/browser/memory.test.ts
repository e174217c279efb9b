import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import { openMemory, withMemories } from "./support/memories.ts";
import type { PanelPage } from "./support/panel-page.ts";
import { withCacheTurn } from "./support/turns.ts";

/** Waits until something that the host did is so. */
async function until(look: () => boolean): Promise<void> {
  while (!look()) await new Promise(setImmediate);
}

describe("panel: memory", () => {
  const fixture = useFixture();

  async function tab(panel: PanelPage, name: string): Promise<void> {
    await panel.page.getByRole("tab", { name }).click();
    await panel.page.getByRole("row").nth(2).waitFor();
  }

  it("shows every table under a tab of its own, with the columns that fit", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    const { page } = panel;
    await openMemory(panel);
    const heads = () => page.getByRole("columnheader").allInnerTexts();
    for (const head of ["Age", "Query", "Respondent", "Score", "Sentiment", "Winner"])
      assert.ok(
        (await heads()).some((text) => text.includes(head)),
        head,
      );
    await panel.picture("memory");
    for (const [name, count] of [
      ["Facts", "24 facts"],
      ["People", "5 names"],
      ["Relationships", "3 relationships"],
      ["Resources", "3 resources"],
      ["Moments", "6 moments"],
    ] as const) {
      await tab(panel, name);
      await page.getByText(count, { exact: true }).waitFor();
      assert.equal(await page.getByRole("grid").getAttribute("aria-label"), name.toLowerCase());
    }
    await page.setViewportSize({ width: 320, height: 700 });
    await tab(panel, "Episodes");
    await panel.until(`document.querySelectorAll("[role=columnheader]").length === 4`);
    assert.equal(await panel.evaluate(`document.documentElement.scrollWidth > innerWidth`), false);
    await panel.picture("memory-320");
    assert.deepEqual(panel.complaints, []);
  });

  it("sorts by a column's head, one way and the other, and filters while one types", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    const { page, bed } = panel;
    await openMemory(panel);
    await tab(panel, "Facts");
    const head = page.getByRole("columnheader", { name: "Confidence" });
    await head.click();
    await panel.until(`document.querySelector("[aria-sort=descending]")?.textContent.includes("Confidence")`);
    await head.click();
    await panel.until(`document.querySelector("[aria-sort=ascending]")?.textContent.includes("Confidence")`);
    await panel.until(`document.querySelector(".memory-row .share")?.textContent === "0.55"`);
    await page.getByRole("searchbox", { name: "Filter facts" }).pressSequentially("mira sister");
    await page.getByText("4 facts", { exact: true }).waitFor();
    assert.equal(bed.memory.asked.at(-1)?.filter, "mira sister");
    await page.getByRole("searchbox", { name: "Filter facts" }).fill("zanzibar");
    await page.getByText("Nothing matches.").waitFor();
  });

  it("narrows to the workspace and to what holds, where that makes a difference", async () => {
    const panel = await fixture.open({
      before: (bed) => {
        bed.scopes = ["here"];
        withMemories(bed);
      },
    });
    const { page } = panel;
    await openMemory(panel);
    await tab(panel, "Facts");
    await page.getByRole("switch", { name: "Only what holds" }).click();
    await page.getByText("18 facts").waitFor();
    await page.getByRole("switch", { name: "This workspace" }).click();
    await page.getByText("12 facts").waitFor();
  });

  it("says why an episode was recalled: a sentence, and the parts as bars with plain words", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    const { page, bed } = panel;
    bed.memory.dropped = 7;
    await openMemory(panel);
    await page.getByRole("switch", { name: "Ranked" }).click();
    await page.getByRole("searchbox", { name: "What should be recalled" }).fill("cache decision redis");
    await page.getByText("50 of 60 recalled · 7 left out as off the topic").waitFor();
    await page.locator(".memory-row .main").first().click();
    const why = page.getByRole("region", { name: "Why recalled" });
    await why.waitFor();
    const words = await why.innerText();
    assert.match(words, /Recalled because it shares words with what was asked/);
    assert.match(words, /lifted by its good grade \(critic 5\/5, \+0\.10\) and being recent \(\+0\.02\)\./);
    for (const word of ["text", "meaning", "relevance", "grade", "age", "value"])
      assert.match(words, new RegExp(`\\b${word}\\b`));
    await panel.picture("memory-ranked");
  });

  it("opens a row with all that it holds, and the turn that it comes from", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        withMemories(bed);
        const { sessionId, turnId } = await withCacheTurn(bed);
        const source = { sessionId, turnId, time: 1 };
        const [first, ...others] = bed.memory.rows.facts;
        bed.memory.rows = { ...bed.memory.rows, facts: [{ ...first!, source }, ...others] };
      },
    });
    const { page } = panel;
    await openMemory(panel);
    await tab(panel, "Facts");
    await page.locator(".memory-row .main").first().click();
    const fields = page.locator(".memory-fields");
    await fields.waitFor();
    const words = await fields.innerText();
    for (const word of ["belongs to", "holds since", "learnt by", "“we keep it for ten minutes”"])
      assert.ok(words.includes(word), word);
    await page.getByRole("link", { name: "Open the turn" }).click();
    await page.locator(".cell-answer .markdown").waitFor();
    assert.equal(await page.locator(".memory").count(), 0);
  });

  it("keeps an episode's answer in the user's own words, and what was said beside it", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    const { page, bed } = panel;
    await openMemory(panel);
    await page.locator(".memory-row .main").first().click();
    await page.getByRole("button", { name: "Edit: Answer" }).click();
    const field = page.getByRole("textbox", { name: "Answer" });
    await field.fill("LRU, but for one minute.");
    await field.press("Control+Enter");
    await page.getByText("Answer, in your own words").waitFor();
    const { id } = bed.memory.episodes[0]!;
    assert.deepEqual(bed.memory.edits, [{ table: "episodes", id, answer: "LRU, but for one minute." }]);
    await page.getByText("As it was said").click();
    await page.getByText("LRU in process, ten minutes").last().waitFor();
  });

  it("edits a long text whole, although its line shows the beginning only", async () => {
    const text = `It began ${"and went on ".repeat(60)}and ended.`;
    const panel = await fixture.open({
      before: (bed) => {
        withMemories(bed);
        const [first, ...others] = bed.memory.rows.facts;
        bed.memory.rows = { ...bed.memory.rows, facts: [{ ...first!, text }, ...others] };
      },
    });
    const { page } = panel;
    await openMemory(panel);
    await tab(panel, "Facts");
    await page.getByRole("grid").focus();
    await page.keyboard.press("F2");
    const field = page.getByRole("textbox", { name: "Fact" });
    await field.waitFor();
    assert.equal(await field.inputValue(), text);
  });

  it("keeps what was written when it is refused, and says why", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    const { page, bed } = panel;
    await openMemory(panel);
    await tab(panel, "Facts");
    await page.locator(".memory-row .main").first().click();
    await page.getByRole("button", { name: "Edit: confidence" }).click();
    const field = page.getByRole("textbox", { name: "Confidence" });
    await field.fill("very");
    await field.press("Enter");
    await page.getByText("Write a number from 0 to 1.").waitFor();
    assert.equal(await field.inputValue(), "very");
    assert.deepEqual(bed.memory.edits, []);
    await field.fill("0,7");
    await field.press("Enter");
    await until(() => bed.memory.edits.length === 1);
    assert.equal(bed.memory.rows.facts[0]?.confidence, 0.7);
  });

  it("pins, and says that a fact no longer holds", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    const { page, bed } = panel;
    await openMemory(panel);
    await tab(panel, "Facts");
    await page.locator(".memory-row .main").first().click();
    await page.getByRole("button", { name: "Pin", exact: true }).click();
    await page.getByRole("button", { name: "Unpin" }).waitFor();
    assert.equal(bed.memory.rows.facts[0]?.pinned, true);
    await page.getByRole("button", { name: "It no longer holds" }).click();
    await until(() => bed.memory.edits.length === 2);
    assert.deepEqual(bed.memory.edits[1], { table: "facts", id: bed.memory.rows.facts[0].id, holds: false });
  });

  it("forgets several at once and all about a name, each after a question that names them", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    const { page, bed } = panel;
    await openMemory(panel);
    await tab(panel, "Facts");
    const rows = page.locator(".memory-row");
    await rows.nth(0).locator("input").click();
    await rows
      .nth(3)
      .locator("[role=gridcell]")
      .nth(1)
      .click({ modifiers: ["Shift"] });
    await page.getByText("4 selected").waitFor();
    await page.getByRole("button", { name: "Forget", exact: true }).click();
    await page.getByText("Forgotten: 4 facts.").waitFor();
    await page.getByText("20 facts").waitFor();
    assert.match(bed.confirmed[0] ?? "", /^Forget 4 facts for good\?/);
    await page.getByRole("button", { name: "Forget all about" }).click();
    await page.getByRole("textbox", { name: "Forget all about" }).fill("Jonas");
    await page.keyboard.press("Enter");
    await until(() => bed.confirmed.length === 2);
    assert.match(bed.confirmed[1] ?? "", /1 name and 2 relationships/);
    await page.getByText(/^Forgotten: .*2 relationships\.$/).waitFor();
  });

  it("exports and imports with the rows counted while it happens, and stops when asked to", async () => {
    let gates: (() => void)[] = [];
    const panel = await fixture.open({
      before: (bed) => {
        withMemories(bed, 200);
        bed.file = join(bed.folder, "memory.jsonl");
      },
    });
    const { page, bed } = panel;
    await openMemory(panel);
    await page.getByRole("button", { name: "Export memory" }).click();
    await page.getByText(/^Exported 241 rows to /).waitFor();
    assert.equal((await readFile(bed.file!, "utf8")).trimEnd().split("\n").length, 241);
    bed.memory.gate = () => new Promise((resolve) => gates.push(resolve));
    await page.getByRole("button", { name: "Import memory" }).click();
    await page.getByText("Importing").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await until(() => panel.said.some(({ type }) => type === "memory.cancel"));
    for (const open of gates) open();
    gates = [];
    await page.getByText("Cancelled.").waitFor();
  });

  it("says what is off when there is no store, with the button that mends it", async () => {
    const panel = await fixture.open({
      before: (bed) => {
        bed.memory.failure = {
          code: "memory_unavailable",
          message: "Memory is off. Turn it on to use it.",
          action: "open_settings",
        };
      },
    });
    const { page, bed } = panel;
    await page.getByRole("button", { name: "Memory", exact: true }).click();
    await page.getByText("Memory is off. Turn it on to use it.").waitFor();
    await page.getByRole("button", { name: "Open settings" }).click();
    await until(() => bed.ran.length === 1);
    assert.equal(await page.getByText("Nothing is remembered yet").count(), 0);
  });

  it("keeps the turn readable while the store is away, and shows the rows once it is back", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        withMemories(bed);
        await withCacheTurn(bed);
        bed.memory.failure = { code: "memory_unavailable", message: "The store does not answer." };
      },
    });
    const { page, bed } = panel;
    const memory = page.getByRole("button", { name: "Memory", exact: true });
    await memory.click();
    await page.getByText("The store does not answer.").waitFor();
    assert.deepEqual(await seriousFindings(panel), []);
    await panel.picture("memory-offline");
    await page.locator(".rows [role=option]").first().click();
    await page.locator(".cell-answer .markdown").waitFor();
    // What the turn recalled stands in its trace, whether or not the store is there.
    await page.locator(".recalled tbody tr").first().waitFor();
    bed.memory.failure = undefined;
    await memory.click();
    await page.locator(".memory-row .main").first().waitFor();
    assert.equal(await page.getByText("The store does not answer.").count(), 0);
    assert.deepEqual(panel.complaints, []);
  });

  it("shows what is remembered as text, whatever it holds", async () => {
    const nasty = `<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3))`;
    const panel = await fixture.open({
      before: (bed) => {
        withMemories(bed, 3);
        bed.memory.episodes = bed.memory.episodes.map((row) => ({
          ...row,
          question: nasty,
          answer: nasty,
          agent: nasty,
          sources: [{ uri: "javascript:alert(4)", title: nasty }],
        }));
      },
    });
    const { page, bed } = panel;
    await openMemory(panel);
    await page.locator(".memory-row .main").first().click();
    await page.locator(".memory-fields").waitFor();
    assert.equal(await page.locator(".memory img, .memory script").count(), 0);
    await page.locator(".sources a").click();
    await until(() => panel.said.some(({ type }) => type === "link"));
    assert.deepEqual([bed.opened, panel.complaints], [[], []]);
  });
});
