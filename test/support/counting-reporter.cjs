/** Mocha's spec reporter, which also leaves its counts and failures in the file named by CONCLAVE_COUNTS. */
const { writeFileSync } = require("node:fs");
const Mocha = require("mocha");

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    runner.on("fail", (test, error) => {
      failed.push({ title: test.fullTitle(), error: String(error?.stack ?? error) });
    });
    runner.once("end", () => {
      const { passes, failures, pending } = this.stats;
      const file = process.env.CONCLAVE_COUNTS;
      const counts = { passed: passes, failed: failures, skipped: pending, failures: failed };
      if (file) writeFileSync(file, JSON.stringify(counts));
    });
  }
};
