import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import type { Result } from "../../../src/agent/failure.ts";
import { failed, success } from "../../../src/agent/failure.ts";
import type { Episode } from "../../../src/agent/memory/port.ts";
import type { MemoryClientOptions } from "../../../src/memory/process/client.ts";
import { MemoryClient } from "../../../src/memory/process/client.ts";
import type { Embedder } from "../../../src/memory/embed/embedder.ts";
import { DIMENSIONS } from "../../../src/memory/store/rows.ts";

/** A signal that never fires. */
export const never = new AbortController().signal;

const cleanUps: (() => Promise<void>)[] = [];

/** Undoes what a test made, last first; for `afterEach`. */
export async function cleanUp(): Promise<void> {
  for (const undo of cleanUps.splice(0).reverse()) {
    await undo();
  }
}

/** Has something undone after the test. */
export function later(undo: () => Promise<void>): void {
  cleanUps.push(undo);
}

/** A folder that is gone after the test. */
export async function temporaryFolder(name = "conclave-memory-"): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), name));
  // The library may end a write that nobody waits for any more.
  later(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** An episode with a new id; `fields` replaces what matters to the test. */
export function episode(fields: Partial<Episode> = {}): Episode {
  const id = randomUUID();
  return {
    id,
    sessionId: "session",
    turnId: `turn-${id}`,
    question: "What did we decide about the cache?",
    answer: "To keep it on disk.",
    agent: "conclave",
    respondent: "A",
    model: "test-model",
    time: Date.UTC(2026, 4, 8, 12),
    kind: "turn",
    ...fields,
  };
}

/** The value of a result; fails the test when it is a failure. */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) {
    throw new Error(`${result.failure.code}: ${result.failure.message} ${result.failure.cause ?? ""}`);
  }
  return result.value;
}

/**
 * An embedder that needs no model: words that mean the same by the given list have the same direction, others each
 * their own.
 */
export function fakeEmbedder(same: Readonly<Record<string, string>> = {}, model = "fake"): Embedder {
  return {
    model,
    dimensions: DIMENSIONS,
    embed: (texts, _kind, signal) =>
      Promise.resolve(
        signal.aborted
          ? failed("cancelled", "Cancelled.")
          : success(texts.map((text) => direction(text, same))),
      ),
  };
}

function direction(text: string, same: Readonly<Record<string, string>>): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 2166136261;
    for (const sign of same[word] ?? word) {
      hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16777619) >>> 0;
    }
    const place = hash % DIMENSIONS;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

let hostFile: Promise<string> | undefined;

/** The memory process as it is shipped, bundled once for all tests; goes with the test run's own folder. */
export function bundledHost(): Promise<string> {
  hostFile ??= bundle();
  return hostFile;
}

async function bundle(): Promise<string> {
  const root = resolve(import.meta.dirname, "../../..");
  // Inside the checkout, so that the packages it loads at run time are found.
  const outfile = join(root, "node_modules", ".cache", `conclave-memory-${process.pid}`, "memory-host.cjs");
  await build({
    entryPoints: [join(root, "src/memory/process/host.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["@lancedb/lancedb", "apache-arrow", "@xenova/transformers", "onnxruntime-node"],
    logLevel: "error",
  });
  return outfile;
}

/** Takes the bundle away again; for a root `after`. */
export async function removeBundledHost(): Promise<void> {
  if (hostFile !== undefined) {
    await rm(dirname(await hostFile), { recursive: true, force: true });
    hostFile = undefined;
  }
}

/** A client with a process of its own, gone after the test. Without model files unless the test gives them. */
export async function client(options: Partial<MemoryClientOptions> = {}): Promise<MemoryClient> {
  const uri = options.uri ?? (await temporaryFolder());
  const made = new MemoryClient({
    uri,
    hostPath: options.hostPath ?? (await bundledHost()),
    modelCacheDir: join(uri, "models"),
    allowDownload: false,
    ...options,
  });
  later(() => made.dispose());
  return made;
}
