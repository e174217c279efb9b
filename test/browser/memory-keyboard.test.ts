import assert from "node:assert/strict";
import { useFixture } from "./support/fixture.ts";
import { openMemory, withMemories } from "./support/memories.ts";
import type { PanelPage } from "./support/panel-page.ts";

const ACTIVE = `document.getElementById(document.querySelector("[role=grid]").getAttribute("aria-activedescendant"))`;

async function until(look: () => boolean): Promise<void> {
  while (!look()) await new Promise(setImmediate);
}

describe("panel: memory by keyboard", () => {
  const fixture = useFixture();

  async function factsTable(panel: PanelPage): Promise<void> {
    await openMemory(panel);
    await panel.page.getByRole("tab", { name: "Episodes" }).focus();
    await panel.page.keyboard.press("ArrowRight");
    await panel.page.getByText("24 facts", { exact: true }).waitFor();
    await panel.page.getByRole("grid").focus();
  }

  it("goes to another table by the arrows on its tab", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    await factsTable(panel);
    const selected = panel.page
      .getByRole("tablist", { name: "Tables of memory" })
      .getByRole("tab", { selected: true });
    assert.equal(await selected.innerText(), "Facts");
    assert.equal(
      await panel.page.locator("#memory-panel").getAttribute("aria-labelledby"),
      "memory-tab-facts",
    );
  });

  it("moves over cells by the arrows, to the ends by Control+Home and End, and tells where it is", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    const { page } = panel;
    await factsTable(panel);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await panel.until(`${ACTIVE}?.textContent === "user"`);
    assert.equal(await panel.evaluate(`${ACTIVE}.parentElement.getAttribute("aria-rowindex")`), "3");
    await page.keyboard.press("Control+End");
    await panel.until(`${ACTIVE}?.parentElement.getAttribute("aria-rowindex") === "25"`);
    await panel.until(
      `(() => { const g = document.querySelector("[role=grid]").getBoundingClientRect(); const c = ${ACTIVE}.getBoundingClientRect(); return c.bottom <= g.bottom + 1 && c.top >= g.top; })()`,
    );
    await page.keyboard.press("Control+Home");
    await panel.until(`${ACTIVE}?.parentElement.getAttribute("aria-rowindex") === "2"`);
    assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), "25");
  });

  it("sorts from the head line by Enter", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    const { page } = panel;
    await factsTable(panel);
    await page.keyboard.press("ArrowUp");
    await panel.until(`${ACTIVE}?.getAttribute("role") === "columnheader"`);
    await page.keyboard.press("Enter");
    await panel.until(`document.querySelector("[aria-sort=ascending]")?.textContent.includes("Fact")`);
    assert.equal(await panel.evaluate(`document.activeElement.getAttribute("role")`), "grid");
  });

  it("opens a row by Enter and closes it by Escape; what is in it is reached by Tab", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    const { page } = panel;
    await factsTable(panel);
    await page.keyboard.press("Enter");
    await page.locator(".memory-fields").waitFor();
    assert.equal(await panel.evaluate(`${ACTIVE}.getAttribute("aria-expanded")`), "true");
    await page.keyboard.press("Tab");
    await panel.until(`document.activeElement?.getAttribute("aria-label") === "Edit: fact"`);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Escape");
    await page.locator(".memory-fields").waitFor({ state: "detached" });
  });

  it("edits in place by F2 or Enter: Enter saves, Escape leaves it, and the focus comes back", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    const { page, bed } = panel;
    await factsTable(panel);
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "Fact" }).fill("Mira owns all databases");
    await page.keyboard.press("Enter");
    await page.getByText("Mira owns all databases").first().waitFor();
    await panel.until(`document.activeElement?.getAttribute("role") === "grid"`);
    assert.equal(bed.memory.rows.facts[0]?.text, "Mira owns all databases");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "About" }).fill("nobody");
    await page.keyboard.press("Escape");
    await panel.until(`document.activeElement?.getAttribute("role") === "grid"`);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Kind" }).selectOption("event");
    await until(() => bed.memory.edits.length === 2);
    assert.deepEqual(bed.memory.rows.facts[0].kind, "event");
    assert.equal(bed.memory.rows.facts[0].subject, "Mira");
  });

  it("selects by Space and Shift+Down, and forgets by Delete after a question", async () => {
    const panel = await fixture.open({ before: (bed) => withMemories(bed) });
    const { page, bed } = panel;
    await factsTable(panel);
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText("3 selected").waitFor();
    assert.equal(await page.locator("[role=row][aria-selected=true]").count(), 3);
    await page.keyboard.press("Escape");
    await page.getByText("3 selected").waitFor({ state: "detached" });
    await page.keyboard.press("Delete");
    await page.getByText("23 facts", { exact: true }).waitFor();
    assert.match(bed.confirmed[0] ?? "", /^Forget 1 fact for good\?/);
    assert.equal(await panel.evaluate(`document.activeElement.getAttribute("role")`), "grid");
  });

  it("shows where one is, in high contrast too", async () => {
    const panel = await fixture.open({ theme: "hc-dark", before: (bed) => withMemories(bed) });
    await factsTable(panel);
    await panel.page.keyboard.press("ArrowDown");
    const outline = await panel.evaluate<string>(`getComputedStyle(${ACTIVE}).outline`);
    assert.match(outline, /rgb\(243, 133, 24\) solid 1px/);
  });
});
