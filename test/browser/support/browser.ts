import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const USUAL = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/microsoft-edge",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A Chromium of this machine: the one that `CONCLAVE_BROWSER` names, else one at a usual place. */
export function findBrowser(): string {
  const named = process.env["CONCLAVE_BROWSER"];
  if (named !== undefined && named !== "") return named;
  const found = USUAL.find((path) => existsSync(path));
  if (found === undefined) throw new Error("No Chromium found: set CONCLAVE_BROWSER to one.");
  return found;
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: FLAGS });
}
