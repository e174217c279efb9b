import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { EMBEDDING_MODEL } from "../../../../src/memory/embed/embedder.ts";

/** The folder of a real embedding model, where the machine has one: named by a variable, or made by the scripts. */
export function realEmbedderFolder(): string | undefined {
  const named = process.env["CONCLAVE_EMBEDDER_DIR"] ?? "";
  const cache = join(homedir(), ".cache", "conclave");
  const made = existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith("embedder")) : [];
  const folders = [...(named === "" ? [] : [named]), ...made.map((name) => join(cache, name))];
  return folders.find((folder) => existsSync(join(folder, EMBEDDING_MODEL, "onnx", "model_quantized.onnx")));
}
