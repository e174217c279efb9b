/**
 * All tests, with all that they need: `npm test`.
 *
 *   node scripts/test.mjs [--only check,unit,contract,browser,host,package]
 *
 * Installs, builds, checks, then runs the suites; says what it installs. Ends with one line of counts. The package is
 * made and tried in CI, or where it is asked for. What failed is said once more just before, so that the end of a log
 * is enough to know it.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensurePackages } from "./lib/install.mjs";
import { run, say } from "./lib/shell.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CI = process.env.CI === "true";
/** Lines of an error that the list at the end holds. */
const ERROR_LINES = 12;

/** The counts of what could not run, or only fails or passes. */
const failedToRun = (error) => ({
  passed: 0,
  failed: 1,
  skipped: 0,
  failures: [{ title: "all of it", error }],
});

/** Runs a mocha suite; a suite that ended without counts could not run. */
async function mochaSuite(config, env) {
  const folder = await mkdtemp(join(tmpdir(), "conclave-counts-"));
  const counts = join(folder, "counts.json");
  try {
    const flags = ["--config", config, "--reporter", "test/support/counting-reporter.cjs"];
    const mocha = join(ROOT, "node_modules", "mocha", "bin", "mocha.js");
    const { code } = await run(process.execPath, [mocha, ...flags], {
      cwd: ROOT,
      env: { ...process.env, ...env, CONCLAVE_COUNTS: counts },
    });
    return await readFile(counts, "utf8").then(JSON.parse, () =>
      failedToRun(`mocha ended with ${code}, without counts`),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A command that only passes or fails, as one test. */
async function singleStep(command, args, env = {}) {
  const { code } = await run(command, args, { cwd: ROOT, env: { ...process.env, ...env } });
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : failedToRun(`${command} ended with ${code}`);
}

async function hostSuite(env) {
  Object.assign(process.env, env);
  const { runHostSuite } = await import("../test/host/run.mjs");
  return runHostSuite();
}

/** Packs the extension and runs memory out of the package. */
async function packageSuite(env) {
  if (env.CONCLAVE_EMBEDDER_DIR === undefined) throw new Error("there is no embedding model to try it with");
  const folder = await mkdtemp(join(tmpdir(), "conclave-vsix-"));
  const file = join(folder, "conclave.vsix");
  try {
    const packed = await singleStep("npm", ["run", "--silent", "package", "--", "--out", file]);
    if (packed.failed > 0) return packed;
    return await singleStep(process.execPath, [join(ROOT, "scripts", "check-package.mjs"), file], env);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The real models, started where this machine can have them: the variables that tell the suites. */
async function realModels() {
  const { prepareRealModels, startRealOllama } = await import("./real-models.mjs");
  const prepared = await prepareRealModels({ log: say });
  const env = prepared.embedderDir ? { CONCLAVE_EMBEDDER_DIR: prepared.embedderDir } : {};
  if (!prepared.ollama) return { env, stop: async () => undefined };
  const server = await startRealOllama(prepared);
  return { env: { ...env, CONCLAVE_REAL_OLLAMA: server.host }, stop: server.stop };
}

/** Runs one suite and turns an exception of its set-up into a failure (in CI) or a skip. */
async function guarded(name, suite) {
  say(`\n== ${name}`);
  const began = Date.now();
  try {
    const counts = await suite();
    say(
      `== ${name}: ${counts.passed} passed, ${counts.failed} failed in ${Math.round((Date.now() - began) / 1000)} s`,
    );
    return counts;
  } catch (error) {
    say(`${name} could not run: ${error.message}`);
    return CI ? failedToRun(error.message) : { passed: 0, failed: 0, skipped: 1 };
  }
}

/** Names each test that failed, with the beginning of its error. */
function sayFailures(failures) {
  for (const { suite, title, error } of failures) {
    say(`\nFAILED in ${suite}: ${title}`);
    say(error.split("\n").slice(0, ERROR_LINES).join("\n").replace(/^/gm, "    "));
  }
}

async function main() {
  const onlyAt = process.argv.indexOf("--only");
  const only = onlyAt > 0 ? process.argv[onlyAt + 1].split(",") : undefined;
  await ensurePackages(ROOT);
  let real = { env: {}, stop: async () => undefined };
  const suites = {
    check: () => singleStep("npm", ["run", "--silent", "check"]),
    build: () => singleStep("npm", ["run", "--silent", "build"]),
    unit: () => mochaSuite(".mocharc.json", real.env),
    contract: () => mochaSuite(".mocharc.contract.json", real.env),
    browser: async () => {
      const { ensureBrowser } = await import("./lib/browser.mjs");
      return mochaSuite(".mocharc.browser.json", { CONCLAVE_BROWSER: await ensureBrowser() });
    },
    host: () => hostSuite(real.env),
    package: () => packageSuite(real.env),
  };
  const wanted = only ?? Object.keys(suites).filter((name) => CI || name !== "package");
  const chosen = Object.entries(suites).filter(([name]) => wanted.includes(name));
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  if (chosen.some(([name]) => ["unit", "contract", "host", "package"].includes(name))) {
    real = await realModels().catch((error) => {
      say(`Real models are not to be had here: ${error.message}`);
      return real;
    });
  }
  try {
    for (const [name, suite] of chosen) {
      const counts = await guarded(name, suite);
      for (const key of Object.keys(total)) total[key] += counts[key];
      failures.push(...(counts.failures ?? []).map((failure) => ({ suite: name, ...failure })));
    }
  } finally {
    await real.stop();
  }
  sayFailures(failures);
  say(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

await main();
