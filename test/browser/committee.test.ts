import assert from "node:assert/strict";
import { committeeTurn } from "../unit/trace/support/committee-turn.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { useFixture } from "./support/fixture.ts";
import type { PanelPage } from "./support/panel-page.ts";
import { openFirst } from "./support/turns.ts";

describe("panel: a committee's turn", () => {
  const fixture = useFixture();

  async function opened(theme?: Parameters<typeof fixture.open>[0]): Promise<PanelPage> {
    const panel = await fixture.open({
      ...theme,
      before: async (bed) => {
        committeeTurn((event) => bed.log.append(event), {
          identity: new SteadyIdentity(Date.now() - 900_000),
        });
        await bed.log.flush();
      },
    });
    const menu = panel.page.getByRole("button", { name: "Turns" });
    if (await menu.isVisible()) await menu.click();
    await openFirst(panel);
    return panel;
  }

  it("shows the members of each round side by side, each with what it said, used and cost", async () => {
    const panel = await opened();
    const rounds = panel.page.locator(".cell-round");
    assert.equal(await rounds.count(), 2);
    const names = await rounds.first().locator(".member .what").allInnerTexts();
    assert.deepEqual(names, ["Skeptic", "Evidence Seeker", "Pragmatist", "Newcomer's Advocate"]);
    const skeptic = rounds.first().locator(".member").first();
    const said = await skeptic.innerText();
    for (const part of ["A write on one replica", "memory", "90 tokens", "1 step"]) {
      assert.ok(said.includes(part), `${part} is missing in: ${said}`);
    }
    const boxes = await Promise.all(
      [0, 1].map((at) => rounds.first().locator(".member").nth(at).boundingBox()),
    );
    assert.equal(boxes[0]?.y, boxes[1]?.y, "they stand beside each other");
    assert.deepEqual(panel.complaints, []);
    await panel.picture("committee");
  });

  it("names who failed and why, who dissents, and who changed their mind for which reason", async () => {
    const { page } = await opened();
    await page.getByText("It gave no answer within 600 s.").waitFor();
    const dissenter = page.locator(".cell-round").nth(1).locator(".member.dissents");
    assert.equal(await dissenter.count(), 1);
    assert.match(await dissenter.innerText(), /Skeptic[\s\S]*dissents/);
    await page.getByText(/changed: the event bus makes dropping entries cheap/).waitFor();
  });

  it("opens the steps of one member below its round", async () => {
    const panel = await opened();
    const { page } = panel;
    assert.equal(await page.locator(".cell-tool").count(), 0);
    await page
      .locator(".cell-round")
      .first()
      .getByRole("button", { name: "Steps of Evidence Seeker" })
      .click();
    const tool = page.locator(".cell-tool");
    await tool.waitFor();
    assert.match(await tool.innerText(), /search_memory[\s\S]*Evidence Seeker/);
    assert.equal(await page.locator(".cell-remark").count(), 0, "what it said stands in its box alone");
    await panel.picture("committee-steps");
  });

  it("keeps best answer, majority and the other view beside the synthesis, with the letters it was shown under", async () => {
    const panel = await opened();
    const verdict = panel.page.locator(".cell-verdict");
    await verdict.scrollIntoViewIfNeeded();
    assert.match(
      await verdict.innerText(),
      /best single: Pragmatist · majority: 2 of 3 · another view: Skeptic/,
    );
    await verdict.locator("button.fold").click();
    await verdict.getByText(/A = Pragmatist, B = Skeptic, C = Evidence Seeker/).waitFor();
    assert.equal(
      await panel.page.locator(".standing-committee, .chip.still").innerText(),
      "committee · 3 · blind",
    );
  });

  it("stands one below the other in a narrow panel, and in the light theme", async () => {
    const panel = await opened({ theme: "light", width: 420, height: 800 });
    const boxes = await Promise.all(
      [0, 1].map((at) => panel.page.locator(".cell-round").first().locator(".member").nth(at).boundingBox()),
    );
    assert.ok((boxes[1]?.y ?? 0) > (boxes[0]?.y ?? 0));
    await panel.picture("committee-narrow-light");
  });
});
