/** The themes that the panel's own tests draw it in are those of the editor. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { THEMES, type ThemeName } from "../../browser/support/themes.ts";
import { canDrive, window } from "./driver.ts";
import { panelWorld } from "./user.ts";
import { theme, type World } from "./world.ts";

/** The page of the panel once it has a theme. */
const PAGES: { readonly [name in ThemeName]: string } = {
  light: "body.vscode-light main",
  "hc-dark": "body.vscode-high-contrast:not(.vscode-high-contrast-light) main",
  "hc-light": "body.vscode-high-contrast-light main",
  dark: "body.vscode-dark main",
};

const ALL = Object.values(THEMES).flatMap((variables) => Object.keys(variables));
/** Fonts are those of the machine. */
const NAMES = new Set(ALL.filter((name) => !name.endsWith("font-family")));

function pick(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => NAMES.has(name)));
}

describe("the editor's themes", () => {
  let world: World;

  before(async function () {
    if (!canDrive) this.skip();
    world = await panelWorld();
  });

  after(async () => {
    if (!canDrive) return;
    await theme("dark");
    await world.close();
  });

  for (const [name, page] of Object.entries(PAGES) as [ThemeName, string][])
    it(`give the panel in ${name} the colours that it is tested with, and no others of those it asks for`, async () => {
      await vscode.commands.executeCommand("conclave.openTracePanel");
      await theme(name);
      await window.waitForText(page, "");
      assert.deepEqual(pick(await window.variables(page)), pick(THEMES[name]));
    });
});
