import assert from "node:assert/strict";
import { MAX_MESSAGE_BYTES } from "../../src/trace/panel-limits.ts";
import { useFixture } from "./support/fixture.ts";
import { episodes, openMemory, withMemories } from "./support/memories.ts";

const SAVED = `JSON.parse(sessionStorage.getItem("state") ?? "null")`;

/** Scrolls by a screen a frame. Runs in the page. */
const SCROLL = `new Promise((resolve) => {
  const grid = document.querySelector("[role=grid]");
  let frames = 0;
  const step = () => {
    frames += 1;
    if (frames > 120) return resolve();
    grid.scrollTop += 600;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

describe("panel: a memory of 100,000 rows", () => {
  const fixture = useFixture();

  it("is scrolled through: few rows are drawn, few pages are asked for, none is too large", async () => {
    const panel = await fixture.open({ before: (bed) => void (bed.memory.episodes = episodes(100_000)) });
    const { page, bed } = panel;
    await openMemory(panel);
    await page.getByText("100,000 episodes").waitFor();
    assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), "100001");
    await panel.evaluate(SCROLL);
    assert.ok((await page.getByRole("row").count()) < 80);
    await panel.evaluate(`document.querySelector("[role=grid]").scrollTop = 28 * 77_777`);
    await page.locator("[aria-rowindex='77785'] .main").waitFor();
    assert.equal(
      await page.locator("[aria-rowindex='77785'] .main").innerText(),
      bed.memory.episodes[77_783]?.question,
    );
    await page.getByRole("grid").focus();
    await page.keyboard.press("Control+End");
    await page.locator("[aria-rowindex='100001'] .main").waitFor();
    assert.ok(bed.memory.asked.length < 100, `${bed.memory.asked.length} pages were asked for`);
    assert.ok(panel.largestPost < MAX_MESSAGE_BYTES, `${panel.largestPost} bytes`);
    await panel.picture("memory-100000");
  });

  it("stands where it stood after a reload: table, filter, order, place and open row", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed, 5000) });
    const { page } = panel;
    await openMemory(panel);
    await page.getByRole("searchbox", { name: "Filter episodes" }).fill("boat");
    await page.getByText("1,000 episodes").waitFor();
    await page.getByRole("columnheader", { name: "Query" }).click();
    await panel.until(`document.querySelector("[aria-sort=ascending]")?.textContent.includes("Query")`);
    await panel.evaluate(`document.querySelector("[role=grid]").scrollTop = 28 * 500`);
    const row = page.locator("[aria-rowindex='505'] .main");
    await row.waitFor();
    const title = await row.innerText();
    await row.click();
    await page.locator(".memory-fields").waitFor();
    await panel.until(`${SAVED}?.memory.tabs.episodes.open?.index === 503`);
    await page.reload();
    await page.locator(".memory-fields").waitFor();
    assert.equal(await page.locator("[aria-rowindex='505'] .main").innerText(), title);
    assert.equal(await page.getByRole("searchbox", { name: "Filter episodes" }).inputValue(), "boat");
    assert.equal(await page.locator("[aria-sort=ascending]").innerText(), "Query");
    await panel.until(`document.querySelector("[role=grid]").scrollTop === 28 * 500`);
    assert.ok((await panel.evaluate<string>(`sessionStorage.getItem("state")`)).length < 3000);
  });

  it("keeps the place and the open row when memory changes around them", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed, 3000) });
    const { page, bed } = panel;
    await openMemory(panel);
    await panel.evaluate(`document.querySelector("[role=grid]").scrollTop = 28 * 1200`);
    const row = page.locator("[aria-rowindex='1205'] .main");
    await row.waitFor();
    const title = await row.innerText();
    await row.click();
    await page.locator(".memory-fields").waitFor();
    bed.memory.episodes = bed.memory.episodes.slice(3);
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("2,997 episodes").waitFor();
    await panel.until(`document.querySelector("[role=row].open")?.getAttribute("aria-rowindex") === "1202"`);
    assert.equal(await page.locator("[role=row].open .main").innerText(), title);
  });
});
