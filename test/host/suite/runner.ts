/** Runs mocha inside the extension host. */
import { join } from "node:path";
import Mocha from "mocha";
import * as vscode from "vscode";
import { canDrive, canReload, nameWindow, report, window } from "./driver.ts";

/** Watches for rejections of our own code that nobody handles; gives what was found, and ends the watch. */
function watchRejections(): () => readonly string[] {
  const extension = vscode.extensions.getExtension("conclave.conclave");
  const ours = join(extension?.extensionPath ?? "", "dist");
  const found: string[] = [];
  const note = (reason: unknown): void => {
    const stack = reason instanceof Error ? (reason.stack ?? "") : "";
    if (stack.includes(ours)) found.push(stack);
  };
  process.on("unhandledRejection", note);
  return () => {
    process.off("unhandledRejection", note);
    return found;
  };
}

/**
 * Leaves the window before VS Code hears that the tests are through: it would end the extension host first, and with it
 * the panel that the next window has to find.
 */
async function leaveWindow(): Promise<void> {
  await window.leave();
  await new Promise(() => undefined);
}

/**
 * Loads test files and runs them. Rejects when a test failed, which is how VS Code learns of it.
 *
 * @param loads one import for each test file
 * @param name of the window, where two are open at once
 */
export async function runSuite(loads: readonly (() => Promise<unknown>)[], name = ""): Promise<void> {
  nameWindow(name);
  const grep = process.env["CONCLAVE_HOST_GREP"];
  const mocha = new Mocha({ ui: "bdd", timeout: 120_000, ...(grep ? { grep } : {}) });
  mocha.suite.emit("pre-require", globalThis, "", mocha);
  mocha.suite.afterEach("picture of a failure", async function () {
    const test = this.currentTest;
    if (canDrive && test?.state === "failed")
      await window.screenshot(`failed ${test.title}`.replace(/\W+/g, "-"));
  });
  for (const load of loads) await load();
  const reports: Promise<void>[] = [];
  const rejections = watchRejections();
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on("pass", (test) => reports.push(report({ state: "passed", title: test.fullTitle() })));
    runner.on("pending", (test) => reports.push(report({ state: "skipped", title: test.fullTitle() })));
    runner.on("fail", (test, error: Error) => {
      reports.push(report({ state: "failed", title: test.fullTitle(), error: error.stack ?? error.message }));
    });
  });
  const unhandled = rejections();
  for (const error of unhandled)
    reports.push(report({ state: "failed", title: "a rejection that nobody handled", error }));
  await Promise.all(reports);
  if (failures + unhandled.length > 0) throw new Error(`${failures + unhandled.length} failed`);
  if (canReload) await leaveWindow();
}
