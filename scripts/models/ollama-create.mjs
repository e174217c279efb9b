/** Modelfiles of this folder, made into models of a server. */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mustRun } from "../lib/shell.mjs";
import { serveOllama } from "./ollama-serve.mjs";

/**
 * A few characters that change with the text of the Modelfiles, for the name of what is made of them.
 *
 * @param {Record<string, string>} modelfiles as `createModels` takes them
 */
export async function recipeOf(modelfiles) {
  const texts = await Promise.all(Object.keys(modelfiles).map((file) => readFile(pathOf(file), "utf8")));
  return createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 8);
}

/**
 * Creates the models with a server of its own, which it stops.
 *
 * @param {Record<string, string>} modelfiles the names that the models get, by the names of their Modelfiles
 * @param {{ollama: string, models: string, work: string}} where the binary, the folder of its models, and a folder with
 *   the weights that the Modelfiles name
 */
export async function createModels(modelfiles, { ollama, models, work }) {
  await mkdir(models, { recursive: true });
  const server = await serveOllama({ ollama, models });
  try {
    for (const [file, name] of Object.entries(modelfiles)) {
      await copyFile(pathOf(file), join(work, file));
      const env = { ...process.env, OLLAMA_HOST: server.host };
      await mustRun(ollama, ["create", name, "-f", join(work, file)], { quiet: true, cwd: work, env });
    }
  } finally {
    await server.stop();
  }
}

function pathOf(file) {
  return fileURLToPath(new URL(file, import.meta.url));
}
