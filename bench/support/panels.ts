import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";
import { BROWSER_ARGS, findBrowser } from "../../scripts/lib/browser.mjs";
import { servePanel } from "../../test/browser/support/bundle.ts";
import { PanelPage, type OpenOptions } from "../../test/browser/support/panel-page.ts";
import { Skipped } from "../frame.ts";
import { NaivePanel } from "./naive-panel.ts";
import type { NaiveState } from "./naive-state.ts";
import { FRAMES } from "./panel-probe.ts";

/** A real browser, with the panel and the naive one to open in it. */
export interface Panels {
  /** The real panel, joined to its real host side; with `FRAMES` in its page, unless another script is named. */
  readonly open: (options?: OpenOptions) => Promise<PanelPage>;
  readonly openNaive: (onReady: () => NaiveState, script?: string) => Promise<NaivePanel>;
}

/** Measures in a real browser; skipped, in words, where none is found. */
export async function withPanels<T>(measure: (panels: Panels) => Promise<T>): Promise<T> {
  const executablePath = findBrowser();
  if (executablePath === undefined)
    throw new Skipped("no browser was found; CONCLAVE_BROWSER may name a Chromium");
  const server = await servePanel();
  let browser: Browser | undefined;
  try {
    const started = await chromium.launch({ executablePath, args: BROWSER_ARGS });
    browser = started;
    return await measure({
      open: (options = {}) => PanelPage.open(started, server.url, { script: FRAMES, ...options }),
      openNaive: (onReady, script = FRAMES) => NaivePanel.open(started, onReady, script),
    });
  } finally {
    await browser?.close();
    await server.close();
  }
}
