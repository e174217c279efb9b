import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let built: Promise<void> | undefined;

/** Builds the bundles, once a run, so that never an older one is measured. */
export function build(): Promise<void> {
  built ??= promisify(execFile)(process.execPath, ["esbuild.mjs"], { cwd: ROOT }).then(() => undefined);
  return built;
}
