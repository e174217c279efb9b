import assert from "node:assert/strict";
import type { TurnEvent } from "../../src/agent/events.ts";
import { MAX_MESSAGE_BYTES } from "../../src/trace/panel-limits.ts";
import { SteadyIdentity } from "../unit/trace/support/steady-identity.ts";
import { TurnScript } from "../unit/trace/support/turn-script.ts";
import { useFixture } from "./support/fixture.ts";

describe("panel: much", () => {
  const fixture = useFixture();

  it("shows the first rows of a turn of 20,000 events, and draws few of them", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        let count = 0;
        const sink = (event: TurnEvent): void => {
          count += 1;
          bed.log.append(event);
        };
        const script = new TurnScript(sink, { identity: new SteadyIdentity(Date.now() - 9_000_000) });
        for (let step = 0; count < 20_000; step += 1) {
          script
            .wait(10)
            .ask()
            .reply({ calls: [{ id: `${step}`, name: "web_fetch", arguments: {} }] });
          script.call("web_fetch", { step })({ result: step % 80 === 0 ? "x".repeat(2_000_000) : "ok" });
          script.stepEnd();
        }
        script.answered("Done.");
        await bed.log.flush();
      },
    });
    const { page } = panel;
    await page.locator(".rows [role=option]").first().waitFor();
    await page.locator(".rows [role=option]").first().click();
    await panel.until(`document.querySelectorAll(".cell").length >= 5`);
    await panel.until(`Number(document.querySelector(".cell")?.getAttribute("aria-setsize")) > 6000`);
    assert.ok((await page.locator(".cell").count()) < 80);
    assert.ok(panel.largestPost < MAX_MESSAGE_BYTES, `${panel.largestPost} bytes`);
    await page.locator("[data-head]").first().focus();
    await page.keyboard.press("End");
    await page.locator(".cell-answer").getByText("Done.").waitFor();
  });

  it("lists ten thousand turns page by page, drawing those in sight", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        const identity = new SteadyIdentity(Date.now() - 90_000_000);
        let sessionId: string | undefined;
        for (let index = 0; index < 10_000; index += 1) {
          const script = new TurnScript((event) => bed.log.append(event), {
            identity,
            question: `Question ${index}`,
            ...(sessionId === undefined ? {} : { sessionId }),
          });
          sessionId = index % 100 === 99 ? undefined : script.sessionId;
          script.answered("Yes.");
          if (index % 500 === 0) await bed.log.flush();
        }
        await bed.log.flush();
      },
    });
    const { page } = panel;
    await page.locator(".rows [role=option]").first().waitFor();
    assert.ok((await page.locator(".rows [role=option]").count()) < 60);
    const height = `document.querySelector(".rows").scrollHeight`;
    const before = await panel.evaluate<number>(height);
    await panel.evaluate(`document.querySelector(".rows").scrollTop = 1e7`);
    await panel.until(`${height} > ${before}`);
    assert.ok((await page.locator(".rows [role=option]").count()) < 60);
    assert.ok(panel.largestPost < MAX_MESSAGE_BYTES);
  });
});
