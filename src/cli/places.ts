import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { AgentFiles } from "../agent/agents/files.ts";
import { RubricFiles } from "../agent/critic/rubric-files.ts";
import type { RubricCatalog } from "../agent/critic/types.ts";
import { MemoryClient } from "../memory/process/client.ts";
import { workerReader } from "../tools/web/worker-reader.ts";
import type { DocumentReader } from "../tools/web/reader.ts";
import type { ModelServer } from "./eval/model-server.ts";
import type { OwnedMemory } from "./services.ts";
import { clientOptions } from "./settings/client-options.ts";
import type { Settings } from "./settings/schema.ts";
import type { Terminal } from "./terminal.ts";

/** The parts that a command has from where it is installed; tests and the repository's own script give others. */
export interface CliParts {
  /** Of the product. */
  readonly version: string;
  /** A memory whose store is in a folder, unless the settings say otherwise; models are kept in another. */
  readonly memory: (folder: string, settings: Settings, models: string) => OwnedMemory;
  readonly reader: () => DocumentReader;
  /** What answers are graded by. */
  readonly rubrics: (cwd: string) => RubricCatalog;
  /** What answers where no model is named; left out: nothing does. */
  readonly scripted?: () => ModelServer;
  /** Cases that are run where none are named; left out: those of the folder at hand. */
  readonly cases?: readonly string[];
  /** The labelled set that a judge is judged by where none is named. */
  readonly judgeSet?: string;
}

/** The parts as they are shipped: memory in its own process, pages read on a thread of their own. */
export function shippedParts(installed: string, version: string): CliParts {
  return {
    version,
    memory: (folder, settings, models) =>
      new MemoryClient({
        ...clientOptions(settings, { storage: folder, extension: installed }),
        modelCacheDir: models,
      }),
    rubrics: (cwd) => new RubricFiles(() => ({ workspaces: [cwd], home: homedir() })).catalog(),
    reader: () => workerReader({ script: join(installed, "dist", "reader-worker.cjs") }),
  };
}

/** Where sessions, memory and models of the command line are kept: `--data`, `CONCLAVE_DATA`, else in the home folder. */
export function dataFolder(given: string | undefined, { env, cwd }: Terminal): string {
  const named = given ?? env["CONCLAVE_DATA"];
  return named === undefined || named === "" ? join(homedir(), ".conclave", "data") : resolve(cwd, named);
}

/** Where models are kept that are downloaded once, such as the embedder. */
export function modelsFolder(data: string): string {
  return join(data, "models");
}

/** The agents of a folder and of the user. */
export function agentFiles(cwd: string): AgentFiles {
  return new AgentFiles({ places: () => ({ workspaces: [cwd], home: homedir() }) });
}
