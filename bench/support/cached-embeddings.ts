import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { success } from "../../src/agent/failure.ts";
import type { Embedder } from "../../src/memory/embed/embedder.ts";

/** Length of a text's mark in bytes. */
const MARK = 16;
/** A file that grew beyond this is begun anew, in bytes. */
const MAX_FILE = 256 * 1024 * 1024;
/** How many texts are embedded before they are written down. */
const BATCH = 64;

/**
 * An embedder that embeds each text once and for all runs: what it made lies in the user's cache folder. For figures
 * of what is found, never for figures of time.
 */
export function cachedEmbedder(embedder: Embedder): Embedder {
  const folder = join(
    process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
    "conclave",
    "bench-embeddings",
  );
  const file = join(folder, `${embedder.model.replaceAll(/[^\w.-]+/g, "_")}-${embedder.dimensions}.bin`);
  mkdirSync(folder, { recursive: true });
  if (existsSync(file) && statSync(file).size > MAX_FILE) rmSync(file);
  const known = readAll(file, embedder.dimensions);
  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    embed: async (texts, kind, signal) => {
      const marks = texts.map((text) => markOf(kind, text));
      const missing = texts.map((text, index) => ({ text, mark: marks[index] ?? "" }));
      const unknown = missing.filter(({ mark }) => !known.has(mark));
      for (let start = 0; start < unknown.length; start += BATCH) {
        const batch = unknown.slice(start, start + BATCH);
        const made = await embedder.embed(
          batch.map(({ text }) => text),
          kind,
          signal,
        );
        if (!made.ok) return made;
        batch.forEach(({ mark }, index) => known.set(mark, made.value[index] ?? new Float32Array()));
        appendFileSync(file, Buffer.concat(batch.map(({ mark }) => record(mark, known.get(mark)))));
      }
      return success(marks.map((mark) => known.get(mark) ?? new Float32Array()));
    },
  };
}

function markOf(kind: string, text: string): string {
  return createHash("sha256")
    .update(`${kind}\n${text}`)
    .digest("hex")
    .slice(0, 2 * MARK);
}

function record(mark: string, vector: Float32Array = new Float32Array()): Buffer {
  return Buffer.concat([
    Buffer.from(mark, "hex"),
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  ]);
}

/** A record that was cut short by a run's end is left out. */
function readAll(file: string, dimensions: number): Map<string, Float32Array> {
  const known = new Map<string, Float32Array>();
  if (!existsSync(file)) return known;
  const bytes = readFileSync(file);
  const size = MARK + 4 * dimensions;
  for (let start = 0; start + size <= bytes.length; start += size) {
    const mark = bytes.toString("hex", start, start + MARK);
    known.set(
      mark,
      new Float32Array(bytes.buffer.slice(bytes.byteOffset + start + MARK, bytes.byteOffset + start + size)),
    );
  }
  return known;
}
