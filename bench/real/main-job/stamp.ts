import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { settingsBesideDefaults } from "../../../src/cli/settings/case-settings.ts";
import type { Settings } from "../../../src/cli/settings/schema.ts";

/** Settings that say where things are, and change from run to run: they are no part of what is measured. */
const PLACES: readonly string[] = ["conclave.ollama.host", "conclave.memory.embedder.folder"];

/** Bytes of a change of the sources that are hashed. */
const MAX_DIFF = 64 * 1024 * 1024;

const run = promisify(execFile);

/** A short hash of a value as JSON. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 12);
}

/** A short hash of the settings beside the product's defaults, without those that say where things are. */
export function settingsHash(settings: Settings): string {
  const own = Object.entries(settingsBesideDefaults(settings)).filter(([id]) => !PLACES.includes(id));
  return hashOf(own);
}

/** The git commit of the product; where its sources were changed since, a hash of the changes stands behind it. */
export async function productCommit(root: string): Promise<string> {
  const git = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await run("git", [...args], { cwd: root, maxBuffer: MAX_DIFF });
    return stdout;
  };
  try {
    const commit = (await git("rev-parse", "--short=10", "HEAD")).trim();
    const changes = await git("diff", "HEAD", "--", "src");
    const strange = await git("ls-files", "--others", "--exclude-standard", "--", "src");
    const isClean = changes === "" && strange === "";
    return isClean ? commit : `${commit}+${hashOf([changes, strange]).slice(0, 6)}`;
  } catch {
    return "unknown";
  }
}
