import { isAbsolute, join } from "node:path";
import type { MemoryClientOptions } from "../../memory/process/client.ts";
import type { Settings } from "./schema.ts";

/** The settings that a client of the memory process is made of. */
export type MemoryClientSettings = Pick<
  Settings,
  | "memoryUri"
  | "embedderProvider"
  | "embedderModel"
  | "embedderFolder"
  | "embedderHost"
  | "embedderDownload"
  | "ollamaHost"
>;

/** Where things are kept. */
export interface Places {
  /** The folder for data. */
  readonly storage: string;
  /** Where the product is installed. */
  readonly extension: string;
}

/** The store that the setting names: an object store by its URI, an absolute folder, else a folder beside the other data. */
export function storeUri(setting: string, storage: string): string {
  const isUri = /^[a-z][a-z0-9+.-]+:\/\//i.test(setting);
  return isUri || isAbsolute(setting) ? setting : join(storage, "memory");
}

/** What the memory process is told of the settings. A change of the Ollama host matters only to its embeddings. */
export function clientOptions(
  settings: MemoryClientSettings,
  { storage, extension }: Places,
): Pick<
  MemoryClientOptions,
  "uri" | "hostPath" | "modelDir" | "modelCacheDir" | "allowDownload" | "modelHost" | "embedder"
> {
  const { embedderProvider, embedderModel, ollamaHost } = settings;
  return {
    uri: storeUri(settings.memoryUri, storage),
    hostPath: join(extension, "dist", "memory-host.cjs"),
    modelDir: settings.embedderFolder,
    modelCacheDir: join(storage, "models"),
    allowDownload: settings.embedderDownload,
    ...(settings.embedderHost !== "" && { modelHost: settings.embedderHost }),
    embedder:
      embedderProvider === "ollama"
        ? { kind: "ollama", host: ollamaHost, model: embedderModel }
        : { kind: embedderProvider },
  };
}
