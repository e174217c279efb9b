import assert from "node:assert/strict";
import { seriousFindings } from "./support/axe.ts";
import { VIEWS } from "./support/every-view.ts";
import { useFixture } from "./support/fixture.ts";
import { withCommitteeTurn } from "./support/judged.ts";
import { THEMES, type ThemeName } from "./support/themes.ts";
import { openFirst } from "./support/turns.ts";

const THEME_NAMES = Object.keys(THEMES) as ThemeName[];

/** Wide and narrow in every theme; what lies between, and the narrowest, in one. */
const SIZES: readonly {
  readonly width: number;
  readonly height: number;
  readonly themes: readonly ThemeName[];
}[] = [
  { width: 1400, height: 900, themes: THEME_NAMES },
  { width: 420, height: 800, themes: THEME_NAMES },
  { width: 700, height: 800, themes: ["dark"] },
  { width: 320, height: 700, themes: ["light"] },
];

/** Something is wider than the panel: a part of it can't be reached. */
const OVERFLOWS = `[...document.querySelectorAll(".panel > :not(.sr-only)")].some((e) => e.checkVisibility({ visibilityProperty: true }) && e.scrollWidth > e.clientWidth + 1)
  || document.documentElement.scrollWidth > innerWidth`;

describe("panel: every view, in every theme and width", () => {
  const fixture = useFixture();

  for (const { name, before, go } of VIEWS)
    it(`${name}: axe finds nothing serious, and nothing is wider than the panel`, async function () {
      this.timeout(240_000);
      const panel = await fixture.open(before === undefined ? {} : { before });
      await go(panel);
      for (const { width, height, themes } of SIZES) {
        await panel.page.setViewportSize({ width, height });
        for (const theme of themes) {
          await panel.setTheme(theme);
          const where = `${name} in ${theme} at ${width}`;
          assert.deepEqual(await seriousFindings(panel), [], where);
          assert.equal(await panel.evaluate(OVERFLOWS), false, `${where} overflows`);
          await panel.picture(`view-${name}-${theme}-${width}`);
        }
      }
      assert.deepEqual(panel.complaints, []);
    });

  it("keeps its bars and borders where the system forces its colours, and moves nothing where that is asked", async () => {
    const panel = await fixture.open({ before: withCommitteeTurn });
    await panel.page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
    await openFirst(panel);
    const seen = await panel.evaluate<string>(
      `getComputedStyle(document.querySelector(".lane-bar .fill-model, .lane-bar .fill-memory")).backgroundColor`,
    );
    assert.notEqual(seen, "rgba(0, 0, 0, 0)");
    const moving = await panel.evaluate<number>("document.getAnimations().length");
    assert.equal(moving, 0);
    await panel.picture("view-forced-colors");
  });
});
