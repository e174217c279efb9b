import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { evalReport } from "../unit/trace/support/eval-report.ts";
import type { EvalReport } from "../../src/trace/eval/report.ts";
import { EVALS, type PanelBed } from "../unit/trace/support/panel-bed.ts";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import { fitsSideways } from "./support/narrow.ts";
import type { PanelPage } from "./support/panel-page.ts";
import { readable } from "./support/readable.ts";

describe("panel: the report of an evaluation", () => {
  const fixture = useFixture();

  /** Puts a report into the folder where the panel looks for them. */
  async function withReport(bed: PanelBed, report: EvalReport = evalReport()): Promise<void> {
    const place = join(bed.folder, EVALS, "2026-11-27");
    await mkdir(join(place, "traces"), { recursive: true });
    await writeFile(join(place, "report.json"), JSON.stringify(report));
    await writeFile(join(place, "traces", "s5.jsonl"), "{}");
  }

  async function openReport({ page }: PanelPage): Promise<void> {
    await page.getByRole("button", { name: "Critic", exact: true }).click();
    await page.getByRole("button", { name: "Evaluations" }).click();
  }

  it("says how sure it is of what, which feature helps and which does not, and leads to the traces", async () => {
    const panel = await fixture.open({ height: 1400, before: (bed) => withReport(bed) });
    const { page } = panel;
    await openReport(panel);
    await page.getByText("success, 95 % interval 77 % to 100 %").waitFor();
    await page
      .getByText("The committee does not help on your cases, and costs 9,200 more tokens a run.")
      .waitFor();
    await page.getByText("“black” is wanted, “with milk” was said").waitFor();
    await readable(panel, "eval");
    await page.getByRole("switch", { name: "Not passed only" }).click();
    await page.getByText("5 listed").waitFor();
    await page.getByRole("switch", { name: "Not passed only" }).click();
    await page.getByRole("button", { name: "Trace of s5-recall" }).first().click();
    await panel.until(`document.querySelector(".eval") !== null`);
    assert.ok(panel.said.some(({ type }) => type === "eval.trace"));
    assert.deepEqual(panel.complaints, []);
  });

  it("is read from top to bottom on a narrow panel: each figure with its name, none to be scrolled to sideways", async () => {
    const report = evalReport();
    const long = "without memory and the web, with every persona";
    const [first, second] = report.configurations;
    assert.ok(first && second);
    const many = [first, ...Array.from({ length: 7 }, (_, at) => ({ ...second, name: `${long} ${at}` }))];
    for (const configurations of [many.slice(0, 2), many.slice(0, 4), many]) {
      const before = (bed: PanelBed) => withReport(bed, { ...report, configurations });
      const panel = await fixture.open({ width: 420, height: 1400, before });
      const { page } = panel;
      await openReport(panel);
      const table = page.getByRole("region", { name: "Configurations" });
      await table
        .getByRole("row", { name: /^default/ })
        .getByText("20 / 22 / 2")
        .waitFor();
      for (const width of [1000, 700, 320, 420]) {
        await page.setViewportSize({ width, height: 1400 });
        await fitsSideways(panel, ".eval");
      }
      await panel.picture(`eval-narrow-${configurations.length}`);
      assert.equal(await table.getByRole("columnheader").nth(1).innerText(), "passed", "it is still a table");
    }
  });

  it("says how to run one where there is none", async () => {
    const panel = await fixture.open();
    await openReport(panel);
    await panel.page.getByText("No evaluation was run yet.").waitFor();
    await panel.picture("eval-empty");
    assert.deepEqual(await seriousFindings(panel), []);
  });
});
