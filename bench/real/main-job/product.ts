import { join } from "node:path";
import { BUILT_IN_AGENTS } from "../../../src/agent/agents/built-in/index.ts";
import { NO_AGENTS } from "../../../src/agent/agents/definition.ts";
import { BUILT_IN_RUBRICS } from "../../../src/agent/critic/built-in.ts";
import type { CriticSettings } from "../../../src/agent/critic/settings.ts";
import type { Identity } from "../../../src/agent/ids.ts";
import { systemTimer, type Timer } from "../../../src/agent/timer.ts";
import { createServices, type CliServices, type OwnedMemory } from "../../../src/cli/services.ts";
import { clientOptions } from "../../../src/cli/settings/client-options.ts";
import type { Settings } from "../../../src/cli/settings/schema.ts";
import { MemoryClient } from "../../../src/memory/process/client.ts";
import { inlineReader } from "../../../src/tools/web/read-document.ts";
import type { DocumentReader } from "../../../src/tools/web/reader.ts";

/** What the product is made with. */
export interface ProductDeps {
  /** A memory whose store is in a folder. */
  readonly memory: (folder: string, settings: Settings) => OwnedMemory;
  readonly reader: () => DocumentReader;
  readonly timer: Timer;
  /** The longest turn that is told, in milliseconds. */
  readonly tellMs: number;
  /** How long what comes after such a turn is waited for (learning, a grade), in milliseconds. */
  readonly patienceMs: number;
  /** The longest turn of a question, in milliseconds. */
  readonly askMs: number;
  /** Hears in words of what could not be written. */
  readonly onProblem: (problem: string) => void;
}

/** Memory in its own process, out of a bundle; real time, with limits that a slow machine can keep. */
export function realDeps(hostPath: string, root: string): Omit<ProductDeps, "onProblem"> {
  return {
    memory: (folder, settings) =>
      new MemoryClient({
        ...clientOptions(settings, { storage: folder, extension: root }),
        hostPath,
        modelCacheDir: join(root, "node_modules", ".cache", "conclave-embedder"),
      }),
    reader: () => inlineReader,
    timer: systemTimer,
    tellMs: 600_000,
    patienceMs: 180_000,
    askMs: 240_000,
  };
}

/** One product over a folder of data. */
export interface ProductParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly critic: CriticSettings;
  /** Left out: the real clock. */
  readonly identity?: Identity;
  /** `host:port` pairs that `web_fetch` may reach although they are not on the internet. */
  readonly allowedHosts?: readonly string[];
}

/** The product as its command line makes it, with the agents and rubrics that it brings along and no others. */
export function openProduct(parts: ProductParts, { memory, reader, onProblem }: ProductDeps): CliServices {
  return createServices({
    ...parts,
    memory: memory(parts.folder, parts.settings),
    reader: reader(),
    agents: () => ({ ...NO_AGENTS, agents: BUILT_IN_AGENTS }),
    searchAccess: () => ({}),
    rubrics: () => ({ rubrics: BUILT_IN_RUBRICS, problems: [] }),
    onProblem,
  });
}
