import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { failure } from "../../src/agent/failure.ts";
import { buildPanel } from "./support/bundle.ts";
import { useFixture } from "./support/fixture.ts";
import type { PanelPage } from "./support/panel-page.ts";
import { openFirst, withCacheTurn } from "./support/turns.ts";

const OVERFLOWS = `[...document.querySelectorAll(".panel > :not(.sr-only)")].some((e) => e.offsetParent !== null && e.scrollWidth > e.clientWidth + 1)
  || document.documentElement.scrollWidth > innerWidth`;

function visible(panel: PanelPage, selector: string): Promise<boolean> {
  return panel.page.locator(selector).isVisible();
}

describe("panel: layout", () => {
  const fixture = useFixture();

  it("is under 120 KB gzipped", async () => {
    const { script } = await buildPanel();
    const size = gzipSync(script).length / 1024;
    assert.ok(size < 120, `${size.toFixed(1)} KB`);
  });

  for (const theme of ["dark", "light"] as const) {
    it(`has three columns at 1240 in ${theme}`, async () => {
      const panel = await fixture.open({ theme, before: (bed) => withCacheTurn(bed) });
      await openFirst(panel);
      await panel.page.locator(".cell-thinking button").last().click();
      for (const column of [".turns", ".cells", ".facts"]) assert.ok(await visible(panel, column), column);
      assert.equal(await panel.evaluate(OVERFLOWS), false);
      await panel.picture(`turn-${theme}`);
    });
  }

  it("folds the right column into a view of its own at 800", async () => {
    const panel = await fixture.open({ width: 800, before: (bed) => withCacheTurn(bed) });
    await openFirst(panel);
    assert.deepEqual([await visible(panel, ".turns"), await visible(panel, ".facts")], [true, false]);
    await panel.picture("width-800");
    await panel.page.getByRole("button", { name: "Facts about the turn" }).click();
    assert.deepEqual([await visible(panel, ".facts"), await visible(panel, ".cells")], [true, false]);
    assert.equal(await panel.evaluate(OVERFLOWS), false);
  });

  it("is one column at 320, with turns and facts a button away", async () => {
    const panel = await fixture.open({
      width: 320,
      height: 700,
      before: (bed) => withCacheTurn(bed),
    });
    const { page } = panel;
    assert.equal(await visible(panel, ".turns"), false);
    await page.getByRole("button", { name: "Turns" }).click();
    await panel.picture("width-320-turns");
    await openFirst(panel);
    assert.equal(await visible(panel, ".turns"), false);
    assert.equal(await panel.evaluate(OVERFLOWS), false);
    await panel.picture("width-320");
    await page.getByRole("button", { name: "Facts about the turn" }).click();
    assert.ok(await visible(panel, ".facts"));
  });

  it("says what is missing before the first question, each with its button", async () => {
    const panel = await fixture.open({
      before: (bed) => {
        bed.model = "";
        bed.problems = [
          failure("server_unreachable", "Ollama is not running at http://127.0.0.1:11434.", {
            action: "start_ollama",
          }),
          failure("no_model", "No chat model is chosen yet.", { action: "select_model" }),
          failure("memory_unavailable", "No embedding model: memory is searched by words only.", {
            action: "check_setup",
          }),
        ];
      },
    });
    const { page, bed } = panel;
    await page.locator(".missing li").nth(2).waitFor();
    await panel.picture("empty");
    await page.getByRole("button", { name: "Select a model" }).click();
    while (bed.ran.length === 0) await new Promise(setImmediate);
    assert.deepEqual(bed.ran, ["select_model"]);
    await page.getByRole("button", { name: "What did we decide about the cache?" }).click();
    assert.equal(
      await page.getByRole("textbox", { name: "Question" }).inputValue(),
      "What did we decide about the cache?",
    );
  });
});
