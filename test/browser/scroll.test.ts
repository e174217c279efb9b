import assert from "node:assert/strict";
import type { PanelBed } from "../unit/trace/support/panel-bed.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { TurnScript } from "../unit/trace/support/turn-script.ts";
import { useFixture } from "./support/fixture.ts";
import type { PanelPage } from "./support/panel-page.ts";

const STEPS = 600;

/** Puts a turn of many steps into the log, each a model's call and a tool's, and the turn's answer. */
async function withSteps(bed: PanelBed): Promise<void> {
  const identity = new SteadyIdentity(Date.now() - 9_000_000);
  const script = new TurnScript((event) => bed.log.append(event), { identity });
  for (let step = 1; step <= STEPS; step += 1) {
    script
      .ask()
      .reply({ calls: [{ id: `${step}`, name: "web_fetch", arguments: { query: `page ${step}` } }] });
    script.call("web_fetch", { query: `page ${step}` })({ result: `result ${step}` });
    script.stepEnd();
  }
  script.answered("Done.");
  await bed.log.flush();
}

/** Scrolls to a place of the turn, and waits until what stands there is drawn, and what surrounds it. */
async function leap(panel: PanelPage, top: number): Promise<void> {
  await panel.evaluate(`document.querySelector(".cells").scrollTop = ${top}`);
  await panel.until(`(() => {
    const { top, bottom } = document.querySelector(".cells").getBoundingClientRect();
    const boxes = [...document.querySelectorAll(".cell")].map((cell) => cell.getBoundingClientRect());
    return boxes.some((box) => box.top < top && box.bottom > top - 200) && boxes.some((box) => box.bottom > bottom + 100);
  })()`);
}

describe("panel: a long turn that is scrolled", () => {
  const fixture = useFixture();

  async function opened(): Promise<PanelPage> {
    const panel = await fixture.open({ before: withSteps });
    await panel.page.locator(".rows [role=option]").first().click();
    await panel.until(`Number(document.querySelector(".cell")?.getAttribute("aria-setsize")) > ${2 * STEPS}`);
    return panel;
  }

  it("draws what comes in the elements of what went, each cell with its own words at its own place", async () => {
    const panel = await opened();
    await leap(panel, 9_000);
    await panel.evaluate(`window.__before = new Set(document.querySelectorAll(".cell")), undefined`);
    await leap(panel, 20_000);
    const [made, all] = await panel.evaluate<[number, number]>(`(() => {
      const cells = [...document.querySelectorAll(".cell")];
      return [cells.filter((cell) => !window.__before.has(cell)).length, cells.length];
    })()`);
    assert.ok(all > 20, `${all} cells`);
    // What surrounds it is drawn after it, and is made anew.
    assert.ok(made <= all / 2, `${made} of ${all} were made anew`);
    // A question, then a model's call and a tool's by turns: the place tells the step.
    const wrong = await panel.evaluate<string[]>(`[...document.querySelectorAll(".cell-tool")]
      .filter((cell) => !cell.textContent.includes('"page ' + cell.dataset.index / 2 + '"'))
      .map((cell) => cell.dataset.index + ": " + cell.textContent)`);
    assert.deepEqual(wrong, []);
    const overlaps = await panel.evaluate<number>(`(() => {
      const boxes = [...document.querySelectorAll(".cell")].map((cell) => cell.getBoundingClientRect());
      boxes.sort((one, other) => one.top - other.top);
      return boxes.filter((box, at) => at > 0 && box.top < boxes[at - 1].bottom - 1.5).length;
    })()`);
    assert.equal(overlaps, 0);
    assert.deepEqual(panel.complaints, []);
  });

  it("keeps the focus on its cell and what is open open, however far one goes, and opens nothing else", async () => {
    const panel = await opened();
    const { page } = panel;
    await page.locator(".cell-tool .fold").first().click();
    await page.getByText("result 1", { exact: true }).waitFor();
    const focused = `document.activeElement.closest(".cell")?.dataset.index`;
    const at = await panel.evaluate<string>(focused);
    for (const top of [12_000, 3_000, 30_000]) {
      await leap(panel, top);
      assert.equal(await panel.evaluate<string>(focused), at);
      assert.equal(await page.locator(".cell .body").count(), 1);
    }
    await page.keyboard.press("ArrowDown");
    await panel.until(`${focused} === "${Number(at) + 1}"`);
    await page.getByText("result 1", { exact: true }).waitFor();
  });

  it("offers the ways to run on from a cell again as soon as it stands still", async () => {
    const panel = await opened();
    await leap(panel, 15_000);
    await panel.until(
      `[...document.querySelectorAll(".cell-tool")].every((cell) => cell.querySelector(".branch-actions"))`,
    );
    const rerun = panel.page.locator(".cell-tool .branch-actions button").first();
    assert.match((await rerun.getAttribute("aria-label")) ?? "", /run/i);
  });
});
