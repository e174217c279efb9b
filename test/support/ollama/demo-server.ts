import { DEMO_MODELS, demoReply } from "./demo-script.ts";
import { startScriptedOllama } from "./server.ts";
import type { ScriptedOllama } from "./types.ts";

/** The pace of the demo model unless said otherwise: fast enough, and slow enough to be seen. */
export const DEMO_TOKEN_MS = 30;
const KEPT_REQUESTS = 20;

/** Starts the demo server on loopback. Port 0 is a free one; tokens come every `tokenMs` milliseconds. */
export function startDemo(
  options: { readonly port?: number; readonly tokenMs?: number } = {},
): Promise<ScriptedOllama> {
  const tokenMs = options.tokenMs ?? DEMO_TOKEN_MS;
  return startScriptedOllama({
    models: DEMO_MODELS,
    script: (request) => demoReply(request, tokenMs),
    port: options.port ?? 0,
    keepRequests: KEPT_REQUESTS,
  });
}
