import type { Browser } from "playwright-core";
import { cacheTurn, SteadyIdentity } from "../unit/trace/support/turn-script.ts";
import { launchBrowser } from "./support/browser.ts";
import { servePanel } from "./support/bundle.ts";
import { PanelPage } from "./support/panel-page.ts";

describe("panel: looks", () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof servePanel>>;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), servePanel()]);
  });
  after(async () => {
    await browser.close();
    await server.close();
  });

  for (const theme of ["dark", "light"] as const) {
    it(`draws a turn in ${theme}`, async () => {
      const panel = await PanelPage.open(browser, server.url, {
        theme,
        before: async (bed) => {
          cacheTurn((event) => bed.log.append(event), {
            question: "What did we decide about the cache, and does it still hold?",
            identity: new SteadyIdentity(Date.now() - 60_000),
          });
          await bed.log.flush();
        },
      });
      await panel.page.getByRole("option").first().click();
      await panel.page.locator(".cell-answer .markdown").waitFor();
      await panel.picture(`turn-${theme}`);
      console.log(panel.complaints);
      await panel.close();
    });
  }
});
