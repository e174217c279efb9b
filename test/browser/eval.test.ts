import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { evalReport } from "../unit/trace/support/eval-report.ts";
import { EVALS } from "../unit/trace/support/panel-bed.ts";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import { readable } from "./support/readable.ts";

describe("panel: the report of an evaluation", () => {
  const fixture = useFixture();

  it("says how sure it is of what, which feature helps and which does not, and leads to the traces", async () => {
    const panel = await fixture.open({
      height: 1400,
      before: async (bed) => {
        const place = join(bed.folder, EVALS, "2026-11-27");
        await mkdir(join(place, "traces"), { recursive: true });
        await writeFile(join(place, "report.json"), JSON.stringify(evalReport()));
        await writeFile(join(place, "traces", "s5.jsonl"), "{}");
      },
    });
    const { page } = panel;
    await page.getByRole("button", { name: "Critic", exact: true }).click();
    await page.getByRole("button", { name: "Evaluations" }).click();
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

  it("says how to run one where there is none", async () => {
    const panel = await fixture.open();
    await panel.page.getByRole("button", { name: "Critic", exact: true }).click();
    await panel.page.getByRole("button", { name: "Evaluations" }).click();
    await panel.page.getByText("No evaluation was run yet.").waitFor();
    await panel.picture("eval-empty");
    assert.deepEqual(await seriousFindings(panel), []);
  });
});
