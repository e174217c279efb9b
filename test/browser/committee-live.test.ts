import assert from "node:assert/strict";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { largeCommitteeTurn } from "../unit/trace/support/committee-turn.ts";
import type { TurnEvent } from "../../src/agent/events.ts";
import { useFixture } from "./support/fixture.ts";

const MEMBERS = 6;
const ROUNDS = 5;
/** How often each member adds some words while all write. */
const WORDS = 100;

/** Counts, in the page, the frames in which something of it changed, and how many changes came in one breath at most. */
const COUNT_CHANGES = `(() => {
  window.__changes = { frames: 0, drawings: 0 };
  let changed = false;
  new MutationObserver(() => { window.__changes.drawings += 1; changed = true; })
    .observe(document.body, { childList: true, subtree: true, characterData: true });
  const look = () => { if (changed) window.__changes.frames += 1; changed = false; requestAnimationFrame(look); };
  requestAnimationFrame(look);
})()`;

describe("panel: a large committee", () => {
  const fixture = useFixture();

  it("draws once a frame while the six members of the fifth round write at once, however much they write", async () => {
    const panel = await fixture.open();
    const { page, bed } = panel;
    let sink: (event: TurnEvent) => void = () => undefined;
    const script = largeCommitteeTurn(
      (event) => {
        if (event.type === "turn.start") sink = bed.engine.follow(event);
        sink(event);
      },
      { members: MEMBERS, rounds: ROUNDS - 1, of: ROUNDS },
      new SteadyIdentity(Date.now() - 60_000),
    );
    await page.locator(".rows [role=option]").first().waitFor();
    await panel.until(`document.querySelectorAll(".cell-round").length > 0`);
    const last = script.round(ROUNDS);
    const writers = Array.from({ length: MEMBERS }, (_, at) => script.begins(last, `Persona ${at + 1}`));
    await panel.evaluate(COUNT_CHANGES);
    await write(writers);
    await panel.until(`document.body.innerText.includes("word ${WORDS - 1} ")`);
    assert.match(await page.getByRole("status").innerText(), /^Persona \d: Answering$/);
    const { frames, drawings } = await panel.evaluate<{ frames: number; drawings: number }>(
      "window.__changes",
    );
    assert.ok(frames > 0 && drawings < WORDS * MEMBERS, `${drawings} drawings in ${frames} frames`);
    assert.ok(drawings <= frames * 3, `${drawings} drawings in ${frames} frames`);
    assert.ok((await page.locator(".cell").count()) < 40);
    assert.deepEqual(panel.complaints, []);
  });

  it("opens five rounds of six, and folds answers that are long", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        const identity = new SteadyIdentity(Date.now() - 900_000);
        largeCommitteeTurn((event) => bed.log.append(event), { members: MEMBERS, rounds: ROUNDS }, identity);
        await bed.log.flush();
      },
    });
    const { page } = panel;
    await page.locator(".rows [role=option]").first().waitFor();
    await page.locator(".rows [role=option]").first().click();
    await panel.until(`document.querySelectorAll(".member").length >= ${MEMBERS}`);
    const member = page.locator(".member").first();
    const height = (await member.boundingBox())?.height ?? 0;
    assert.ok(height < 260, `${height} px`);
    await member.getByRole("button", { name: "All of it" }).click();
    await panel.until(`document.querySelector(".member").getBoundingClientRect().height > ${height} + 50`);
    await panel.picture("committee-large");
  });

  /** Lets all write at the same time, a few words in each turn of the loop. */
  async function write(writers: readonly ((text: string) => void)[]): Promise<void> {
    for (let word = 0; word < WORDS; word += 1) {
      for (const writer of writers) writer(`word ${word} of what I hold, `);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});
