import { createProviders } from "../../../src/tools/search/index.ts";
import type { SearchProviderName } from "../../../src/tools/search/types.ts";
import { webSearch } from "../../../src/tools/web-search.ts";
import type { ToolOutcome } from "../../../src/agent/tool.ts";
import { startServer, type LoopbackServer } from "./server.ts";
import { contextOf } from "./tools.ts";

/** What a scripted search engine answers, one after the other; the last is given again and again. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly html?: string;
  /** Takes the request and never answers. */
  readonly silent?: boolean;
}

/** How a scripted engine is asked. */
export interface EngineOptions {
  readonly provider: SearchProviderName;
  readonly replies: readonly Reply[];
  /** No key when empty. */
  readonly apiKey?: string;
  readonly now: () => number;
  readonly timeoutMs?: number;
}

/** A scripted engine on loopback, and `web_search` set up to ask it. */
export interface ScriptedEngine {
  readonly server: LoopbackServer;
  readonly search: (query?: string) => Promise<ToolOutcome>;
}

/** Starts a scripted engine. */
export async function startEngine(options: EngineOptions): Promise<ScriptedEngine> {
  const { provider, replies, apiKey = "key", now, timeoutMs = 5_000 } = options;
  let count = 0;
  const server = await startServer((_request, response) => {
    const reply = replies[Math.min(count, replies.length - 1)] ?? {};
    count += 1;
    if (reply.silent) return;
    const type = reply.html === undefined ? "application/json" : "text/html";
    response.writeHead(reply.status ?? 200, { "content-type": type, ...reply.headers });
    response.end(reply.html ?? JSON.stringify(reply.json ?? {}));
  });
  const tool = webSearch({
    providers: createProviders(now),
    provider: () => provider,
    access: () => ({ baseUrl: server.origin, ...(apiKey !== "" && { apiKey }) }),
    timeoutMs: () => timeoutMs,
    now,
  });
  return { server, search: (query = "ferry Oban") => tool.run({ query }, contextOf()) };
}
