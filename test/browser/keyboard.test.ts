import assert from "node:assert/strict";
import { useFixture } from "./support/fixture.ts";
import { openFirst, withAnswer, withCacheTurn } from "./support/turns.ts";

describe("panel: by keyboard", () => {
  const fixture = useFixture();

  it("moves over the cells by Up and Down, and folds them by Left and Right", async () => {
    const panel = await fixture.open({ before: (bed) => withCacheTurn(bed) });
    const { page } = panel;
    await openFirst(panel);
    await page.locator("[data-head]").first().focus();
    for (let step = 0; step < 2; step += 1) await page.keyboard.press("ArrowDown");
    const thinking = page.locator(".cell-thinking button").first();
    await panel.until(`document.activeElement?.closest(".cell-thinking") !== null`);
    assert.equal(await thinking.getAttribute("aria-expanded"), "false");
    await page.keyboard.press("ArrowRight");
    await page.getByText("The user wants to know about the cache.").waitFor();
    assert.equal(await thinking.getAttribute("aria-expanded"), "true");
    await page.keyboard.press("ArrowLeft");
    await page.getByText("The user wants to know about the cache.").waitFor({ state: "detached" });
    await panel.until(`document.activeElement?.closest(".cell-thinking") !== null`);
    await page.keyboard.press("End");
    await panel.until(`document.activeElement?.closest(".cell-answer") !== null`);
  });

  it("chooses a turn by Up and Down in the list", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        await withAnswer(bed, "First answer.", 1000);
        await withAnswer(bed, "Second answer.", 2000);
      },
    });
    const { page } = panel;
    await page.getByRole("listbox").focus();
    await page.keyboard.press("ArrowDown");
    await page.locator(".cell-answer").waitFor();
    const first = await page.locator(".cell-answer .markdown").innerText();
    await page.keyboard.press("ArrowDown");
    await panel.until(
      `![null, ${JSON.stringify(first)}].includes(document.querySelector(".cell-answer .markdown")?.innerText ?? null)`,
    );
    assert.equal(await page.locator(".rows [role=option][aria-selected=true]").count(), 1);
  });

  it("reaches everything by Tab, and asks by Ctrl+Enter", async () => {
    const panel = await fixture.open({ before: (bed) => withCacheTurn(bed) });
    const { page, bed } = panel;
    await openFirst(panel);
    const names = new Set<string>();
    await page.getByRole("button", { name: "New session" }).focus();
    for (let step = 0; step < 30; step += 1) {
      await page.keyboard.press("Tab");
      names.add(
        await panel.evaluate<string>(
          `(() => { const e = document.activeElement; return e.getAttribute("aria-label") ?? e.textContent.trim(); })()`,
        ),
      );
    }
    for (const name of ["Memory", "Search turns", "Turns", "Good answer", "Question", "memory", "web"]) {
      assert.ok(names.has(name), `${name} is not reached: ${[...names].join(", ")}`);
    }
    await page.getByRole("textbox", { name: "Question" }).fill("And now?");
    await page.keyboard.press("Control+Enter");
    await panel.until(`document.querySelector("textarea").value === ""`);
    assert.equal(bed.engine.asked[0]?.question, "And now?");
  });
});
