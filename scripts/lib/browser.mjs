/** Finds a Chromium-like browser, or gets one. */
import { existsSync } from "node:fs";
import { mustRun, run, say, which } from "./shell.mjs";

const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
  "chrome",
];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  `${process.env.PROGRAMFILES}\\Google\\Chrome\\Application\\chrome.exe`,
  `${process.env["PROGRAMFILES(X86)"]}\\Microsoft\\Edge\\Application\\msedge.exe`,
];

/** What a headless browser is started with: no sandbox for root, and nothing that calls home. */
export const BROWSER_ARGS = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The path of a browser that is there, or undefined. */
export function findBrowser() {
  const wanted = process.env.CONCLAVE_BROWSER;
  if (wanted && existsSync(wanted)) return wanted;
  for (const name of NAMES) {
    const path = which(name);
    if (path) return path;
  }
  return PLACES.find((place) => existsSync(place));
}

/** The path of a browser; installs Debian's chromium as root, else playwright's own download. */
export async function ensureBrowser() {
  const found = findBrowser();
  if (found) return found;
  if (which("apt-get") && process.getuid?.() === 0) {
    say("Installing a browser for the tests: Debian's chromium ...");
    await run("apt-get", ["update", "-qq"], { quiet: true });
    await mustRun("apt-get", ["install", "-y", "-qq", "chromium"], {
      quiet: true,
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    const installed = findBrowser();
    if (installed) return installed;
  }
  say("Installing a browser for the tests: playwright's chromium ...");
  await mustRun("npx", ["playwright-core", "install", "chromium"], { quiet: true });
  const { chromium } = await import("playwright-core");
  return chromium.executablePath();
}
