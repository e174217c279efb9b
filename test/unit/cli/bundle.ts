import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const ROOT = resolve(import.meta.dirname, "../../..");

let made: Promise<string> | undefined;

/** The command line as it is shipped, bundled once for all tests: the path of `cli.cjs`. */
export function bundledCli(): Promise<string> {
  made ??= bundle();
  return made;
}

async function bundle(): Promise<string> {
  // Inside the checkout, so that the packages it loads at run time are found.
  const dist = join(ROOT, "node_modules", ".cache", `conclave-cli-${process.pid}`, "dist");
  await build({
    entryPoints: {
      cli: join(ROOT, "src/cli/main.ts"),
      "memory-host": join(ROOT, "src/memory/process/host.ts"),
      "reader-worker": join(ROOT, "src/tools/web/reader-worker.ts"),
    },
    outdir: dist,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["@lancedb/lancedb", "apache-arrow", "@xenova/transformers", "onnxruntime-node"],
    define: { CONCLAVE_VERSION: '"9.9.9"' },
    logLevel: "error",
  });
  return join(dist, "cli.cjs");
}

/** Takes the bundle away again. */
export async function removeBundledCli(): Promise<void> {
  if (made === undefined) return;
  await rm(resolve(await made, "../.."), { recursive: true, force: true });
  made = undefined;
}
