import assert from "node:assert/strict";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { largeCommitteeTurn } from "../unit/trace/support/committee-turn.ts";
import type { TurnEvent } from "../../src/agent/events.ts";
import { useFixture } from "./support/fixture.ts";

const MEMBERS = 6;
const ROUNDS = 5;
/** How long members write at the same time, in milliseconds, and how often each adds some words. */
const WRITES_MS = 2_500;
const EVERY_MS = 25;
/** A frame that takes longer is felt. The machine of a test may be busy: the page has to be quick in most. */
const SLOW_FRAME_MS = 100;

/** Counts how long frames take, in the page. */
const COUNT_FRAMES = `(() => {
  window.__frames = [];
  let last = performance.now();
  const look = (now) => { window.__frames.push(now - last); last = now; requestAnimationFrame(look); };
  requestAnimationFrame(look);
})()`;

describe("panel: a large committee", () => {
  const fixture = useFixture();

  it("stays smooth while the six members of the fifth round write at once", async function () {
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
    await panel.evaluate(COUNT_FRAMES);
    const written = await write(writers);
    await panel.until(`document.body.innerText.includes("word ${written - 1} ")`);
    assert.match(await page.getByRole("status").innerText(), /^Persona \d: Answering$/);
    const frames = await panel.evaluate<number[]>("window.__frames.slice(3)");
    frames.sort((a, b) => a - b);
    const share = (part: number): number => Math.round(frames[Math.floor(frames.length * part)] ?? 0);
    const figures = `${frames.length} frames: median ${share(0.5)} ms, 95 % ${share(0.95)} ms, longest ${share(0.999)} ms`;
    if (this.test !== undefined) this.test.title += ` (${figures})`;
    assert.ok(frames.length > 20, figures);
    assert.ok(share(0.9) < SLOW_FRAME_MS, figures);
    assert.ok((await page.locator(".cell").count()) < 40);
    assert.deepEqual(panel.complaints, []);
  });

  it("opens five rounds of six within a second, and folds answers that are long", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        const identity = new SteadyIdentity(Date.now() - 900_000);
        largeCommitteeTurn((event) => bed.log.append(event), { members: MEMBERS, rounds: ROUNDS }, identity);
        await bed.log.flush();
      },
    });
    const { page } = panel;
    await page.locator(".rows [role=option]").first().waitFor();
    const first = await panel.evaluate<number>(`new Promise((resolve) => {
      const began = performance.now();
      new MutationObserver((_, observer) => {
        if (document.querySelectorAll(".member").length < ${MEMBERS}) return;
        observer.disconnect();
        resolve(performance.now() - began);
      }).observe(document.body, { childList: true, subtree: true });
      document.querySelector(".rows [role=option]").click();
    })`);
    assert.ok(first < 1_000, `${first} ms`);
    const member = page.locator(".member").first();
    const height = (await member.boundingBox())?.height ?? 0;
    assert.ok(height < 260, `${height} px`);
    await member.getByRole("button", { name: "All of it" }).click();
    await panel.until(`document.querySelector(".member").getBoundingClientRect().height > ${height} + 50`);
    await panel.picture("committee-large");
  });

  /** Lets all write for a while; gives how many words each wrote. */
  async function write(writers: readonly ((text: string) => void)[]): Promise<number> {
    const began = performance.now();
    let words = 0;
    while (performance.now() - began < WRITES_MS) {
      for (const writer of writers) writer(`word ${words} of what I hold, `);
      words += 1;
      await new Promise((resolve) => {
        setTimeout(resolve, EVERY_MS);
      });
    }
    return words;
  }
});
