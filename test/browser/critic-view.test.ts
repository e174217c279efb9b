import assert from "node:assert/strict";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import { criticState, withComparedTurn, withGradedDays } from "./support/judged.ts";
import { fitsSideways } from "./support/narrow.ts";
import { readable } from "./support/readable.ts";
import { withAnswer } from "./support/turns.ts";

describe("panel: the critic's view", () => {
  const fixture = useFixture();

  it("lists grades and comparisons with figures, lays one open, and has it put right in place", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        await withComparedTurn(bed);
        await withGradedDays(bed);
      },
    });
    const { page } = panel;
    await page.getByRole("button", { name: "Critic", exact: true }).click();
    panel.bed.onPost(criticState({ dropped: 2 }));
    await page.getByText("2 dropped for newer ones").waitFor();
    await page.getByText("mean of 13 graded").waitFor();
    assert.match(await page.locator(".view-figures").innerText(), /3\s+not graded/);
    assert.match(
      await page.locator(".rewards").innerText(),
      /conclave qwen3:8b\s+1\s+1\s+0\s+0\s+\+0\.35\s+\+0\.35/,
    );
    await page.getByRole("button", { name: "Not graded", exact: true }).click();
    await page.getByText("3 listed").waitFor();
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.locator(".activity-row", { hasText: "4/5" }).first().click();
    const detail = page.getByRole("complementary", { name: "The chosen judgement" });
    await detail.getByText("4, 5, 4").waitFor();
    await readable(panel, "critic-view");
    await page.setViewportSize({ width: 1240, height: 800 });
    await detail.getByRole("button", { name: "Correct the grade" }).click();
    await page.getByRole("combobox", { name: "Grade" }).selectOption("2");
    await page.getByRole("textbox", { name: "Reason for the grade" }).fill("The date is wrong.");
    await page.getByRole("button", { name: "Keep" }).click();
    await detail
      .getByText(/4 by the critic, corrected by you, Today, \d\d:\d\d: The date is wrong\./)
      .waitFor();
    assert.deepEqual(panel.complaints, []);
  });

  it("names every figure of every agent's reward, also where there are many agents and little room", async () => {
    const panel = await fixture.open({
      width: 420,
      before: async (bed) => {
        for (let at = 0; at < 7; at += 1) {
          const { emitter, turnId } = await withAnswer(bed, "It holds.", at + 1);
          emitter.emit(
            "reward.event",
            { parentId: turnId },
            {
              ...{
                reward: 0.5,
                reason: "thumbs up",
                "gen_ai.request.model": `registry.example.org/tide-${at}:70b`,
              },
              "conclave.sources": [{ kind: "thumbs", worth: 0.5, time: Date.now(), event: `e${at}` }],
            },
          );
        }
        await bed.log.flush();
      },
    });
    const { page } = panel;
    await page.getByRole("button", { name: "Critic", exact: true }).click();
    const rewards = page.getByRole("region", { name: "Reward by agent" });
    await page.getByRole("button", { name: "Show all 7 agents" }).click();
    await page.getByRole("button", { name: "Show fewer" }).waitFor();
    assert.equal(await rewards.getByRole("row").count(), 1 + 7);
    await fitsSideways(panel, ".view-figures");
    // What has no room is scrolled to: it never lies over the question's field.
    const [end, foot] = ["main", "footer"].map(
      (name) => `document.querySelector("${name}").getBoundingClientRect()`,
    );
    await panel.until(
      `${end}.bottom <= ${foot}.top + 1 && document.querySelector("main").scrollHeight <= ${end}.height + 1`,
    );
    await panel.picture("critic-rewards-narrow");
    assert.deepEqual(await seriousFindings(panel), []);
  });

  it("opens a comparison side by side in its turn", async () => {
    const panel = await fixture.open({ before: (bed) => withComparedTurn(bed) });
    const { page } = panel;
    await page.getByRole("button", { name: "Critic", exact: true }).click();
    await page.getByRole("button", { name: "Compared", exact: true }).click();
    await page.locator(".activity-row", { hasText: "answer B is better" }).click();
    await page.getByRole("button", { name: "Open side by side" }).click();
    await page.getByRole("region", { name: "Answer B" }).waitFor();
  });

  it("says how to turn the critic on where nothing was graded", async () => {
    const panel = await fixture.open();
    await panel.page.getByRole("button", { name: "Critic", exact: true }).click();
    panel.bed.onPost(criticState({ mode: "off" }));
    await panel.page.getByText("The critic is off: turn it on in the Settings tab above").waitFor();
    await panel.picture("critic-view-empty");
    await panel.page.getByRole("button", { name: /Turn it on/ }).click();
    await panel.page.getByRole("tab", { name: "Settings", selected: true }).waitFor();
  });
});
