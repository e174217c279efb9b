import assert from "node:assert/strict";
import { failure } from "../../src/agent/failure.ts";
import { askedTurn, DEEPEST_ANSWER } from "../unit/trace/support/asked-turn.ts";
import type { PanelBed } from "../unit/trace/support/panel-bed.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { TurnScript } from "../unit/trace/support/turn-script.ts";
import { useFixture } from "./support/fixture.ts";
import { withCommitteeTurn } from "./support/judged.ts";
import type { PanelPage } from "./support/panel-page.ts";

/** Tells a turn into the log, a minute ago. */
async function told(bed: PanelBed, tell: (script: TurnScript) => unknown, question?: string): Promise<void> {
  const identity = new SteadyIdentity(Date.now() - 60_000);
  const sink = (event: Parameters<PanelBed["log"]["append"]>[0]): void => bed.log.append(event);
  tell(new TurnScript(sink, { identity, ...(question !== undefined && { question }) }));
  await bed.log.flush();
}

async function withAskedTurn(bed: PanelBed): Promise<void> {
  askedTurn((event) => bed.log.append(event), undefined, new SteadyIdentity(Date.now() - 60_000));
  await bed.log.flush();
}

/** How far from the left the words of a cell's head begin, in pixels. */
const LEFT = (text: string) =>
  `[...document.querySelectorAll(".cell")].find((cell) => cell.innerText.includes(${JSON.stringify(text)})).querySelector(".head").getBoundingClientRect().left`;

describe("panel: a turn as a tree", () => {
  const fixture = useFixture();

  async function opened(before: (bed: PanelBed) => unknown, width = 1240): Promise<PanelPage> {
    const panel = await fixture.open({ before, width, height: 900 });
    if (width < 600) await panel.page.getByRole("button", { name: "Turns" }).click();
    await panel.page.locator(".rows [role=option]").first().click();
    await panel.page.locator(".cell").first().waitFor();
    return panel;
  }

  for (const width of [1240, 420]) {
    it(`shows at ${width} who asked whom, each under the call that asked it, and folds them with it`, async () => {
      const panel = await opened(withAskedTurn, width);
      const { page } = panel;
      await page.getByText(DEEPEST_ANSWER).waitFor();
      const calls = page.locator(".cell-tool .fold");
      assert.match(
        await calls.first().innerText(),
        /Researcher: "Is it still maintained\?".* · 2,100 tokens/,
      );
      const [outer, inner, deepest] = [
        await panel.evaluate<number>(LEFT("Researcher: ")),
        await panel.evaluate<number>(LEFT("Skeptic: ")),
        await panel.evaluate<number>(LEFT(DEEPEST_ANSWER)),
      ];
      assert.ok(outer < inner && inner < deepest, `${outer}, ${inner}, ${deepest}`);
      assert.equal(await page.locator(".cell-remark").last().getAttribute("aria-level"), "3");
      await panel.picture(`tree-${width}`);
      await calls.first().click();
      await page.getByText(DEEPEST_ANSWER).waitFor({ state: "detached" });
      assert.equal(await calls.count(), 1);
      assert.deepEqual(panel.complaints, []);
    });
  }

  it("leads from the timeline to what a folded call hides", async () => {
    const panel = await opened(withAskedTurn);
    const { page } = panel;
    await page.locator(".cell-tool .fold").first().click();
    await page.locator(".cell-tool").nth(1).waitFor({ state: "detached" });
    await page.locator(".lane", { hasText: "Skeptic" }).locator(".lane-bar").click();
    await panel.until(
      `document.activeElement.closest(".cell-model")?.innerText.includes("Skeptic") === true`,
    );
  });

  it("says of each agent how full its own context was", async () => {
    const panel = await opened(withCommitteeTurn);
    const table = panel.page.getByRole("table", { name: "Context in use by agent, at its latest step" });
    const text = (await table.innerText()).replaceAll(/\s+/g, " ");
    for (const name of ["Skeptic", "Evidence Seeker", "Pragmatist", "The Self"])
      assert.ok(text.includes(`${name} 1,300 32,768`), `${name} is missing in: ${text}`);
  });

  it("shows the beginning of a long question, and all of it when asked, however long it is", async () => {
    const question = `${"A line of what was pasted.\n".repeat(2_000)}This is the end of it.`;
    const panel = await opened((bed) => told(bed, (script) => script.answered("Yes."), question));
    const { page } = panel;
    const cell = page.locator(".cell-question");
    const whole = cell.getByRole("button", { name: "All of it, 54,022 characters" });
    await whole.waitFor();
    assert.ok(((await cell.boundingBox())?.height ?? Infinity) < 240);
    await whole.click();
    await cell.getByText("A line of what was pasted.").waitFor();
    while ((await cell.getByText("This is the end of it.").count()) === 0) {
      const more = cell.getByRole("button", { name: /show more/ });
      const before = await more.innerText();
      await more.click();
      await panel.until(
        `document.querySelector(".cell-question").innerText.includes("This is the end of it.") || !document.querySelector(".cell-question").innerText.includes(${JSON.stringify(before)})`,
      );
    }
    await cell.getByRole("button", { name: "Less" }).click();
    await whole.waitFor();
  });

  it("says of a turn that was stopped that it was, also where there is no room for it in the head, and runs it again", async () => {
    const cancelled = failure("cancelled", "Cancelled.");
    const panel = await opened(
      (bed) =>
        told(bed, (script) =>
          script.ask().wait(3_000).reply({ error: cancelled }).stopped("cancelled", cancelled),
        ),
      420,
    );
    const { page } = panel;
    await page.getByText("Cancelled after 3.0 s: there was no answer yet.").waitFor();
    await page.locator(".cell-ended").getByRole("button", { name: "Run again" }).click();
    await page.locator(".cell-ended .branch-editor").waitFor();
    await page.getByRole("button", { name: "Facts about the turn" }).click();
    const facts = (await page.locator(".facts").innerText()).replaceAll(/\s+/g, " ");
    assert.match(
      facts,
      /THIS TURN asked Today, \d\d:\d\d from this panel by conclave model qwen3:8b cancelled after 3.0 s/i,
    );
  });

  it("tells a member that was left in the middle from one that said nothing", async () => {
    const { CommitteeScript, MEMBERS } = await import("../unit/trace/support/committee-script.ts");
    const panel = await opened(async (bed) => {
      const script = new CommitteeScript(
        (event) => bed.log.append(event),
        new SteadyIdentity(Date.now() - 60_000),
      );
      const round = script.round(1);
      for (const member of MEMBERS.slice(0, 1)) script.speaks(round, { ...member, said: [""] }, 0);
      script.begins(round, "Pragmatist")("Keep");
      await bed.log.flush();
    });
    const boxes = panel.page.locator(".member");
    assert.match(await boxes.first().innerText(), /said nothing/);
    assert.match(await boxes.nth(1).innerText(), /Pragmatist\s+interrupted[^]*nothing of an answer was kept/);
    await panel.page.getByText(/Interrupted: its log ends here/).waitFor();
  });

  it("keeps words of the other direction apart from what stands beside them on a line", async () => {
    const panel = await opened((bed) =>
      told(bed, (script) => {
        script.ask().reply({ calls: [] });
        script.call("search_memory", { query: "שלום \u202eabc" })({
          result: "nothing",
          details: { summary: "0 of 41 memories given" },
        });
        script.stepEnd().answered("No.");
      }),
    );
    const order = await panel.evaluate<boolean>(`(() => {
      const line = document.querySelector(".cell-tool .summary span").firstChild;
      const at = (text) => {
        const range = document.createRange();
        const start = line.data.indexOf(text);
        range.setStart(line, start);
        range.setEnd(line, start + 1);
        return range.getBoundingClientRect().left;
      };
      return at("ש") < at("0 of") && at("0 of") < at("given");
    })()`);
    assert.ok(order, "what came of it stands behind what was asked, in its own order");
  });
});
