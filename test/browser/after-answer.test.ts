import assert from "node:assert/strict";
import type { TurnEvent } from "../../src/agent/events.ts";
import { cacheTurn } from "../unit/trace/support/cache-turn.ts";
import type { PanelBed } from "../unit/trace/support/panel-bed.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { useFixture } from "./support/fixture.ts";
import { criticState, withComparedTurn } from "./support/judged.ts";
import { openFirst, withAnswer } from "./support/turns.ts";

/** A turn that is given what was said in another session, and names the turn where. */
async function withRecalledTurn(bed: PanelBed): Promise<void> {
  const { sessionId, turnId } = await withAnswer(bed, "It stays in the process.");
  const from = { sessionId, turnId };
  const named = (event: TurnEvent): TurnEvent => {
    if (event.type !== "tool.result") return event;
    const { details } = event.data;
    const hits = details?.data?.["hits"];
    if (!Array.isArray(hits)) return event;
    const data = { ...details?.data, hits: (hits as object[]).map((hit) => ({ ...hit, ...from })) };
    return { ...event, data: { ...event.data, details: { ...details, data } } } as TurnEvent;
  };
  cacheTurn((event) => bed.log.append(named(event)), {
    identity: new SteadyIdentity(Date.now() - 30_000, 500_000),
  });
  await bed.log.flush();
}

describe("panel: what came of an answer, and where it came from", () => {
  const fixture = useFixture();

  it("says that the second answer was taken when the panel is made anew", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        const { emitter, turnId } = await withComparedTurn(bed);
        emitter.emit("shadow.taken", { parentId: turnId }, {});
        await bed.log.flush();
      },
    });
    await openFirst(panel);
    panel.bed.onPost(criticState());
    const { page } = panel;
    await page.locator(".cell-pairwise [data-head]").click();
    await page.getByText("you took answer B: memory recalls it").waitFor();
    assert.equal(await page.getByRole("button", { name: "Use this answer" }).count(), 0);
  });

  it("shows in the timeline what was done after the answer, and leaves the turn's own bars their width", async () => {
    const panel = await fixture.open({ before: (bed) => withComparedTurn(bed) });
    await openFirst(panel);
    const { page } = panel;
    const critic = page.getByRole("group", { name: /^critic, 3 calls: judging/ });
    const bars = critic.getByRole("button");
    await bars.nth(2).waitFor();
    await page.getByText(/after the answer: .*its own scale/).waitFor();
    const lane = await critic.locator(".lane-bars").boundingBox();
    const first = await bars.first().boundingBox();
    const own = await page
      .getByRole("group", { name: /^conclave, / })
      .getByRole("button")
      .last()
      .boundingBox();
    assert.ok(lane && first && own);
    assert.ok(first.x >= own.x + own.width, "behind all that the turn did");
    assert.ok(own.x + own.width - lane.x > 0.7 * lane.width, "the turn keeps most of the width");
    await bars.first().click();
    await page.locator(".cell-grade [data-head]:focus").waitFor();
  });

  it("says what judging cost, apart from the turn's own figures", async () => {
    const panel = await fixture.open({ before: (bed) => withComparedTurn(bed) });
    await openFirst(panel);
    const facts = await panel.page.getByRole("complementary").innerText();
    assert.match(facts, /after the answer\s+judging\s+7,740 tokens · 9\.6 s/i);
    assert.match(facts, /in, all steps\s+3,728/);
  });

  it("leads from a memory to the turn in which it was said", async () => {
    const panel = await fixture.open({ before: withRecalledTurn });
    const { page } = panel;
    await page.locator(".rows [role=option]", { hasText: "What did we decide" }).click();
    await page
      .getByRole("button", { name: /show the turn that it comes from/ })
      .first()
      .click();
    await page.locator("main .cell-answer", { hasText: "It stays in the process." }).waitFor();
    assert.deepEqual(panel.complaints, []);
  });

  it("says of a turn that is not in the log any more that it is gone", async () => {
    const panel = await fixture.open({ before: (bed) => withAnswer(bed, "It stays.") });
    await openFirst(panel);
    const place = { sessionId: "00000000-0000-4000-8000-0000000000ff", turnId: "f".repeat(32) };
    panel.bed.host.show(place);
    await panel.page.getByText("Nothing of this turn is in the log any more.").waitFor();
  });
});
