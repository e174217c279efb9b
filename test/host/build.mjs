/** Bundles the host suites into test/host/out/, one file a window. */
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";

/** Where bundles and screenshots go; ignored by git. */
export const OUT = fileURLToPath(new URL("out", import.meta.url));
const SUITES = fileURLToPath(new URL("suite", import.meta.url));

/** A module that runs all test files with one ending in a window of that name, for esbuild's standard input. */
async function entry(ending, name) {
  const files = (await readdir(SUITES)).filter((file) => file.endsWith(ending)).sort();
  const loads = files.map((file) => `() => import("./${file}")`);
  return `import { runSuite } from "./runner.ts";\nexport const run = () => runSuite([${loads.join(", ")}], ${JSON.stringify(name)});\n`;
}

/**
 * Builds main.cjs (the first window), restart.cjs (the same, opened again), restricted.cjs (a window in Restricted Mode),
 * one.cjs and two.cjs (windows that are open at once), and bench.cjs (figures).
 */
export async function buildSuites() {
  for (const [name, ending, window = ""] of [
    ["main", ".test.ts"],
    ["restart", ".restart.ts"],
    ["restricted", ".restricted.ts"],
    ["one", ".one.ts", "one"],
    ["two", ".two.ts", "two"],
    ["bench", ".bench.ts"],
  ]) {
    await esbuild.build({
      stdin: { contents: await entry(ending, window), resolveDir: SUITES, loader: "ts" },
      outfile: `${OUT}/${name}.cjs`,
      bundle: true,
      platform: "node",
      format: "cjs",
      target: "node20",
      sourcemap: "inline",
      external: [
        "vscode",
        "mocha",
        "@lancedb/lancedb",
        "apache-arrow",
        "@xenova/transformers",
        "onnxruntime-node",
      ],
      logLevel: "warning",
    });
  }
}
