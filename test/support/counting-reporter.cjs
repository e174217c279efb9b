/** Mocha's spec reporter, which also leaves its counts in the file named by CONCLAVE_COUNTS. */
const { writeFileSync } = require("node:fs");
const Mocha = require("mocha");

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once("end", () => {
      const { passes, failures, pending } = this.stats;
      const file = process.env.CONCLAVE_COUNTS;
      if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
};
