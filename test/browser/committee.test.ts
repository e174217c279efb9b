import assert from "node:assert/strict";
import type { TurnEvent } from "../../src/agent/events.ts";
import { committeeTurn } from "../unit/trace/support/committee-turn.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import type { PanelPage } from "./support/panel-page.ts";
import { openFirst } from "./support/turns.ts";

describe("panel: a committee's turn", () => {
  const fixture = useFixture();

  async function opened(
    theme?: Parameters<typeof fixture.open>[0],
    edited: (json: string) => string = (json) => json,
  ): Promise<PanelPage> {
    const panel = await fixture.open({
      ...theme,
      before: async (bed) => {
        const append = (event: TurnEvent): void =>
          bed.log.append(JSON.parse(edited(JSON.stringify(event))) as TurnEvent);
        committeeTurn(append, {
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
    const names1 = rounds.first().locator(".member .what");
    for (let at = 0; at < 3; at += 1) {
      const cut = await names1.nth(at).evaluate((name) => name.scrollWidth > name.clientWidth);
      assert.equal(cut, false, `the name of member ${at + 1} is cut`);
    }
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
      .getByRole("button", { name: /steps? of Evidence Seeker/ })
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

  it("says who sits in it with which model, and what it was thought to cost", async () => {
    const { page } = await opened();
    assert.equal(
      await page.locator(".chip.still").getAttribute("title"),
      "Skeptic (qwen3:8b), Evidence Seeker (gemma3:4b), Pragmatist (qwen3:8b); 2 rounds, about 24,000 tokens at most",
    );
  });

  it("never writes a name over what stands beside it, however long the models' names are", async () => {
    const panel = await opened({}, (json) =>
      json.replaceAll('"qwen3:8b"', '"a-model-with-a-long-name-of-its-own:latest"'),
    );
    const facts = panel.page.locator(".facts .fact");
    assert.ok((await facts.filter({ hasText: "a-long-name" }).count()) > 0);
    const overlaps = await facts.evaluateAll((all) =>
      all.flatMap(({ children: [name, value] }) => {
        const written = document.createRange();
        if (name === undefined || value === undefined) return [];
        written.selectNodeContents(name);
        const over = written.getBoundingClientRect().right - value.getBoundingClientRect().left;
        return over > 0 ? [`${name.textContent}: ${value.textContent}`] : [];
      }),
    );
    assert.deepEqual(overlaps, []);
  });

  it("stands one below the other in a narrow panel, and in the light theme", async () => {
    const panel = await opened({ theme: "light", width: 420, height: 800 });
    const boxes = await Promise.all(
      [0, 1].map((at) => panel.page.locator(".cell-round").first().locator(".member").nth(at).boundingBox()),
    );
    assert.ok((boxes[1]?.y ?? 0) > (boxes[0]?.y ?? 0));
    await panel.picture("committee-narrow-light");
  });

  it("has one lane for each agent, with what its tools did, and each one's tokens", async () => {
    const { page } = await opened();
    const facts = page.locator(".facts");
    const lanes = await facts.locator(".lane > span:first-child").allInnerTexts();
    assert.deepEqual(lanes, ["Skeptic", "Evidence Seeker", "Pragmatist", "The Self"]);
    assert.ok((await facts.locator(".lane").first().locator(".fill-memory").count()) > 0);
    const text = (await facts.innerText()).replaceAll(/\s+/g, " ");
    assert.match(text, /TOKENS BY AGENT agent in out time calls Skeptic 2,600 180 4\.8 s 2 /i);
    assert.match(text, /The Self 1,300 90 2\.4 s 1 /);
    assert.match(text, /TOOLS USED tool calls time ≈ tokens search_memory 6 180 ms/i);
  });

  it("is walked by arrows within a round, opens steps by Enter, and goes back to the round by Escape", async () => {
    const panel = await opened();
    const { page } = panel;
    const round = page.locator(".cell-round").first();
    await round.locator("[data-head]").focus();
    await page.keyboard.press("Tab");
    const at = (): Promise<string> =>
      panel.evaluate(`document.activeElement?.querySelector(".what")?.textContent ?? ""`);
    assert.equal(await at(), "Skeptic");
    await page.keyboard.press("ArrowRight");
    assert.equal(await at(), "Evidence Seeker");
    await page.keyboard.press("End");
    assert.equal(await at(), "Newcomer's Advocate");
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.locator(".cell-tool").first().waitFor();
    await page.keyboard.press("Escape");
    await panel.until(`document.activeElement?.dataset.head !== undefined`);
    await panel.until(`document.activeElement?.textContent.includes("Round 1")`);
  });

  it("keeps what was open and where one was over a reload", async () => {
    const panel = await opened();
    const { page } = panel;
    await page.locator(".cell-round").first().locator("button.fold").click();
    assert.equal(await page.locator(".member").count(), 3, "the first round is folded");
    await page
      .locator(".cell-round")
      .nth(1)
      .getByRole("button", { name: /steps? of Pragmatist/ })
      .click();
    await page.locator(".cell-tool").waitFor();
    await page.reload();
    await page.locator(".cell-tool").waitFor();
    assert.equal(await page.locator(".member").count(), 3);
  });

  it("offers to sum up once more where nobody could, and asks no member again", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        const script = committeeTurn((event) => bed.log.append(event), {
          identity: new SteadyIdentity(Date.now() - 900_000),
          synthesis: "missing",
        });
        await bed.log.flush();
        assert.notEqual(script.turnId, "");
      },
    });
    const { page, bed } = panel;
    await openFirst(panel);
    await page.getByRole("button", { name: "Retry synthesis" }).click();
    await panel.until(`document.querySelectorAll(".rows [role=option]").length === 2`);
    const request = bed.engine.asked.at(0);
    assert.equal(request?.options?.committee?.strategy, "blind");
    const at = request.fork?.events.find(({ id }) => id === request.fork?.eventId);
    assert.equal(at?.type, "committee.start", "all that was said before the sum is taken over");
    assert.equal(request.question, "Should the cache stay in process now that there are two replicas?");
  });

  for (const theme of ["dark", "light", "hc-dark", "hc-light"] as const)
    it(`gives axe nothing serious to find in ${theme}`, async () => {
      const panel = await opened({ theme });
      await panel.page
        .locator(".cell-round")
        .first()
        .getByRole("button", { name: /steps? of/ })
        .first()
        .click();
      await panel.page.locator(".cell-tool").waitFor();
      assert.deepEqual(await seriousFindings(panel), []);
      await panel.picture(`committee-${theme}`);
    });
});
