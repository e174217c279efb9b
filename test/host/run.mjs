/**
 * Runs the host suite: the built extension in a real VS Code (server and browser), mocha inside its extension host.
 *
 *   node test/host/run.mjs [--grep TEXT] [--headed] [--windows main,restricted,pair,bench] [--figures FILE]
 *
 * The window is opened twice on the same data: files `*.test.ts` run in the first window, `*.restart.ts` in the
 * second. A third one opens a folder that is not trusted and asks for hostile settings: `*.restricted.ts`. Then two are
 * open at once on one store: `*.one.ts` and `*.two.ts`. Screenshots are left in test/host/out/. The benchmarks ask for one
 * more window, in which figures are taken (`*.bench.ts`); they are written to the file as JSON.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { BROWSER_ARGS, ensureBrowser } from "../../scripts/lib/browser.mjs";
import { say } from "../../scripts/lib/shell.mjs";
import { startVsCodeServer } from "../../scripts/lib/vscode-server.mjs";
import { buildSuites, OUT } from "./build.mjs";
import { startDriver } from "./driver.mjs";
import { FIRST_PROBE } from "./first-probe.mjs";
import { HOSTILE_SETTINGS, RESTRICTED_SETTINGS, USER_SETTINGS } from "./window-settings.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const WINDOW_LIMIT_MS = 25 * 60_000;
/** The kinds of windows that there are tests for; `bench` has to be asked for. */
const WINDOWS = ["main", "restricted", "pair"];

/** Opens one window, runs one suite in it and resolves with its exit code. One of several has a name. */
async function runWindow({ context, server, driver, workspace, suite, headed, log, name }) {
  const page = await context.newPage();
  const finished = new Promise((resolve) => {
    driver.attach(page, () => resolve(0), name);
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
  const kind = workspace.endsWith(".code-workspace") ? "workspace" : "folder";
  await page.goto(
    `${server.origin}/?${kind}=${encodeURIComponent(workspace)}&payload=${encodeURIComponent(payload)}`,
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
      CONCLAVE_HOST_ROOT: ROOT,
    },
    onLog: (text) => log.push(text),
  });
  // One profile for all windows: the second finds what the first left open, as after a reload.
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 } });
  if (kind.script !== undefined) await context.addInitScript(kind.script);
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

/** How long a memory process may take to end when its window is closed. */
const END_LIMIT_MS = 15_000;

/** Waits until a process has ended; false when it goes on. */
async function hasEnded(pid) {
  const deadline = Date.now() + END_LIMIT_MS;
  while (Date.now() < deadline) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

/** Runs two windows at the same time, on folders of their own and one storage. */
async function runPair({ grep, headed, driver, browser, log }) {
  const dataDir = await mkdtemp(join(tmpdir(), "conclave-windows-"));
  const first = await prepare(dataDir, USER_SETTINGS);
  // The second window has two folders.
  for (const folder of ["boat", "house"]) await cp(first, join(dataDir, folder), { recursive: true });
  const second = join(dataDir, "several.code-workspace");
  await writeFile(second, JSON.stringify({ folders: [{ path: "boat" }, { path: "house" }] }));
  const env = { CONCLAVE_DRIVER: driver.origin, CONCLAVE_HOST_GREP: grep ?? "" };
  const server = await startVsCodeServer({ dataDir, testFlag: true, env, onLog: (text) => log.push(text) });
  // In a profile of its own each, so that both are in front: a page behind another one draws nothing.
  const size = { viewport: { width: 1360, height: 860 } };
  const contexts = [await browser.newContext(size), await browser.newContext(size)];
  const open = (name, context, workspace) =>
    runWindow({ context, server, driver, workspace, suite: `${name}.cjs`, headed, log, name });
  try {
    const codes = await Promise.all([open("one", contexts[0], first), open("two", contexts[1], second)]);
    for (const [at, name] of ["one", "two"].entries()) {
      if (codes[at] !== 0 && driver.counts.failed === 0)
        driver.report({ state: "failed", title: `window ${name} ended with ${codes[at]}` });
      const pid = driver.board.said(`pid of ${name}`);
      if (pid === undefined) continue;
      const state = (await hasEnded(pid)) ? "passed" : "failed";
      driver.report({ state, title: `window ${name}: its memory process ends with it` });
    }
  } finally {
    for (const context of contexts) await context.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs the windows; returns the counts over them, and writes what was measured to a file where one is named. */
export async function runHostSuite({ grep, headed = false, windows = WINDOWS, figures } = {}) {
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
    if (windows.includes("main"))
      await runWindows({ ...shared, suites: ["main.cjs", "restart.cjs"], userSettings: USER_SETTINGS });
    if (windows.includes("restricted"))
      await runWindows({
        ...shared,
        suites: ["restricted.cjs"],
        userSettings: RESTRICTED_SETTINGS,
        folderSettings: HOSTILE_SETTINGS,
        workspaceTrust: true,
      });
    if (windows.includes("pair")) await runPair(shared);
    if (windows.includes("bench"))
      await runWindows({
        ...shared,
        suites: ["bench.cjs"],
        userSettings: USER_SETTINGS,
        script: FIRST_PROBE,
      });
  } finally {
    await browser.close();
    await driver.stop();
    await writeFile(join(OUT, "server.log"), log.join(""));
    if (figures !== undefined) await writeFile(figures, JSON.stringify(driver.figures));
  }
  return driver.counts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      grep: { type: "string" },
      headed: { type: "boolean" },
      windows: { type: "string" },
      figures: { type: "string" },
    },
  });
  const { grep, headed, windows, figures } = values;
  const counts = await runHostSuite({
    grep,
    headed,
    figures,
    ...(windows && { windows: windows.split(",") }),
  });
  say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
}
