/**
 * The host suite in the desktop VS Code that `@vscode/test-electron` downloads, for machines that reach it:
 *
 *   npm run test:desktop
 *
 * The window is driven through its debugging port, so the same tests run as in the browser's VS Code. Those of a folder
 * that is not trusted, and of two windows at once, run there only: the runner of `@vscode/test-electron` trusts every
 * folder and opens one window.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { downloadAndUnzipVSCode, runTests } from "@vscode/test-electron";
import { chromium } from "playwright-core";
import { say } from "../../scripts/lib/shell.mjs";
import { freePort } from "../../scripts/lib/vscode-server.mjs";
import { buildSuites, OUT } from "./build.mjs";
import { startDriver } from "./driver.mjs";
import { USER_SETTINGS } from "./window-settings.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Gives the driver the window's page as soon as its debugging port answers. */
async function attachDriver(driver, port) {
  for (let tries = 0; tries < 120; tries += 1) {
    try {
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
      const page = browser.contexts()[0]?.pages()[0];
      if (page) {
        driver.attach(page);
        return browser;
      }
      await browser.close();
    } catch {
      // The port is not open yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("The window's debugging port did not answer within a minute.");
}

async function main() {
  await rm(OUT, { recursive: true, force: true });
  await mkdir(OUT, { recursive: true });
  await buildSuites();
  const vscodeExecutablePath = await downloadAndUnzipVSCode("stable");
  const dataDir = await mkdtemp(join(tmpdir(), "conclave-desktop-"));
  const workspace = join(dataDir, "sample");
  await cp(fileURLToPath(new URL("workspace", import.meta.url)), workspace, { recursive: true });
  await mkdir(join(dataDir, "data", "User"), { recursive: true });
  await writeFile(join(dataDir, "data", "User", "settings.json"), JSON.stringify(USER_SETTINGS));
  const driver = await startDriver(OUT);
  for (const suite of ["main.cjs", "restart.cjs"]) {
    const port = await freePort();
    const attached = attachDriver(driver, port).catch((error) => {
      driver.report({ state: "failed", title: `window ${suite}: ${error.message}` });
      return undefined;
    });
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: ROOT,
      extensionTestsPath: join(OUT, suite),
      extensionTestsEnv: {
        CONCLAVE_DRIVER: driver.origin,
        CONCLAVE_HOST_SHARED: join(dataDir, "shared.json"),
      },
      launchArgs: [
        workspace,
        `--user-data-dir=${join(dataDir, "data")}`,
        `--extensions-dir=${join(dataDir, "extensions")}`,
        `--remote-debugging-port=${port}`,
        "--disable-workspace-trust",
        "--skip-welcome",
      ],
    }).catch((error) => {
      if (driver.counts.failed === 0)
        driver.report({ state: "failed", title: `window ${suite}: ${error.message}` });
    });
    const browser = await attached;
    await browser?.close().catch(() => undefined);
  }
  await driver.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  const { passed, failed, skipped } = driver.counts;
  say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
}

await main();
