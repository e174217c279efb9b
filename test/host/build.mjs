/** Bundles the host suites into test/host/out/, one file a window. */
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";

/** Where bundles and screenshots go; ignored by git. */
export const OUT = fileURLToPath(new URL("out", import.meta.url));
const SUITES = fileURLToPath(new URL("suite", import.meta.url));

/** A module that runs all test files with one ending, for esbuild's standard input. */
async function entry(ending) {
  const files = (await readdir(SUITES)).filter((file) => file.endsWith(ending)).sort();
  const loads = files.map((file) => `() => import("./${file}")`);
  return `import { runSuite } from "./runner.ts";\nexport const run = () => runSuite([${loads.join(", ")}]);\n`;
}

/** Builds main.cjs (first window), restart.cjs (second window) and restricted.cjs (a window in Restricted Mode). */
export async function buildSuites() {
  for (const [name, ending] of [
    ["main", ".test.ts"],
    ["restart", ".restart.ts"],
    ["restricted", ".restricted.ts"],
  ]) {
    await esbuild.build({
      stdin: { contents: await entry(ending), resolveDir: SUITES, loader: "ts" },
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
