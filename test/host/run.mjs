/**
 * Runs the host suite: the built extension in a real VS Code (server and browser), mocha inside its extension host.
 *
 *   node test/host/run.mjs [--grep TEXT] [--headed]
 *
 * The window is opened twice on the same data: files `*.test.ts` run in the first window, `*.restart.ts` in the
 * second. A third one opens a folder that is not trusted and asks for hostile settings: `*.restricted.ts`. Screenshots
 * are left in test/host/out/.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { BROWSER_ARGS, ensureBrowser } from "../../scripts/lib/browser.mjs";
import { say } from "../../scripts/lib/shell.mjs";
import { startVsCodeServer } from "../../scripts/lib/vscode-server.mjs";
import { buildSuites, OUT } from "./build.mjs";
import { startDriver } from "./driver.mjs";
import { HOSTILE_SETTINGS, RESTRICTED_SETTINGS, USER_SETTINGS } from "./window-settings.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const WINDOW_LIMIT_MS = 12 * 60_000;

/** Opens one window, runs one suite in it and resolves with its exit code. */
async function runWindow({ context, server, driver, workspace, suite, headed, log }) {
  const page = await context.newPage();
  const finished = new Promise((resolve) => {
    driver.attach(page, () => resolve(0));
    void page.exposeFunction("codeAutomationExit", resolve);
    void page.exposeFunction("codeAutomationLog", (type, args) => {
      log.push(`[window ${type}] ${args.map(String).join(" ")}\n`);
    });
  });
  const remote = (path) => `vscode-remote://${server.authority}${path}`;
  const payload = JSON.stringify([
    ["extensionDevelopmentPath", remote(ROOT.replace(/\/$/, ""))],
    ["extensionTestsPath", remote(join(OUT, suite))],
  ]);
  await page.goto(
    `${server.origin}/?folder=${encodeURIComponent(workspace)}&payload=${encodeURIComponent(payload)}`,
  );
  let timer;
  const limit = new Promise((resolve) => {
    timer = setTimeout(() => resolve("no end within the limit"), WINDOW_LIMIT_MS);
  });
  const code = await Promise.race([finished, limit]);
  clearTimeout(timer);
  if (code !== 0)
    await page
      .screenshot({ path: join(OUT, `failed-${suite.replace(/\W/g, "-")}.png`) })
      .catch(() => undefined);
  if (headed && code !== 0) await page.pause();
  // Leaving the page while all still runs, as a reload does, lets VS Code save what it restores later.
  await page.goto("about:blank");
  await page.close();
  return code;
}

/** Sets up a folder and the user's settings for windows of one kind. */
async function prepare(dataDir, userSettings, folderSettings) {
  const workspace = join(dataDir, "sample");
  await cp(fileURLToPath(new URL("workspace", import.meta.url)), workspace, { recursive: true });
  await mkdir(join(dataDir, "data", "User"), { recursive: true });
  await writeFile(join(dataDir, "data", "User", "settings.json"), JSON.stringify(userSettings));
  if (folderSettings === undefined) return workspace;
  await mkdir(join(workspace, ".vscode"));
  await writeFile(join(workspace, ".vscode", "settings.json"), JSON.stringify(folderSettings));
  return workspace;
}

/** Runs some windows one after the other on a server and data of their own. */
async function runWindows({ suites, grep, headed, driver, browser, log, ...kind }) {
  const dataDir = await mkdtemp(join(tmpdir(), "conclave-host-"));
  const workspace = await prepare(dataDir, kind.userSettings, kind.folderSettings);
  const server = await startVsCodeServer({
    dataDir,
    testFlag: true,
    workspaceTrust: kind.workspaceTrust,
    env: {
      CONCLAVE_DRIVER: driver.origin,
      CONCLAVE_HOST_GREP: grep ?? "",
      CONCLAVE_HOST_LEAVES: kind.workspaceTrust ? "" : "1",
      CONCLAVE_HOST_SHARED: join(dataDir, "shared.json"),
    },
    onLog: (text) => log.push(text),
  });
  // One profile for all windows: the second finds what the first left open, as after a reload.
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 } });
  try {
    for (const suite of suites) {
      const code = await runWindow({ context, server, driver, workspace, suite, headed, log });
      if (code !== 0 && driver.counts.failed === 0)
        driver.report({ state: "failed", title: `window ${suite} ended with ${code}` });
    }
  } finally {
    await context.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs all windows; returns the counts over them. */
export async function runHostSuite({ grep, headed = false } = {}) {
  await rm(OUT, { recursive: true, force: true });
  await mkdir(OUT, { recursive: true });
  await buildSuites();
  const driver = await startDriver(OUT);
  const log = [];
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    headless: !headed,
    args: BROWSER_ARGS,
  });
  const shared = { grep, headed, driver, browser, log };
  try {
    await runWindows({ ...shared, suites: ["main.cjs", "restart.cjs"], userSettings: USER_SETTINGS });
    await runWindows({
      ...shared,
      suites: ["restricted.cjs"],
      userSettings: RESTRICTED_SETTINGS,
      folderSettings: HOSTILE_SETTINGS,
      workspaceTrust: true,
    });
  } finally {
    await browser.close();
    await driver.stop();
    await writeFile(join(OUT, "server.log"), log.join(""));
  }
  return driver.counts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const grepAt = process.argv.indexOf("--grep");
  const grep = grepAt > 0 ? process.argv[grepAt + 1] : undefined;
  const counts = await runHostSuite({ grep, headed: process.argv.includes("--headed") });
  say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
}
