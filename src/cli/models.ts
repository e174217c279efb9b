import type { Failure, Result } from "../agent/failure.ts";
import { OllamaApi } from "../agent/models/api.ts";
import { ModelDirectory } from "../agent/models/capabilities.ts";
import { OllamaCatalog } from "../agent/models/catalog.ts";
import { parseHost } from "../agent/models/host.ts";
import { DEFAULT_LIMITS, OllamaChatModel } from "../agent/models/ollama.ts";
import type { ChatModel } from "../agent/models/types.ts";
import type { Settings } from "./settings/schema.ts";

/** How models are found by their names. */
export interface Models {
  /** A model on the server of the settings, or on another one; or why there is none. */
  readonly model: (name: string, host?: string) => ChatModel | Failure;
  /** What the server of the settings calls its version. */
  version(signal: AbortSignal): Promise<Result<string>>;
  /** Names of its models. */
  names(signal: AbortSignal): Promise<Result<readonly string[]>>;
}

/** The models of the servers that the settings name. Asks nothing before it is asked. */
export function createModels(settings: Pick<Settings, "ollamaHost" | "requestTimeout">): Models {
  const silence = settings.requestTimeout * 1_000;
  const limits = { firstByteMs: silence, idleMs: Math.min(silence, DEFAULT_LIMITS.idleMs) };
  const servers = new Map<string, ReturnType<typeof serverAt>>();
  const server = (address: string): ReturnType<typeof serverAt> => {
    const known = servers.get(address) ?? serverAt(address);
    servers.set(address, known);
    return known;
  };
  const catalog = (): Result<OllamaCatalog> => {
    const found = server(settings.ollamaHost);
    return found.ok ? { ok: true, value: found.value.catalog } : found;
  };
  return {
    model: (name, address) => {
      const found = server(address ?? settings.ollamaHost);
      if (!found.ok) return found.failure;
      const { host, directory } = found.value;
      return new OllamaChatModel({ host, model: name, limits, directory });
    },
    version: async (signal) => {
      const found = catalog();
      return found.ok ? await found.value.version(signal) : found;
    },
    names: async (signal) => {
      const found = catalog();
      if (!found.ok) return found;
      const listed = await found.value.list(signal);
      return listed.ok ? { ok: true, value: listed.value.map(({ name }) => name) } : listed;
    },
  };
}

function serverAt(address: string) {
  const host = parseHost(address);
  if (!host.ok) return host;
  const api = new OllamaApi(host.value);
  const directory = new ModelDirectory(api);
  const catalog = new OllamaCatalog(api, directory);
  return { ok: true as const, value: { host: host.value, directory, catalog } };
}
