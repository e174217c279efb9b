import assert from "node:assert/strict";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { TurnScript } from "../unit/trace/support/turn-script.ts";
import { useFixture } from "./support/fixture.ts";
import type { PanelPage } from "./support/panel-page.ts";
import { openFirst } from "./support/turns.ts";

const SUMMARY =
  "**Goal:** keep the cache.\n\n- Tried: Redis, which was too slow.\n- The user corrected: ten minutes, not one.";

describe("panel: the context of a turn", () => {
  const fixture = useFixture();

  async function opened(): Promise<PanelPage> {
    const panel = await fixture.open({
      before: async (bed) => {
        const script = new TurnScript((event) => bed.log.append(event), {
          question: "And what holds for the second replica?",
          identity: new SteadyIdentity(Date.now() - 60_000),
        });
        const place = { parentId: script.turnId };
        const id = script.emitter.emit("context.compacted", place, {
          how: "summary",
          before: 27_400,
          after: 6_200,
          turns: ["a", "b", "c"],
          summary: SUMMARY,
          "gen_ai.request.model": "qwen3:8b",
        });
        bed.engine.summaries.set(script.sessionId, id);
        script.emitter.emit("context.budget", place, {
          "conclave.context_length": 32_768,
          parts: {
            ...{ system: 1_900, tools: 2_400, history: 6_200, memory: 900, references: 3_100 },
            ...{ question: 60, steps: 1_800, answer: 4_096 },
          },
          calibration: 1.04,
        });
        script
          .wait(10)
          .ask()
          .wait(900)
          .reply({
            content: "The same.",
            usage: { inputTokens: 16_410, outputTokens: 80, promptMs: 300, generationMs: 1_500 },
          })
          .stepEnd()
          .answered("The same.");
        await bed.log.flush();
      },
    });
    await openFirst(panel);
    return panel;
  }

  it("shows what fills the context, part by part, each with a name and a figure", async () => {
    const panel = await opened();
    const text = (await panel.page.locator(".facts").innerText()).replaceAll(/\s+/g, " ");
    for (const part of [
      "rules 1,900",
      "tools 2,400",
      "history 6,200",
      "memory, files 4,000",
      "steps of this turn 1,800",
    ])
      assert.ok(text.includes(part), `${part} is missing in: ${text}`);
    assert.equal(await panel.page.locator(".gauge i").count(), 6);
  });

  it("says what was summed up, and takes the summary back when asked, once", async () => {
    const panel = await opened();
    const { page } = panel;
    const cell = page.locator(".cell-compaction");
    assert.match(await cell.innerText(), /earlier turns were summed up, 3 turns: 27,400 to 6,200 tokens/);
    await cell.locator("button.fold").click();
    await cell.getByText("Redis, which was too slow").waitFor();
    await panel.picture("context");
    await cell.getByRole("button", { name: "Undo the summary" }).click();
    await cell.getByText("It was taken back").waitFor();
    assert.equal(await cell.getByRole("button", { name: "Undo the summary" }).count(), 0);
  });

  it("says so where the summary is gone already", async () => {
    const panel = await opened();
    panel.bed.engine.summaries.clear();
    const cell = panel.page.locator(".cell-compaction");
    await cell.locator("button.fold").click();
    await cell.getByRole("button", { name: "Undo the summary" }).click();
    await panel.page.getByRole("alert").getByText("No summary stands").waitFor();
  });
});
