import assert from "node:assert/strict";
import type { PanelBed } from "../unit/trace/support/panel-bed.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { TurnScript } from "../unit/trace/support/turn-script.ts";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import type { PanelPage } from "./support/panel-page.ts";

const FIRST = "Does the cache hold with one replica?";
/** A line of the list; the menu of filters has options too. */
const ROW = ".rows [role=option]";
const SECOND = "Does the cache hold with two replicas?";

/** Puts two turns into the log that searched for the same and were told other things. */
async function withTwoTurns(bed: PanelBed): Promise<void> {
  const tell = (question: string, seed: number, result: string, answer: string): TurnScript => {
    const identity = new SteadyIdentity(Date.now() - 120_000 + seed * 1_000, seed * 1_000);
    const script = new TurnScript((event) => bed.log.append(event), {
      ...{ question, identity },
    });
    const calls = [{ id: "c1", name: "search_memory", arguments: { query: "cache" } }];
    script.wait(10).ask().wait(400).reply({ thinking: "Memory should know.", calls });
    script.call("search_memory", { query: "cache" })({
      result,
      details: { summary: "1 of 9 memories given" },
    });
    script.stepEnd().ask().wait(900).reply({ content: answer }).stepEnd().answered(answer);
    return script;
  };
  tell(FIRST, 1, "In process, ten minutes.", "It holds: one process sees every write.");
  const second = tell(
    SECOND,
    2,
    "In process, ten minutes.",
    "It no longer holds: each process sees its own writes.",
  );
  second.emitter.emit(
    "critique.result",
    { parentId: second.turnId },
    { score: 4, feedback: "Grounded.", "gen_ai.request.model": "judge:8b" },
  );
  await bed.log.flush();
}

async function compare(panel: PanelPage): Promise<void> {
  const { page } = panel;
  await page.locator(ROW, { hasText: SECOND }).click();
  await page.locator(".cell-answer .markdown").waitFor();
  await page.getByRole("button", { name: "Compare with another turn" }).click();
  await page.getByText(`is to stand beside “${SECOND}”`).waitFor();
  await page.locator(ROW, { hasText: FIRST }).click();
  await page.getByRole("region", { name: "Two turns compared" }).waitFor();
  await page.locator(".compare-part").getByText("Step by step").waitFor();
}

describe("panel: two turns compared", () => {
  const fixture = useFixture();

  it("names what differs in words, and passes over what is the same", async () => {
    const panel = await fixture.open({ before: withTwoTurns });
    const { page } = panel;
    await compare(panel);
    const answers = page.locator(".compare-part", { hasText: "Answer" }).first();
    await answers.locator("del", { hasText: "no longer" }).waitFor();
    await answers.locator("ins", { hasText: "one" }).waitFor();
    const figures = page.getByRole("row", { name: /^grade/ });
    assert.match(await figures.innerText(), /4\/5.*–/s);
    assert.equal(await page.locator(".compare-step", { hasText: "search_memory" }).count(), 0);
    await page.getByRole("checkbox", { name: "show what is the same" }).check();
    await page.locator(".compare-step.same", { hasText: "search_memory" }).waitFor();
    await panel.picture("compare-dark");
    assert.deepEqual(panel.complaints, []);
  });

  it("stays when the page is made anew, and leads to either turn", async () => {
    const panel = await fixture.open({ before: withTwoTurns });
    const { page } = panel;
    await compare(panel);
    await page.reload();
    await page.locator(".compare-part", { hasText: "Answer" }).first().locator("del").first().waitFor();
    await page.locator(".compare-heads").getByRole("button", { name: FIRST }).click();
    await page.locator(".cell-question").getByText(FIRST).waitFor();
  });

  it("can be read in every theme, narrow and by a screen reader", async () => {
    const panel = await fixture.open({ before: withTwoTurns });
    await compare(panel);
    for (const theme of ["light", "hc-dark", "hc-light", "dark"] as const) {
      await panel.setTheme(theme);
      assert.deepEqual(await seriousFindings(panel), [], theme);
      await panel.picture(`compare-${theme}`);
    }
    await panel.page.setViewportSize({ width: 420, height: 800 });
    await panel.picture("compare-narrow");
    assert.deepEqual(await seriousFindings(panel), []);
  });
});

describe("panel: turns found", () => {
  const fixture = useFixture();

  it("are those whose texts hold the words, thinking and results of tools included", async () => {
    const panel = await fixture.open({ before: withTwoTurns });
    const { page } = panel;
    await page.locator(ROW).nth(1).waitFor();
    const search = page.getByRole("searchbox", { name: "Search turns" });
    await search.fill("each process sees");
    await page.locator(ROW, { hasText: FIRST }).waitFor({ state: "detached" });
    assert.equal(await page.locator(ROW).count(), 1);
    await search.fill("ten minutes");
    await page.locator(ROW).nth(1).waitFor();
    await search.fill("nothing says this");
    await page.getByText("Nothing matches.").waitFor();
    await page.getByRole("button", { name: "Clear the search" }).click();
    await page.locator(ROW).nth(1).waitFor();
    assert.equal(await search.inputValue(), "");
  });

  it("are narrowed by the menu, which writes into the field what it filters by", async () => {
    const panel = await fixture.open({ before: withTwoTurns });
    const { page } = panel;
    await page.locator(ROW).nth(1).waitFor();
    await page.getByRole("combobox", { name: "Add a filter" }).selectOption({ label: "4 or better" });
    await page.locator(ROW, { hasText: FIRST }).waitFor({ state: "detached" });
    const search = page.getByRole("searchbox", { name: "Search turns" });
    assert.equal(await search.inputValue(), "grade:>=4");
    await page.getByRole("combobox", { name: "Add a filter" }).selectOption({ label: "search_memory" });
    assert.equal(await search.inputValue(), "grade:>=4 tool:search_memory");
    await page.locator(ROW, { hasText: SECOND }).waitFor();
    assert.deepEqual(await seriousFindings(panel), []);
    await panel.picture("filter");
  });
});
