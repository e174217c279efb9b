import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { CANCELLED, failed, success } from "../../agent/failure.ts";
import { shortCause } from "../process/causes.ts";
import type { Embedder } from "./embedder.ts";
import { EMBEDDING_MODEL } from "./embedder.ts";
import type { ModelPlaces } from "./model-files.ts";
import { discardDownload, findModel } from "./model-files.ts";
import { DIMENSIONS } from "../store/rows.ts";

/** Texts embedded in one go; between two goes the process can do other things. */
const BATCH = 8;
/** What of a text is embedded, in UTF-16 units: the model itself reads 512 tokens. */
const MAX_INPUT = 2_500;

/** What is set on the library; its own types call these constants. */
interface LibrarySettings {
  localModelPath: string;
  allowLocalModels: boolean;
  allowRemoteModels: boolean;
}

type Extract = (
  texts: string[],
  options: { readonly pooling: "mean"; readonly normalize: true },
) => Promise<{ readonly dims: unknown; readonly data: unknown }>;

/**
 * Loads all-MiniLM-L6-v2 with transformers.js, from a folder or after a download. The library itself never reaches
 * for the network, so that a model that is there is found without one.
 */
export async function loadTransformersEmbedder(
  places: ModelPlaces,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<Result<Embedder>> {
  const folder = await findModel(places, onPercent, signal);
  if (!folder.ok) return folder;
  try {
    const extract = await loadPipeline(folder.value);
    const embedder = new TransformersEmbedder(extract);
    const tried = await embedder.embed(["ready"], signal);
    return tried.ok ? success(embedder) : tried;
  } catch (error) {
    if (folder.value === places.cacheDir) await discardDownload(places.cacheDir).catch(() => undefined);
    return failed("memory_unavailable", "the embedding model can't be loaded.", {
      action: "check_setup",
      cause: shortCause(error),
    });
  }
}

async function loadPipeline(folder: string): Promise<Extract> {
  const { env, pipeline } = await import("@xenova/transformers");
  const settings: LibrarySettings = env;
  settings.localModelPath = folder;
  settings.allowLocalModels = true;
  settings.allowRemoteModels = false;
  const extract: unknown = await pipeline("feature-extraction", EMBEDDING_MODEL, { quantized: true });
  return extract as Extract;
}

const outputSchema = z.object({
  dims: z.tuple([z.int(), z.literal(DIMENSIONS)]),
  data: z.instanceof(Float32Array),
});

class TransformersEmbedder implements Embedder {
  readonly model = EMBEDDING_MODEL;
  readonly #extract: Extract;

  constructor(extract: Extract) {
    this.#extract = extract;
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<Result<readonly Float32Array[]>> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += BATCH) {
      // The model computes on this thread: let messages in between, a cancel among them.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) return { ok: false, failure: CANCELLED };
      const batch = texts.slice(start, start + BATCH).map((text) => text.slice(0, MAX_INPUT).toWellFormed());
      try {
        vectors.push(...(await this.#embedBatch(batch)));
      } catch (error) {
        return failed("memory_unavailable", "the embedding model failed.", { cause: shortCause(error) });
      }
    }
    return success(vectors);
  }

  async #embedBatch(texts: string[]): Promise<Float32Array[]> {
    const output = outputSchema.parse(await this.#extract(texts, { pooling: "mean", normalize: true }));
    return texts.map((_, index) => {
      const vector = output.data.slice(index * DIMENSIONS, (index + 1) * DIMENSIONS);
      if (vector.length !== DIMENSIONS || !vector.every(Number.isFinite)) {
        throw new Error("the model gave a vector that is not one");
      }
      return vector;
    });
  }
}
