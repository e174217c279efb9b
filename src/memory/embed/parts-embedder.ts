import type { Result } from "../../agent/failure.ts";
import { CANCELLED, failed, success } from "../../agent/failure.ts";
import type { Embedder, TextKind } from "./embedder.ts";
import type { Weighted } from "./parts.ts";
import { meanDirection, partsOf } from "./parts.ts";
import { prefixOf } from "./prefixes.ts";

/** Stands for a text that says nothing: servers refuse an empty one. */
const NOTHING = "-";

/** A model that embeds texts which it reads whole. */
export interface PartModel {
  readonly model: string;
  /** The name by which it is known what it wants before a text. */
  readonly knownAs: string;
  /** What it reads of a text, in UTF-16 units. */
  readonly window: number;
  /** Most texts in one go. */
  readonly batch: number;
  /** A sentence for people when it works, but not as it should. */
  readonly note?: string;
  /** One vector for each text, of any length but zero. Never throws. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Result<readonly ArrayLike<number>[]>>;
}

/** Where a part belongs. */
interface Part {
  readonly text: string;
  readonly owner: number;
}

/**
 * Makes an embedder of a model that reads only so much of a text: a long document is embedded part by part, and its
 * vector is the mean of theirs, each counting as much as it is long. A query is embedded by its beginning.
 *
 * The length of the vectors is that of the first answer; the failure says why there was none.
 */
export async function partsEmbedder(model: PartModel, signal: AbortSignal): Promise<Result<Embedder>> {
  const tried = await embedAll(model, ["ready"], "document", undefined, signal);
  if (!tried.ok) return tried;
  const dimensions = tried.value[0]?.length ?? 0;
  return success({
    model: model.model,
    dimensions,
    ...(model.note === undefined ? {} : { note: model.note }),
    embed: (texts, kind, stop) => embedAll(model, texts, kind, dimensions, stop),
  });
}

async function embedAll(
  model: PartModel,
  texts: readonly string[],
  kind: TextKind,
  dimensions: number | undefined,
  signal: AbortSignal,
): Promise<Result<readonly Float32Array[]>> {
  const parts = texts.flatMap((text, owner) => allParts(model, text, kind, owner));
  const vectors: Weighted[][] = texts.map(() => []);
  for (const batch of batches(parts, model.batch)) {
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    const embedded = await model.embed(
      batch.map(({ text }) => text),
      signal,
    );
    if (!embedded.ok) return embedded;
    batch.forEach(({ owner, text }, index) =>
      vectors[owner]?.push({ vector: embedded.value[index] ?? [], weight: text.length }),
    );
  }
  const means = vectors.map(meanDirection).filter((mean) => mean !== undefined);
  if (means.length < texts.length) {
    return failed("memory_unavailable", `the embedding model ${model.model} gave a vector that is not one.`);
  }
  const other = means.find((mean) => dimensions !== undefined && mean.length !== dimensions);
  if (other === undefined) return success(means);
  return failed(
    "memory_unavailable",
    `the embedding model ${model.model} gave vectors of ${other.length} floats and ${dimensions} before: it was changed. Reload the window to embed anew.`,
  );
}

function allParts(model: PartModel, text: string, kind: TextKind, owner: number): Part[] {
  const prefix = prefixOf(model.knownAs, kind);
  const parts = partsOf(text === "" ? NOTHING : text, Math.max(1, model.window - prefix.length));
  const wanted = kind === "query" ? parts.slice(0, 1) : parts;
  return wanted.map((part) => ({ text: prefix + (part === "" ? NOTHING : part), owner }));
}

/** Batches of parts of about one length: the shorter ones of a batch are filled up to the longest and cost as much. */
function batches(parts: readonly Part[], size: number): Part[][] {
  const sorted = [...parts].sort((a, b) => a.text.length - b.text.length);
  const made: Part[][] = [];
  for (let start = 0; start < sorted.length; start += size) made.push(sorted.slice(start, start + size));
  return made;
}
