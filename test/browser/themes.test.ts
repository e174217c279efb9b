import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { seriousFindings } from "./support/axe.ts";
import { useFixture } from "./support/fixture.ts";
import type { PanelPage } from "./support/panel-page.ts";
import { THEMES, type ThemeName } from "./support/themes.ts";
import { openMemory, withMemories } from "./support/memories.ts";
import { openFirst, withAnswer, withCacheTurn } from "./support/turns.ts";

/** The contrast of an element's text with what is painted behind it, by the WCAG formula. Runs in the page. */
const CONTRAST = `(selector) => {
  const element = document.querySelector(selector);
  if (element === null) return 0;
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const over = (color, behind) => {
    canvas.fillStyle = "rgb(" + behind.join(",") + ")";
    canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const layers = [];
  for (let e = element; e !== null; e = e.parentElement) layers.unshift(getComputedStyle(e).backgroundColor);
  const behind = layers.reduce((color, layer) => over(layer, color), [255, 255, 255]);
  const text = over(getComputedStyle(element).color, behind);
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [light(text), light(behind)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}`;

async function contrast(panel: PanelPage, selector: string): Promise<number> {
  return panel.evaluate<number>(`(${CONTRAST})(${JSON.stringify(selector)})`);
}

/** Searches episodes by how well they fit, and opens the first. */
async function rankAndOpen({ page }: PanelPage): Promise<void> {
  await page.getByRole("switch", { name: "Ranked" }).click();
  await page.getByRole("searchbox", { name: "What should be recalled" }).fill("cache redis");
  await page.locator(".memory-row .score").first().waitFor();
  await page.locator(".memory-row .main").first().click();
  await page.getByRole("region", { name: "Why recalled" }).waitFor();
}

/** Goes to a table, opens its first row, and selects the second. */
async function openTable({ page }: PanelPage, table: string): Promise<void> {
  await page.getByRole("tab", { name: table }).click();
  await page.locator(".memory-row .main").nth(1).waitFor();
  await page.locator(".memory-row .main").first().click();
  await page.locator(".memory-fields").waitFor();
  await page.locator(".memory-row input").nth(1).click();
  await page.getByText("1 selected").waitFor();
}

const THEME_NAMES = Object.keys(THEMES) as ThemeName[];

describe("panel: themes and access", () => {
  const fixture = useFixture();

  it("keeps inline code, links, badges and dim words readable in all four kinds of theme, without a reload", async () => {
    const panel = await fixture.open({
      before: async (bed) => {
        const text = "Press `Ctrl+K`, then **save** the [log](https://example.test)";
        const script = await withAnswer(bed, text);
        const place = { parentId: script.turnId };
        script.emitter.emit("critique.result", place, {
          score: 2,
          feedback: "thin",
          "gen_ai.request.model": "m",
        });
        await bed.log.flush();
      },
    });
    await openFirst(panel);
    await panel.page.locator(".cell-answer .grade").waitFor();
    for (const theme of THEME_NAMES) {
      await panel.setTheme(theme);
      const least = theme.startsWith("hc") ? 7 : 4.5;
      for (const selector of [
        ".cell-answer .markdown code",
        ".cell-answer .markdown a",
        ".cell-answer .grade",
        ".row .grade",
        ".row-answer",
        ".row-facts",
        ".standing",
        ".facts h3",
        ".fact",
        ".actions .quiet",
      ]) {
        const found = await contrast(panel, selector);
        assert.ok(found >= least, `${selector} in ${theme}: ${found.toFixed(2)}`);
      }
      await panel.picture(`theme-${theme}`);
    }
  });

  it("tells kinds of work apart by colour in all four kinds of theme", async () => {
    const panel = await fixture.open({ before: (bed) => withCacheTurn(bed) });
    await openFirst(panel);
    const legend = panel.page.locator(".lane-legend .swatch");
    await legend.first().waitFor();
    for (const theme of THEME_NAMES) {
      await panel.setTheme(theme);
      const colours = await legend.evaluateAll((all) =>
        all.map((swatch) => {
          const { backgroundColor, backgroundImage } = getComputedStyle(swatch);
          return `${backgroundColor} ${backgroundImage}`;
        }),
      );
      assert.ok(colours.length >= 3, colours.join("\n"));
      assert.equal(new Set(colours).size, colours.length, `${theme}:\n${colours.join("\n")}`);
      assert.ok(!colours.includes("rgba(0, 0, 0, 0) none"), `a kind has no colour in ${theme}`);
    }
  });

  it("asks the editor for no colour that these tests don't know", async () => {
    const known = new Set(THEME_NAMES.flatMap((theme) => Object.keys(THEMES[theme])));
    const folder = new URL("../../src/webview/", import.meta.url);
    const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(?:css|tsx?)$/.test(file));
    const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")));
    const asked = texts.flatMap((text) => text.match(/(?<=--vscode-)[\w-]+/g) ?? []);
    assert.deepEqual(
      [...new Set(asked)].filter((name) => !known.has(name) && !name.startsWith("editor-font")),
      [],
    );
  });

  it("shows where the focus is in high contrast", async () => {
    const panel = await fixture.open({
      theme: "hc-dark",
      before: (bed) => withCacheTurn(bed),
    });
    await openFirst(panel);
    await panel.page.locator("[data-head]").first().focus();
    await panel.page.keyboard.press("ArrowDown");
    await panel.until(`document.activeElement?.closest(".cell-model") !== null`);
    const outline = await panel.evaluate<string>(`getComputedStyle(document.activeElement).outline`);
    assert.match(outline, /rgb\(243, 133, 24\) solid 1px/);
  });

  for (const theme of THEME_NAMES) {
    it(`gives axe nothing serious to find in ${theme}: empty, a turn`, async () => {
      const panel = await fixture.open({ theme, before: (bed) => withCacheTurn(bed) });
      await panel.page.locator(".empty").waitFor();
      assert.deepEqual(await seriousFindings(panel), []);
      await openFirst(panel);
      const folded = panel.page.locator(".fold[aria-expanded=false]");
      while ((await folded.count()) > 0) await folded.first().click();
      assert.deepEqual(await seriousFindings(panel), []);
    });

    it(`gives axe nothing serious to find in ${theme}: what is recalled, and forgetting`, async () => {
      const panel = await fixture.open({ theme, before: withMemories });
      await openMemory(panel);
      assert.deepEqual(await seriousFindings(panel), []);
      await rankAndOpen(panel);
      await panel.page.getByRole("button", { name: "Forget all about" }).click();
      assert.deepEqual(await seriousFindings(panel), []);
    });

    it(`gives axe nothing serious to find in ${theme}: the tables of memory`, async () => {
      const panel = await fixture.open({
        theme,
        before: (bed) => {
          bed.scopes = ["here"];
          withMemories(bed);
        },
      });
      await openMemory(panel);
      for (const table of ["Facts", "People", "Relationships", "Resources", "Moments"]) {
        await openTable(panel, table);
        assert.deepEqual(await seriousFindings(panel), [], table);
      }
    });
  }
});
