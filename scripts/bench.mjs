/**
 * Runs the benchmarks on code that is built as the product is: a loader that compiles on the fly wraps every function
 * to keep its name, and its time would be taken for ours.
 *
 *   node scripts/bench.mjs [--only PREFIX,...] [--json FILE] [--data FILE]
 */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import esbuild from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const outfile = fileURLToPath(new URL("../node_modules/.cache/conclave-bench/run.mjs", import.meta.url));

/**
 * Files keep the address of their source, by which they find what lies beside them.
 *
 * @type {import("esbuild").Plugin}
 */
const sourceAddress = {
  name: "source-address",
  setup(build) {
    build.onLoad({ filter: /[\\/](?:bench|test)[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const address = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll("import.meta.url", address), loader: "ts" };
    });
  },
};

await esbuild.build({
  absWorkingDir: root,
  entryPoints: ["bench/run.ts"],
  outfile,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  packages: "external",
  logLevel: "warning",
  plugins: [sourceAddress],
});
const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], {
  cwd: process.cwd(),
  stdio: "inherit",
});
process.exitCode = status ?? 1;
