import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { CANCELLED, failed, success } from "../../agent/failure.ts";
import type { ModelPlaces } from "../embed/model-files.ts";
import { discardDownload, findModel } from "../embed/model-files.ts";
import { fromFolder, transformersLibrary } from "../embed/transformers-library.ts";
import { shortCause } from "../causes.ts";
import type { Reranker } from "./reranker.ts";

/** The model that reads a question and a text together: one number for how well the text answers it. */
export const RERANKING_MODEL = "Xenova/ms-marco-MiniLM-L-6-v2";

/** Pairs that are read in one go; between two goes the process can do other things. */
const BATCH = 4;
/** What of a question and of a text is read, in UTF-16 units: both together are 512 tokens at most. */
const MAX_QUERY = 400;
const MAX_TEXT = 1_500;
const MAX_TOKENS = 512;

type Tokenize = (
  queries: string[],
  options: {
    readonly text_pair: string[];
    readonly padding: true;
    readonly truncation: true;
    readonly max_length: number;
  },
) => unknown;
type Classify = (inputs: unknown) => Promise<unknown>;

const outputSchema = z.object({
  logits: z.object({ dims: z.tuple([z.int().positive(), z.literal(1)]), data: z.instanceof(Float32Array) }),
});

/**
 * Loads ms-marco-MiniLM-L-6-v2, or another cross-encoder of the same form, from the user's folder, the cache, or a
 * download where that is allowed. The failure says what the user can do. Stops with the signal.
 *
 * @param onPercent takes how far a download is, 0..100
 */
export async function loadCrossEncoder(
  places: ModelPlaces,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<Result<Reranker>> {
  const model = places.model ?? RERANKING_MODEL;
  const named = { ...places, model, use: "reranking" };
  const folder = await findModel(named, onPercent, signal);
  if (!folder.ok) return folder;
  const loaded = await transformersLibrary();
  if (!loaded.ok) return loaded;
  if (signal.aborted) return { ok: false, failure: CANCELLED };
  try {
    const parts = await fromFolder(loaded.value, folder.value, async (library) => {
      const tokenizer: unknown = await library.AutoTokenizer.from_pretrained(model);
      const classifier: unknown = await library.AutoModelForSequenceClassification.from_pretrained(model, {
        quantized: true,
      });
      return { tokenize: tokenizer as Tokenize, classify: classifier as Classify };
    });
    const reranker: Reranker = {
      model,
      score: (query, texts, own) => scoreAll(parts, { query, texts }, own),
    };
    // One pair shows whether it is a model of this form: a folder may hold anything.
    const tried = await reranker.score("a", ["b"], signal);
    if (tried.ok) return success(reranker);
    if (tried.failure.code === "cancelled") return tried;
    return await unusable(named, folder.value, tried.failure.cause);
  } catch (error) {
    return unusable(named, folder.value, shortCause(error));
  }
}

async function unusable(
  places: ModelPlaces,
  folder: string,
  cause: string | undefined,
): Promise<Result<never>> {
  if (folder === places.cacheDir) await discardDownload(places).catch(() => undefined);
  return failed("memory_unavailable", "the reranking model can't be loaded.", {
    action: "check_setup",
    ...(cause === undefined ? {} : { cause }),
  });
}

interface CrossEncoder {
  readonly tokenize: Tokenize;
  readonly classify: Classify;
}

async function scoreAll(
  model: CrossEncoder,
  { query, texts }: { readonly query: string; readonly texts: readonly string[] },
  signal: AbortSignal,
): Promise<Result<readonly number[]>> {
  const scores: number[] = [];
  for (let start = 0; start < texts.length; start += BATCH) {
    // The model computes on this thread: let messages in between, a cancel among them.
    await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    try {
      scores.push(...(await scoreBatch(model, query, texts.slice(start, start + BATCH))));
    } catch (error) {
      return failed("memory_unavailable", "the reranking model failed.", { cause: shortCause(error) });
    }
  }
  return success(scores);
}

async function scoreBatch(
  { tokenize, classify }: CrossEncoder,
  query: string,
  texts: readonly string[],
): Promise<number[]> {
  const inputs = tokenize(
    texts.map(() => query.slice(0, MAX_QUERY).toWellFormed()),
    {
      text_pair: texts.map((text) => text.slice(0, MAX_TEXT).toWellFormed()),
      ...{ padding: true, truncation: true, max_length: MAX_TOKENS },
    },
  );
  const { logits } = outputSchema.parse(await classify(inputs));
  const scores = [...logits.data].map((logit) => 1 / (1 + Math.exp(-logit)));
  if (scores.length !== texts.length || !scores.every(Number.isFinite)) {
    throw new Error(`${scores.length} scores for ${texts.length} texts`);
  }
  return scores;
}
