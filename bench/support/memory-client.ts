import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryClient } from "../../src/memory/process/client.ts";
import { build, ROOT } from "./build.ts";

/** Memory in a process of its own, as the extension has it, on a new store. */
export interface BenchMemory {
  readonly memory: MemoryClient;
  readonly close: () => Promise<void>;
}

/** Starts memory on a new store; with the embedding model of a folder, or without one. */
export async function startMemory(modelDir: string | undefined): Promise<BenchMemory> {
  await build();
  const folder = mkdtempSync(join(tmpdir(), "conclave-bench-memory-"));
  const memory = new MemoryClient({
    uri: join(folder, "store"),
    hostPath: join(ROOT, "dist", "memory-host.cjs"),
    modelCacheDir: join(folder, "models"),
    allowDownload: false,
    ...(modelDir === undefined ? { embedder: { kind: "none" } } : { modelDir }),
  });
  return {
    memory,
    close: async () => {
      await memory.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
