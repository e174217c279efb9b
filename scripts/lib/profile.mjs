/** The settings and secrets of the windows that `npm start` opens. */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The model that stands in for one of Ollama's; others of the demo's server have this name with more behind it. */
export const DEMO_MODEL = "conclave-demo";

const MODEL_SETTINGS = ["conclave.model", "conclave.helperModel"];

/** What stood in the settings before, without a demo model: Ollama has none of that name. */
function withoutDemo(settings) {
  const isDemo = ([key, value]) => MODEL_SETTINGS.includes(key) && String(value).startsWith(DEMO_MODEL);
  return Object.fromEntries(Object.entries(settings).filter((entry) => !isDemo(entry)));
}

/**
 * Writes settings into a profile, those of its user and of its machine; what the user changed there stays.
 *
 * @param {string} dataDir
 * @param {Record<string, unknown>} settings
 */
export async function writeSettings(dataDir, settings) {
  for (const folder of ["User", "Machine"]) {
    const file = join(dataDir, folder, "settings.json");
    const before = await readFile(file, "utf8").then(JSON.parse, () => ({}));
    await mkdir(join(dataDir, folder), { recursive: true });
    const merged = { "workbench.startupEditor": "readme", ...withoutDemo(before), ...settings };
    await writeFile(file, JSON.stringify(merged, null, 2));
  }
}

/**
 * The file of the token without which the served VS Code answers nobody: any page in a browser could else reach it,
 * and a VS Code can run programs. It stays the same, so that an open tab lives on.
 *
 * @param {string} folder
 * @returns {Promise<{file: string, token: string}>}
 */
export async function connectionToken(folder) {
  const file = join(folder, "token");
  await mkdir(folder, { recursive: true });
  const kept = await readFile(file, "utf8").catch(() => "");
  if (/^\w{32,}$/.test(kept)) return { file, token: kept };
  const token = randomBytes(16).toString("hex");
  await writeFile(file, token, { mode: 0o600 });
  return { file, token };
}
