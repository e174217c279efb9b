import { pipeline, env } from "@xenova/transformers";
import { EMBEDDING_MODEL } from "../../src/memory/embed/embedder.ts";
import { loadTransformersEmbedder } from "../../src/memory/embed/transformers-embedder.ts";
import { interleave, median, quartiles, type Figure, type Measured } from "../frame.ts";
import { randomFrom, textOf } from "../support/memory-data.ts";
import { never, valueOf } from "../support/memory-store.ts";
import { modelFolder, NO_MODEL } from "../support/model-folder.ts";

const ROUNDS = 15;
const WARM_UP = 2;
/** Texts a round, in batches as large as the product's. */
const TEXTS = 32;
const BATCH = 8;
/** About what a turn has. */
const WORDS = 60;

async function measure(): Promise<Measured> {
  const folder = modelFolder();
  if (folder === undefined) throw new Error(NO_MODEL);
  const places = { modelDir: folder, cacheDir: folder, allowDownload: false };
  const embedder = valueOf(await loadTransformersEmbedder(places, () => undefined, never));
  Object.assign(env, { localModelPath: folder, allowRemoteModels: false });
  const raw = await pipeline("feature-extraction", EMBEDDING_MODEL, { quantized: true });
  const random = randomFrom(3);
  const texts = Array.from({ length: TEXTS }, () => textOf(random, WORDS));
  const perText = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await work();
    return (performance.now() - began) / TEXTS;
  };
  const pair = await interleave(
    ROUNDS,
    WARM_UP,
    () => perText(async () => valueOf(await embedder.embed(texts, "document", never))),
    () =>
      perText(async () => {
        for (let start = 0; start < TEXTS; start += BATCH) {
          await raw(texts.slice(start, start + BATCH), { pooling: "mean", normalize: true });
        }
      }),
  );
  const reference = median(pair.reference);
  return {
    value: median(pair.ours) / reference,
    reference: { name: "the library alone, a text", value: reference, unit: "ms" },
    rounds: ROUNDS,
    spread: quartiles(pair.ours.map((each, round) => each / (pair.reference[round] ?? NaN))),
    note: `${(1_000 / median(pair.ours)).toFixed(0)} texts of ${WORDS} words a second`,
  };
}

/** What embedding costs beyond the model. */
export const memoryEmbed: Figure = {
  name: "memory.embed.ratio",
  unit: "ratio",
  goal: 1.1,
  about: "embedding texts as long as turns, against the library alone",
  measure,
};
