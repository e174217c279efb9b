import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import type { NaiveState } from "./naive-state.ts";
import { STAND_IN } from "./panel-probe.ts";

/** A panel as it is first thought of: each change posts the whole state, and all of it is drawn anew. */
export class NaivePanel {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Opens it; `onReady` is called when it says that it is there, and its state is posted. */
  static async open(browser: Browser, onReady: () => NaiveState, script: string): Promise<NaivePanel> {
    const page = await browser.newPage({ viewport: { width: 1240, height: 800 } });
    const panel = new NaivePanel(page);
    await page.exposeFunction("__toHost", () => panel.post(onReady()));
    await page.addInitScript(STAND_IN);
    await page.addInitScript(script);
    const path = fileURLToPath(new URL("./naive-panel.html", import.meta.url));
    const html = await readFile(path, "utf8");
    await page.route("http://naive.test/", (route) =>
      route.fulfill({ body: html, contentType: "text/html" }),
    );
    await page.goto("http://naive.test/");
    return panel;
  }

  /** Posts the whole state; as the real panel's posts get there. */
  post(state: NaiveState): void {
    this.page.evaluate(`window.postMessage(${JSON.stringify(state)}, "*")`).catch(() => undefined);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}
