/** Two capable chat models out of one file of weights: one whose calls are native, one whose calls come as text. */
import { cp, link, mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { cached } from "../lib/cache.mjs";
import { createModels, recipeOf } from "./ollama-create.mjs";
import { ensureQwen, QWEN } from "./qwen.mjs";

/** The names that the models have on the server. */
export const CAPABLE_MODELS = { native: "conclave-qwen-coder", text: "conclave-qwen-coder-text" };
const MODELFILES = {
  "Modelfile.qwen": CAPABLE_MODELS.native,
  "Modelfile.qwen-text": CAPABLE_MODELS.text,
};

/**
 * The folder to run Ollama on (`OLLAMA_MODELS`), with both models and the small ones in it; made where the cache has
 * none. All that is large is a hard link: a changed Modelfile costs neither a download nor disk space.
 *
 * @param {{python: string, ollama: string, small?: string, log: (line: string) => void}} from `small`: the folder of
 *   the small models, if there are any
 * @returns {Promise<string>}
 */
export async function ensureCapableModels({ python, ollama, small, log }) {
  const weights = await ensureQwen(python, log);
  const recipe = [await recipeOf(MODELFILES), small === undefined ? "alone" : basename(small)].join("-");
  return cached(`capable-models-${recipe}`, async (models) => {
    log(`Making ${Object.values(CAPABLE_MODELS).join(" and ")} out of it (seconds) ...`);
    await mkdir(join(models, "blobs"));
    if (small !== undefined) await addModels(small, models);
    await link(weights, join(models, "blobs", `sha256-${QWEN.sha256}`));
    const work = join(models, "work");
    await mkdir(work);
    await link(weights, join(work, QWEN.file));
    await createModels(MODELFILES, { ollama, models, work });
    await rm(work, { recursive: true });
  });
}

/** Adds the models of another folder. A blob never changes, so that both may hold the same; a manifest does. */
async function addModels(from, to) {
  await cp(join(from, "manifests"), join(to, "manifests"), { recursive: true });
  for (const blob of await readdir(join(from, "blobs")))
    await link(join(from, "blobs", blob), join(to, "blobs", blob));
}
