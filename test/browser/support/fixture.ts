import type { Browser } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { servePanel } from "./bundle.ts";
import { PanelPage, type OpenOptions } from "./panel-page.ts";

/** What the tests of one file share: a browser and the panel's server, gone when they are done. */
export interface Fixture {
  /** Opens a panel of its own; it is closed after the test. */
  open(options?: OpenOptions): Promise<PanelPage>;
}

/** Starts and stops what a file of tests needs. To be called inside `describe`. */
export function useFixture(): Fixture {
  let browser: Browser | undefined;
  let server: Awaited<ReturnType<typeof servePanel>> | undefined;
  let opened: PanelPage[] = [];

  before(async () => {
    server = await servePanel();
    browser = await launchBrowser();
  });

  afterEach(async () => {
    for (const panel of opened) await panel.close();
    opened = [];
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  return {
    open: async (options = {}) => {
      if (browser === undefined || server === undefined) throw new Error("the fixture is not ready");
      const panel = await PanelPage.open(browser, server.url, options);
      opened.push(panel);
      return panel;
    },
  };
}
