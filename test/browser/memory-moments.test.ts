import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Moment } from "../../src/agent/memory/types.ts";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import { moments, openMemory, withMemories } from "./support/memories.ts";
import type { PanelPage } from "./support/panel-page.ts";
import { SAVED } from "./support/saved.ts";
import { QUESTION, withCacheTurn } from "./support/turns.ts";

/** The day of a time, as a field for days takes it; the page is in UTC. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

describe("panel: moments", () => {
  const fixture = useFixture();

  async function openMoments(
    kept: readonly Moment[] = moments(6),
    more: { readonly theme?: "dark" | "light"; readonly width?: number } = {},
  ): Promise<PanelPage> {
    const panel = await fixture.open({
      ...more,
      before: (bed) => {
        bed.scopes = ["here"];
        bed.place = "harbour-app";
        withMemories(bed, 3);
        bed.memory.rows = { ...bed.memory.rows, moments: kept };
      },
    });
    await openMemory(panel);
    await panel.page.getByRole("tab", { name: "Moments" }).click();
    await panel.page.locator(".memory-row .main").first().waitFor();
    return panel;
  }

  const texts = (panel: PanelPage) => panel.page.locator(".memory-row .main .text").allInnerTexts();

  it("stand in a table of their own: when, title, text, agent, session, scope; in a narrow one when and title", async () => {
    const panel = await openMoments();
    const { page } = panel;
    const heads = await page.getByRole("columnheader").allInnerTexts();
    assert.deepEqual(
      heads.map((head) => head.trim()),
      ["", "When", "Title", "Text", "Agent", "Session", "Scope", "Pin"],
    );
    const row = await page.locator(".memory-row").nth(1).innerText();
    for (const word of [
      "The red boat moved",
      "It lies there until",
      "conclave",
      "00000000",
      "everywhere",
      "pinned",
    ])
      assert.ok(row.includes(word), word);
    await page.locator(".memory-row").first().getByText("harbour-app").waitFor();
    await panel.picture("memory-moments");
    await page.setViewportSize({ width: 320, height: 700 });
    await panel.until(`document.querySelectorAll("[role=columnheader]").length === 4`);
    assert.equal(await panel.evaluate(`document.documentElement.scrollWidth > innerWidth`), false);
    await panel.picture("memory-moments-320");
    assert.deepEqual(panel.complaints, []);
  });

  it("are sorted by time, and filtered by words and by days", async () => {
    const panel = await openMoments();
    const { page, bed } = panel;
    await page.getByRole("columnheader", { name: "When" }).click();
    await panel.until(`document.querySelector("[aria-sort=ascending]")?.textContent.includes("When")`);
    await panel.until(`document.querySelector(".memory-row .main").textContent.includes("(5)")`);
    await page.getByRole("searchbox", { name: "Filter moments" }).fill("boat pier");
    await page.getByText("2 moments", { exact: true }).waitFor();
    const second = bed.memory.rows.moments[1]!;
    const before = dayOf(second.from - 36 * 3_600_000);
    await page.getByLabel("From").fill(dayOf(second.to));
    await page.getByText("1 moment", { exact: true }).waitFor();
    assert.deepEqual(await texts(panel), [second.title]);
    await page.getByLabel("To", { exact: true }).fill(before);
    await page.getByText("Nothing matches.").waitFor();
    await page.getByLabel("From").fill("");
    await page.getByText("1 moment", { exact: true }).waitFor();
    await panel.until(`${SAVED}?.memory.tabs.moments.days.to === "${before}"`);
    await panel.until(`${SAVED}?.memory.tabs.moments.days.from === ""`);
    await page.reload();
    await page.getByText("1 moment", { exact: true }).waitFor();
    assert.equal(await page.getByLabel("To", { exact: true }).inputValue(), before);
  });

  it("open to the whole text, and lead to the turn they were kept in and to those they tell of", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        withMemories(bed, 3);
        const { sessionId, turnId } = await withCacheTurn(bed);
        const [first, ...others] = moments(6);
        const text = "It began.\n".repeat(80) + "It ended.";
        bed.memory.rows.moments = [{ ...first!, text, turns: [{ sessionId, turnId }] }, ...others];
      },
    });
    const { page } = panel;
    await openMemory(panel);
    await page.getByRole("tab", { name: "Moments" }).click();
    await page.locator(".memory-row .main").first().click();
    await page.getByText("It ended.").waitFor();
    const fields = await page.locator(".memory-fields").innerText();
    for (const word of ["kept by", "conclave", "scope"]) assert.ok(fields.includes(word), word);
    await page.getByRole("link", { name: "Open the turn" }).waitFor();
    await panel.picture("memory-moments-open");
    await page.getByRole("link", { name: QUESTION }).click();
    await page.locator(".cell-answer .markdown").waitFor();
    assert.equal(await page.locator(".memory").count(), 0);
  });

  it("are edited: the title in its cell, a text of many lines in the open row", async () => {
    const panel = await openMoments();
    const { page, bed } = panel;
    const { id } = bed.memory.rows.moments[0]!;
    await page.getByRole("grid").focus();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "Title" }).fill("No Redis for now");
    await page.keyboard.press("Enter");
    await page.getByText("No Redis for now").first().waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const field = page.locator(".memory-open").getByRole("textbox", { name: "Text" });
    await field.fill("One node.\nTen minutes.");
    await field.press("Control+Enter");
    await page.locator(".memory-open pre").getByText("Ten minutes.").waitFor();
    assert.deepEqual(bed.memory.edits, [
      { table: "moments", id, title: "No Redis for now" },
      { table: "moments", id, text: "One node.\nTen minutes." },
    ]);
    await page.getByRole("grid").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("F2");
    const title = page.locator(".memory-open").getByRole("textbox", { name: "Title" });
    await title.fill("t".repeat(201));
    await title.press("Enter");
    await page.getByText("It is too long: at most 200 characters.").waitFor();
  });

  it("are pinned, exported and forgotten: one, some, and all that match, each after a question", async () => {
    const panel = await openMoments(moments(450));
    const { page, bed } = panel;
    bed.file = join(bed.folder, "moments.jsonl");
    await page.locator(".memory-row .main").first().click();
    await page.getByRole("button", { name: "Pin", exact: true }).click();
    await page.getByRole("button", { name: "Unpin" }).waitFor();
    await page.locator(".memory-open").getByRole("button", { name: "Forget", exact: true }).click();
    await page.getByText("Forgotten: 1 moment.").waitFor();
    await page.getByText("449 moments", { exact: true }).waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText("2 selected").waitFor();
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByText(/^Exported 2 moments to /).waitFor();
    assert.equal((await readFile(bed.file, "utf8")).trimEnd().split("\n").length, 2);
    await page.keyboard.press("Delete");
    await page.getByRole("grid").focus();
    await page.keyboard.press("Delete");
    await page.getByText("447 moments", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "Select all that match" }).click();
    await page.getByText("447 selected", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Forget", exact: true }).click();
    await page.getByText("Forgotten: 447 moments.").waitFor();
    await page.getByText("No moments were kept yet.").waitFor();
    assert.match(bed.confirmed.at(-1) ?? "", /^Forget 447 moments for good\?/);
  });

  it("are scrolled through smoothly when there are 100,000: few rows are drawn, few pages asked for", async () => {
    const panel = await openMoments(moments(100_000));
    const { page, bed } = panel;
    await page.getByText("100,000 moments").waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("Control+End");
    await page.locator("[aria-rowindex='100001'] .main").waitFor();
    assert.ok((await page.getByRole("row").count()) < 80);
    assert.ok(bed.memory.asked.length < 20, `${bed.memory.asked.length} pages were asked for`);
  });

  for (const theme of ["dark", "light"] as const) {
    it(`give axe nothing serious to find in ${theme}, open and while one is edited`, async () => {
      const panel = await openMoments(moments(6), { theme });
      const { page } = panel;
      await page.locator(".memory-row .main").first().click();
      await page.getByRole("button", { name: "Edit: Text" }).click();
      await page.getByRole("textbox", { name: "Text" }).waitFor();
      await panel.picture(`memory-moments-edit-${theme}`);
      assert.deepEqual(await seriousFindings(panel), []);
    });
  }

  it("are shown as text, whatever they hold", async () => {
    const nasty = `<img src=x onerror=alert(1)>[x](javascript:alert(2))`;
    const kept = moments(2).map((row) => ({ ...row, title: nasty, text: nasty, agent: nasty, scope: nasty }));
    const panel = await openMoments(kept);
    await panel.page.locator(".memory-row .main").first().click();
    await panel.page.locator(".memory-fields").waitFor();
    assert.equal(await panel.page.locator(".memory img").count(), 0);
    assert.deepEqual([panel.bed.opened, panel.complaints], [[], []]);
  });
});
