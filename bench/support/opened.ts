import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import esbuild from "esbuild";
import { ROOT } from "./build.ts";

/** What opening a file came to, in a process of its own. */
export interface Opened {
  /** To the first row, in milliseconds. */
  readonly firstMs: number;
  /** Until all was read. */
  readonly wholeMs: number;
  /** The longest the event loop stood still. */
  readonly blockMs: number;
  /** By how much the process grew at most. */
  readonly grownMb: number;
}

let bundled: Promise<string> | undefined;

/** Opens a trace file in a fresh process. */
export async function openFresh(path: string, how: "ours" | "naive"): Promise<Opened> {
  bundled ??= bundle();
  const { stdout } = await promisify(execFile)(process.execPath, [await bundled, path, how]);
  return JSON.parse(stdout) as Opened;
}

async function bundle(): Promise<string> {
  const outfile = join(ROOT, "node_modules", ".cache", "conclave-bench", "open-process.mjs");
  await mkdir(join(outfile, ".."), { recursive: true });
  await esbuild.build({
    entryPoints: [fileURLToPath(new URL("./open-process.ts", import.meta.url))],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  return outfile;
}
