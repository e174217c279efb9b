import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findBrowser } from "../../scripts/lib/browser.mjs";
import { Skipped, type Measured } from "../frame.ts";
import { build, ROOT } from "./build.ts";

const LIMIT_MS = 20 * 60_000;

async function run(): Promise<Readonly<Record<string, Measured | undefined>>> {
  if (findBrowser() === undefined)
    throw new Skipped("no browser was found; CONCLAVE_BROWSER may name a Chromium");
  await build();
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  const file = join(folder, "figures.json");
  try {
    const args = ["test/host/run.mjs", "--windows", "bench", "--figures", file];
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: LIMIT_MS });
    return JSON.parse(await readFile(file, "utf8")) as Record<string, Measured>;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

let figures: ReturnType<typeof run> | undefined;

/** A figure that is taken in a window of the real VS Code, which is opened once a run. */
export async function inVsCode(name: string): Promise<Measured> {
  figures ??= run();
  const measured = (await figures)[name];
  if (measured === undefined) throw new Error(`the window of VS Code took no ${name}`);
  return measured;
}
