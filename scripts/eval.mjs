/**
 * Runs evaluation cases out of the sources: `npm run eval`.
 *
 *   npm run eval                          all cases and stories of the repository, against scripted replies
 *   npm run eval -- --live MODEL          against a model of Ollama (OLLAMA_HOST, --host)
 *   npm run eval -- --help                all options
 */
import { fileURLToPath } from "node:url";
import { ensurePackages } from "./lib/install.mjs";

await ensurePackages(fileURLToPath(new URL("..", import.meta.url)));
const { tsImport } = await import("tsx/esm/api");
const { evalFromSource } = await tsImport("../test/support/eval/main.ts", import.meta.url);
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());
process.exitCode = await evalFromSource(process.argv.slice(2), stop.signal);
