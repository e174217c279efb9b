/** Installs the project's packages when they are missing or older than the lock file. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { mustRun, say } from "./shell.mjs";

/** Runs `npm ci` in the checkout where that is needed. */
export async function ensurePackages(root) {
  const installed = join(root, "node_modules", ".package-lock.json");
  const lock = join(root, "package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  say("Installing packages (npm ci) ...");
  await mustRun("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root, quiet: true });
}
