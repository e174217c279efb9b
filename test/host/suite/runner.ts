/** Runs mocha inside the extension host. */
import Mocha from "mocha";
import { canDrive, report, window } from "./driver.ts";

/**
 * Loads test files and runs them. Rejects when a test failed, which is how VS Code learns of it.
 *
 * @param loads one import for each test file
 */
export async function runSuite(loads: readonly (() => Promise<unknown>)[]): Promise<void> {
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
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on("pass", (test) => reports.push(report({ state: "passed", title: test.fullTitle() })));
    runner.on("pending", (test) => reports.push(report({ state: "skipped", title: test.fullTitle() })));
    runner.on("fail", (test, error: Error) => {
      reports.push(report({ state: "failed", title: test.fullTitle(), error: error.stack ?? error.message }));
    });
  });
  await Promise.all(reports);
  if (failures > 0) throw new Error(`${failures} failed`);
}
