/**
 * Tries the product with real models on a real Ollama server: `npm run eval:real`.
 *
 *   npm run eval:real                       lists the parts
 *   npm run eval:real -- main-job           asks the questions of the main job
 *   npm run eval:real -- main-job --help    all options of a part
 */
import { fileURLToPath } from "node:url";
import { ensurePackages } from "./lib/install.mjs";
import { ensureEmbedder } from "./models/embedder.mjs";
import { findPython } from "./models/python.mjs";
import { prepareRealModels, startRealOllama } from "./real-models.mjs";

await ensurePackages(fileURLToPath(new URL("..", import.meta.url)));
const { tsImport } = await import("tsx/esm/api");
const { evalReal } = await tsImport("../bench/real/run.ts", import.meta.url);
const stop = new AbortController();
// The second one ends the process, as people expect.
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());
process.exitCode = await evalReal(process.argv.slice(2), stop.signal, {
  prepareRealModels,
  startRealOllama,
  ensureEmbedder: async (log) => ensureEmbedder(await findPython(), log),
});
