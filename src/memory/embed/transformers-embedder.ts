import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { CANCELLED, failed, success } from "../../agent/failure.ts";
import { shortCause } from "../causes.ts";
import type { Embedder } from "./embedder.ts";
import { EMBEDDING_MODEL } from "./embedder.ts";
import type { ModelPlaces } from "./model-files.ts";
import { discardDownload, findModel } from "./model-files.ts";
import { partsEmbedder } from "./parts-embedder.ts";
import { fromFolder, transformersLibrary, type Runtime } from "./transformers-library.ts";

/** Texts embedded in one go; between two goes the process can do other things. */
const BATCH = 8;
/**
 * What is embedded as one, in UTF-16 units: such models were trained on 256 tokens and read 512. On the long texts that
 * were tried, the mean of parts like this found somewhat more than the text's beginning alone; on short ones the same.
 */
const WINDOW = 1_000;

/** Said while models run on WebAssembly. */
export const SLOW_NOTE =
  "Embeddings are made about five times slower than they could be: the native runtime (onnxruntime-node) can't be loaded here, so WebAssembly does its work.";

type Extract = (
  texts: string[],
  options: { readonly pooling: "mean"; readonly normalize: true },
) => Promise<unknown>;

const outputSchema = z.object({
  dims: z.tuple([z.int().positive(), z.int().positive()]),
  data: z.instanceof(Float32Array),
});

/**
 * Loads all-MiniLM-L6-v2, or another model of the same form, with transformers.js: from a folder or after a download.
 */
export async function loadTransformersEmbedder(
  places: ModelPlaces,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<Result<Embedder>> {
  const model = places.model ?? EMBEDDING_MODEL;
  const folder = await findModel(places, onPercent, signal);
  if (!folder.ok) return folder;
  const loaded = await transformersLibrary();
  if (!loaded.ok) return loaded;
  try {
    const extract = await fromFolder(loaded.value, folder.value, async ({ pipeline }) => {
      const made: unknown = await pipeline("feature-extraction", model, { quantized: true });
      return made as Extract;
    });
    return await partsEmbedder(partModel(model, extract, loaded.value.runtime), signal);
  } catch (error) {
    if (folder.value === places.cacheDir) await discardDownload(places).catch(() => undefined);
    return failed("memory_unavailable", "the embedding model can't be loaded.", {
      action: "check_setup",
      cause: shortCause(error),
    });
  }
}

function partModel(model: string, extract: Extract, runtime: Runtime): Parameters<typeof partsEmbedder>[0] {
  return {
    model,
    knownAs: model,
    window: WINDOW,
    batch: BATCH,
    ...(runtime === "wasm" ? { note: SLOW_NOTE } : {}),
    embed: (texts, signal) => embedBatch(extract, texts, signal),
  };
}

async function embedBatch(
  extract: Extract,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Result<readonly Float32Array[]>> {
  // The model computes on this thread: let messages in between, a cancel among them.
  await new Promise((resolve) => setImmediate(resolve));
  if (signal.aborted) return { ok: false, failure: CANCELLED };
  try {
    const { dims, data } = outputSchema.parse(
      await extract([...texts], { pooling: "mean", normalize: true }),
    );
    return success(texts.map((_, index) => data.slice(index * dims[1], (index + 1) * dims[1])));
  } catch (error) {
    return failed("memory_unavailable", "the embedding model failed.", { cause: shortCause(error) });
  }
}
