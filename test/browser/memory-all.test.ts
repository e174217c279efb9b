import assert from "node:assert/strict";
import { useFixture } from "./support/fixture.ts";
import { facts, openMemory, withMemories } from "./support/memories.ts";
import type { PanelPage } from "./support/panel-page.ts";

describe("panel: memory, many rows and workspaces", () => {
  const fixture = useFixture();

  async function tab(panel: PanelPage, name: string): Promise<void> {
    await panel.page.getByRole("tab", { name }).click();
    await panel.page.getByRole("row").nth(2).waitFor();
  }

  it("calls a workspace by its folder's name, and one that it does not know another workspace", async () => {
    const panel = await fixture.open({
      before: (bed) => {
        bed.scopes = ["here"];
        bed.place = "harbour-app";
        withMemories(bed);
        const [first, second, ...others] = bed.memory.rows.facts;
        const facts = [first!, { ...second!, scope: "elsewhere" }, ...others];
        bed.memory.rows = { ...bed.memory.rows, facts };
      },
    });
    const { page } = panel;
    await openMemory(panel);
    await tab(panel, "Facts");
    await page.getByRole("switch", { name: "Only harbour-app" }).waitFor();
    await page.locator(".memory-row .main").first().click();
    await page.locator(".memory-fields").getByText("harbour-app", { exact: true }).waitFor();
    await page.locator(".memory-row .main").nth(1).click();
    await page.locator(".memory-fields").getByText("another workspace", { exact: true }).waitFor();
  });

  it("selects all rows that match, seen or not, and forgets them after a question that names how many", async () => {
    const panel = await fixture.open({
      before: (bed) => {
        withMemories(bed);
        bed.memory.rows = { ...bed.memory.rows, facts: facts(450) };
      },
    });
    const { page, bed } = panel;
    await openMemory(panel);
    await tab(panel, "Facts");
    await page.getByText("450 facts", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: "Select all that match" }).click();
    await page.getByText("450 selected", { exact: true }).waitFor();
    await panel.picture("memory-all");
    bed.answerConfirm = false;
    await page.getByRole("button", { name: "Pin", exact: true }).click();
    await panel.until(`document.querySelector(".memory-told")?.textContent === ""`);
    bed.answerConfirm = true;
    await page.getByRole("button", { name: "Forget", exact: true }).click();
    await page.getByText("Forgotten: 450 facts.").waitFor();
    assert.match(bed.confirmed.at(-1) ?? "", /^Forget 450 facts for good\?/);
  });
});
