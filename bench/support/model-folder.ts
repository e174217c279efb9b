import { existsSync } from "node:fs";
import { join } from "node:path";
import { EMBEDDING_MODEL } from "../../src/memory/embed/embedder.ts";

/** The folder of the embedding model, which `CONCLAVE_EMBEDDER_DIR` names; undefined when there is none. */
export function modelFolder(): string | undefined {
  const folder = process.env["CONCLAVE_EMBEDDER_DIR"] ?? "";
  return folder !== "" && existsSync(join(folder, EMBEDDING_MODEL)) ? folder : undefined;
}

/** What is said where there is none. */
export const NO_MODEL =
  "there is no embedding model: node scripts/real-models.mjs gets one; CONCLAVE_EMBEDDER_DIR names its folder";
