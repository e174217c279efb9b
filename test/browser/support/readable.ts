import assert from "node:assert/strict";
import { seriousFindings } from "./axe.ts";
import type { PanelPage } from "./panel-page.ts";
import { THEMES, type ThemeName } from "./themes.ts";

const THEME_NAMES = Object.keys(THEMES) as ThemeName[];

/** Looks at what is shown in every theme and on a narrow panel. */
export async function readable(panel: PanelPage, name: string): Promise<void> {
  for (const theme of THEME_NAMES) {
    await panel.setTheme(theme);
    assert.deepEqual(await seriousFindings(panel), [], `${name} ${theme}`);
    await panel.picture(`${name}-${theme}`);
  }
  await panel.page.setViewportSize({ width: 420, height: 800 });
  await panel.picture(`${name}-narrow`);
  assert.deepEqual(await seriousFindings(panel), [], `${name} narrow`);
}
