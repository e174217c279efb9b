import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Result } from "../../src/agent/failure.ts";
import { AnnotationTable } from "../../src/memory/store/annotations.ts";
import { Database } from "../../src/memory/store/database.ts";
import { EPISODES, EpisodeTable } from "../../src/memory/store/episodes.ts";
import { Maintenance } from "../../src/memory/store/maintenance.ts";
import { toRow } from "../../src/memory/store/rows.ts";
import { Vectors } from "../../src/memory/store/vectors.ts";
import { Directions, episodeAt, randomFrom } from "./memory-data.ts";

/** Rows of the synthetic store unless a run says otherwise. */
export const ROWS = 100_000;
/** The name that the synthetic embeddings go by. */
export const MODEL = "synthetic";
/** Rows in one write. */
const BATCH = 5_000;
/** To be raised when the synthetic rows or the indexes change in a way that the table's columns don't show. */
const FORM = 1;

/** The tables of a store that a search looks at. */
export interface BenchStore {
  readonly folder: string;
  readonly rows: number;
  readonly database: Database;
  readonly episodes: EpisodeTable;
  readonly annotations: AnnotationTable;
  readonly vectors: Vectors;
}

/** A signal that never fires. */
export const never = new AbortController().signal;

/** The value of a result; throws what went wrong. */
export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(`${result.failure.message} ${result.failure.cause ?? ""}`);
}

/** Opens the store in a folder. */
export function openStore(folder: string, rows: number): BenchStore {
  const database = new Database({ uri: folder });
  const vectors = new Vectors(database);
  return {
    folder,
    rows,
    database,
    vectors,
    episodes: new EpisodeTable(database),
    annotations: new AnnotationTable(database),
  };
}

const built = new Map<number, Promise<BenchStore>>();

/**
 * A store of so many synthetic episodes with their embeddings and indexes. It is only read, so it is built once and
 * kept in the user's cache folder until its form changes.
 */
export function syntheticStore(rows = ROWS): Promise<BenchStore> {
  const known = built.get(rows) ?? kept(rows);
  built.set(rows, known);
  return known;
}

async function kept(rows: number): Promise<BenchStore> {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "conclave", "bench-memory");
  const form = JSON.stringify([
    FORM,
    EPISODES.version,
    EPISODES.indexed,
    EPISODES.schema().fields.map(String),
  ]);
  const name = `${rows}-${createHash("sha256").update(form).digest("hex").slice(0, 8)}`;
  const folder = join(cache, name);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    for (const old of readdirSync(cache).filter((each) => each.startsWith(`${rows}-`))) {
      rmSync(join(cache, old), { recursive: true, force: true });
    }
    const unfinished = mkdtempSync(join(cache, "unfinished-"));
    try {
      await build(unfinished, rows);
      renameSync(unfinished, folder);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return openStore(folder, rows);
}

async function build(folder: string, rows: number): Promise<void> {
  const began = performance.now();
  const store = openStore(folder, rows);
  await fill(store);
  const filled = performance.now();
  valueOf(await store.episodes.table.ensureTextIndex(never));
  valueOf(await new Maintenance(store.database).run(never));
  store.database.close();
  const seconds = (from: number, to: number): string => ((to - from) / 1_000).toFixed(0);
  console.log(
    `  ${rows} synthetic episodes: written in ${seconds(began, filled)} s, indexed in ${seconds(filled, performance.now())} s`,
  );
}

async function fill({ rows, episodes, vectors }: BenchStore): Promise<void> {
  const random = randomFrom(7);
  const directions = new Directions(random);
  for (let start = 0; start < rows; start += BATCH) {
    const turns = Array.from({ length: Math.min(BATCH, rows - start) }, (_, at) =>
      episodeAt(start + at, random),
    );
    const written = turns.map((turn) => ({ ...toRow(turn) }));
    valueOf(await episodes.table.write((table) => table.add(written), never));
    for (const kind of ["episode", "window"] as const) {
      const embedded = turns.map(({ id, sessionId, turnId, time }) => {
        return { id, kind, sessionId, turnId, time, scope: "", embedding: directions.next(random) };
      });
      valueOf(await vectors.put(MODEL, embedded, never));
    }
  }
}

/** Bytes of all files under a folder. */
export async function bytesUnder(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
