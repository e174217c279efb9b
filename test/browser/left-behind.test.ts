import assert from "node:assert/strict";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { TurnScript } from "../unit/trace/support/turn-script.ts";
import { useFixture } from "./support/fixture.ts";
import type { PanelPage } from "./support/panel-page.ts";

/** Turns that are looked at, one after the other, and steps of each. */
const TURNS = 50;
const STEPS = 40;
/** What a page may have more of after fifty turns than after ten: caches that are bounded fill up. */
const MORE_NODES = 1_500;
const MORE_LISTENERS = 400;
const MORE_HEAP = 12 * 1024 * 1024;

interface Kept {
  readonly nodes: number;
  readonly listeners: number;
  readonly heap: number;
}

/** What the page holds once all that can go has gone. */
async function kept(panel: PanelPage): Promise<Kept> {
  const session = await panel.page.context().newCDPSession(panel.page);
  await session.send("Performance.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  await session.detach();
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { nodes: of("Nodes"), listeners: of("JSEventListeners"), heap: of("JSHeapUsedSize") };
}

describe("panel: what was looked at", () => {
  const fixture = useFixture();

  it("leaves nothing behind: neither fifty turns one after the other, nor one of ten thousand events", async function () {
    this.timeout(180_000);
    const panel = await fixture.open({
      before: async (bed) => {
        const identity = new SteadyIdentity(Date.now() - 9_000_000);
        for (let turn = 0; turn <= TURNS; turn += 1) {
          const script = new TurnScript((event) => bed.log.append(event), {
            identity,
            question: `Question ${turn}`,
          });
          // The last one is the large one: five events make a step.
          const steps = turn === TURNS ? 2000 : STEPS;
          for (let step = 0; step < steps; step += 1) {
            script
              .wait(10)
              .ask()
              .reply({
                thinking: "so so ".repeat(50),
                calls: [{ id: `${step}`, name: "web_fetch", arguments: {} }],
              });
            script.call("web_fetch", { step })({ result: "x".repeat(500) });
            script.stepEnd();
          }
          script.answered(`Answer ${turn}.`);
        }
        await bed.log.flush();
      },
    });
    const { page } = panel;
    await page.getByRole("listbox").focus();
    const look = async (): Promise<void> => {
      const before = await panel.evaluate<string>(`document.querySelector(".question")?.innerText ?? ""`);
      await page.keyboard.press("ArrowDown");
      await panel.until(
        `![${JSON.stringify(before)}, undefined].includes(document.querySelector(".question")?.innerText)`,
      );
      await panel.until(
        `Number(document.querySelector(".cell")?.getAttribute("aria-setsize")) > ${STEPS * 3}`,
      );
    };
    // The newest stands first: the large one is looked at before all others.
    for (let turn = 0; turn < 10; turn += 1) await look();
    const early = await kept(panel);
    for (let turn = 10; turn < TURNS; turn += 1) await look();
    const late = await kept(panel);
    const words = `${JSON.stringify(early)} then ${JSON.stringify(late)}`;
    assert.ok(late.nodes - early.nodes < MORE_NODES, words);
    assert.ok(late.listeners - early.listeners < MORE_LISTENERS, words);
    assert.ok(late.heap - early.heap < MORE_HEAP, words);
    const state = await panel.evaluate<number>(`sessionStorage.getItem("state").length`);
    assert.ok(state < 40_000, `${state} characters are saved`);
    assert.deepEqual(panel.complaints, []);
  });
});
