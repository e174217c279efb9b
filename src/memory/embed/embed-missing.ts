import type { Result } from "../../agent/failure.ts";
import { CANCELLED, success } from "../../agent/failure.ts";
import type { VectorRow, Vectors } from "../store/vectors.ts";
import type { Embedder } from "./embedder.ts";
import type { EmbeddingSource, SourceRow } from "./embedding-source.ts";
import type { Priority } from "./priority.ts";

/** Rows that are looked at in one go, without their texts. */
const PAGE = 1_000;
/** Texts that are embedded in one go; a request waits for no more than these. */
const TEXTS = 8;
/** Embeddings in one write. */
const ROWS = 64;
/** Rows that come or go while it walks are seen by the next walk; after so many it leaves the rest to the next time. */
const WALKS = 4;
/** How long the write of what was made before a stop may take, in milliseconds. */
const LAST_WRITE_MS = 1_000;

/** What is embedded, and where the embeddings go. */
export interface EmbeddingDeps {
  readonly vectors: Vectors;
  readonly sources: readonly EmbeddingSource[];
  readonly priority: Priority;
}

/** Rows that the embedder can't embed, one by one and for no fault of its own: they are left to full text. */
const MAX_SKIPPED = 10_000;

/** How far it is. */
export interface Waiting {
  /** Rows that wait for their embedding. */
  readonly remaining: number;
  /** All rows. */
  readonly total: number;
}

interface Walk {
  /** Ids of rows that could not be embedded, by kind. */
  readonly skipped: Set<string>;
  readonly deps: EmbeddingDeps;
  readonly embedder: Embedder;
  readonly signal: AbortSignal;
  readonly onProgress: (waiting: Waiting) => void;
  remaining: number;
  total: number;
}

/** A kind of rows, and which of them are embedded. */
interface Plan {
  readonly source: EmbeddingSource;
  readonly embedded: Set<string>;
}

/** A walk over everything that one embedder has to embed. */
export interface Embedding {
  readonly embedder: Embedder;
  /** Rows that turned out not to be embeddable; kept for the next call. */
  readonly skipped: Set<string>;
}

/**
 * Embeds every row that the embedder's model has not embedded yet, in small batches that step back for requests.
 * `onProgress` is told at the start and after each write. True when nothing is left; what was done stays when it is
 * stopped or fails, and the next call goes on from there.
 */
export async function embedMissing(
  deps: EmbeddingDeps,
  embedding: Embedding,
  signal: AbortSignal,
  onProgress: (waiting: Waiting) => void,
): Promise<Result<boolean>> {
  for (let count = 0; count < WALKS; count += 1) {
    const walk: Walk = { ...embedding, deps, signal, onProgress, remaining: 0, total: 0 };
    const plans = await planOf(walk);
    if (!plans.ok) return plans;
    onProgress(walk);
    if (plans.value.length === 0) return success(true);
    let found = 0;
    for (const plan of plans.value) {
      const embedded = await embedKind(walk, plan);
      if (!embedded.ok) return embedded;
      found += embedded.value;
    }
    if (found === 0) return success(true);
  }
  return success(false);
}

/** The kinds that have rows to embed. */
async function planOf(walk: Walk): Promise<Result<readonly Plan[]>> {
  const { deps, embedder, signal } = walk;
  const plans: Plan[] = [];
  for (const source of deps.sources) {
    const count = await source.count(signal);
    if (!count.ok) return count;
    const embedded = await deps.vectors.embedded(embedder.model, source.kind, signal);
    if (!embedded.ok) return embedded;
    walk.total += count.value;
    walk.remaining += Math.max(0, count.value - embedded.value.size);
    if (count.value !== embedded.value.size) plans.push({ source, embedded: new Set(embedded.value) });
  }
  return success(plans);
}

/** Walks over the rows of a kind and gives how many it embedded. */
async function embedKind(walk: Walk, plan: Plan): Promise<Result<number>> {
  let found = 0;
  let cursor: string | undefined;
  do {
    const page = await plan.source.page(cursor, PAGE, walk.signal);
    if (!page.ok) return page;
    const missing = page.value.rows.filter(
      ({ id }) => !plan.embedded.has(id.toLowerCase()) && !walk.skipped.has(keyOf(plan.source, id)),
    );
    for (let start = 0; start < missing.length; start += ROWS) {
      const rows = missing.slice(start, start + ROWS);
      const written = await embedRows(walk, plan, rows);
      if (!written.ok) return written;
      found += written.value;
    }
    cursor = page.value.next;
  } while (cursor !== undefined);
  return success(found);
}

/** Embeds some rows, a few at a time, and writes them together: also what was made before it was stopped. */
async function embedRows(
  walk: Walk,
  { source, embedded }: Plan,
  rows: readonly SourceRow[],
): Promise<Result<number>> {
  const { deps, embedder, signal } = walk;
  const made: VectorRow[] = [];
  let stopped: Result<never> | undefined;
  for (let start = 0; start < rows.length && stopped === undefined; start += TEXTS) {
    await deps.priority.quiet(signal);
    const vectors = await someVectors(walk, source, rows.slice(start, start + TEXTS));
    if (vectors.ok) made.push(...vectors.value);
    else stopped = vectors;
  }
  const last = signal.aborted ? AbortSignal.timeout(LAST_WRITE_MS) : signal;
  const written = await deps.vectors.put(embedder.model, made, last, (ids, stop) =>
    source.present(ids, stop),
  );
  if (!written.ok) return written;
  made.forEach(({ id }) => embedded.add(id.toLowerCase()));
  walk.remaining = Math.max(0, walk.remaining - made.length);
  walk.onProgress(walk);
  return stopped ?? written;
}

/** The vectors of a batch; when it fails, of each row alone, so that one row can't keep all others from theirs. */
async function someVectors(
  walk: Walk,
  source: EmbeddingSource,
  rows: readonly SourceRow[],
): Promise<Result<readonly VectorRow[]>> {
  const { embedder, signal, skipped } = walk;
  const together = await vectorsOf(source, rows, embedder, signal);
  if (together.ok || together.failure.code === "cancelled") return together;
  const made: VectorRow[] = [];
  const bad: string[] = [];
  for (const row of rows) {
    const alone = await vectorsOf(source, [row], embedder, signal);
    if (alone.ok) made.push(...alone.value);
    else if (alone.failure.code === "cancelled") return alone;
    else bad.push(keyOf(source, row.id));
  }
  // When none can be embedded, the fault is not the rows'.
  if (made.length === 0) return together;
  if (skipped.size < MAX_SKIPPED) bad.forEach((key) => skipped.add(key));
  return success(made);
}

function keyOf({ kind }: EmbeddingSource, id: string): string {
  return `${kind} ${id.toLowerCase()}`;
}

async function vectorsOf(
  source: EmbeddingSource,
  rows: readonly SourceRow[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<Result<readonly VectorRow[]>> {
  if (signal.aborted) return { ok: false, failure: CANCELLED };
  const texts = await source.texts(rows, signal);
  if (!texts.ok) return texts;
  const vectors = await embedder.embed(texts.value, "document", signal);
  if (!vectors.ok) return vectors;
  return success(
    rows.flatMap(({ id, sessionId, turnId, time, scope }, index): VectorRow[] => {
      const embedding = vectors.value[index];
      if (embedding === undefined) return [];
      return [{ id, kind: source.kind, sessionId, turnId, time, scope, embedding }];
    }),
  );
}
