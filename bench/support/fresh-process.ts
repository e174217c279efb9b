import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import esbuild from "esbuild";
import { hostEnvironment } from "../../src/memory/process/host-process.ts";
import { ROOT } from "./build.ts";
import type { BenchStore } from "./memory-store.ts";

/** What a fresh process found of itself. */
export interface Fresh {
  /** From its start to the first result. */
  readonly firstMs: number;
  /** Resident after some searches. */
  readonly rssMb: number;
}

let bundled: Promise<string> | undefined;

/** Opens a store in a fresh process, set up as the memory process is, and searches it there. */
export async function inFreshProcess({ folder, rows }: BenchStore): Promise<Fresh> {
  bundled ??= bundle();
  const { stdout } = await promisify(execFile)(process.execPath, [await bundled, folder, String(rows)], {
    env: hostEnvironment(),
  });
  return JSON.parse(stdout) as Fresh;
}

/** Built as the memory process is. */
async function bundle(): Promise<string> {
  const outfile = join(ROOT, "node_modules", ".cache", "conclave-bench", "memory-process.cjs");
  await mkdir(join(outfile, ".."), { recursive: true });
  await esbuild.build({
    entryPoints: [fileURLToPath(new URL("./memory-process.ts", import.meta.url))],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["@lancedb/lancedb", "apache-arrow", "@xenova/transformers", "onnxruntime-node"],
    logLevel: "error",
  });
  return outfile;
}
