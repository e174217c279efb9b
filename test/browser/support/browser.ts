import { chromium, type Browser } from "playwright-core";
import { BROWSER_ARGS, findBrowser } from "../../../scripts/lib/browser.mjs";

/** Starts a Chromium of this machine: the one that `CONCLAVE_BROWSER` names, else one at a usual place. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error("No Chromium found: set CONCLAVE_BROWSER to one.");
  return chromium.launch({ executablePath, args: BROWSER_ARGS });
}
