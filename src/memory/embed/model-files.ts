import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Result } from "../../agent/failure.ts";
import { CANCELLED, failed, success } from "../../agent/failure.ts";
import { shortCause } from "../process/causes.ts";
import { EMBEDDING_MODEL } from "./embedder.ts";

/** Where model files come from when nothing else is set. */
export const MODEL_HOST = "https://huggingface.co/";

/** The files the embedder is loaded from, with about how large they are in bytes. */
const FILES = [
  { name: "config.json", size: 700 },
  { name: "tokenizer.json", size: 711_661 },
  { name: "tokenizer_config.json", size: 366 },
  { name: "onnx/model_quantized.onnx", size: 22_972_370 },
];
const TOTAL = FILES.reduce((sum, { size }) => sum + size, 0);

/** How model files are looked for and fetched. */
export interface ModelPlaces {
  /** The user's own folder, holding `Xenova/all-MiniLM-L6-v2/`. */
  readonly modelDir?: string | undefined;
  readonly cacheDir: string;
  readonly allowDownload: boolean;
  readonly modelHost?: string | undefined;
  /** Address of the proxy that leads out; left out: what the environment says. */
  readonly proxy?: string | undefined;
}

/**
 * The folder that holds the model's folder: the user's, else the cache, which is filled by a download the first time.
 * The failure says what the user can do.
 */
export async function findModel(
  places: ModelPlaces,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<Result<string>> {
  if (places.modelDir !== undefined && missingFrom(places.modelDir).length === 0) {
    return success(places.modelDir);
  }
  if (missingFrom(places.cacheDir).length === 0) return success(places.cacheDir);
  if (!places.allowDownload) {
    return failed("memory_unavailable", adviceWithoutDownload(places), { action: "open_settings" });
  }
  return download(places, onPercent, signal);
}

function adviceWithoutDownload({ modelDir }: ModelPlaces): string {
  if (modelDir === undefined) {
    return `there is no embedding model. Allow its download (22 MB, once), or set a folder that holds ${EMBEDDING_MODEL}.`;
  }
  return `the model folder ${modelDir} lacks ${EMBEDDING_MODEL}/${missingFrom(modelDir).join(", ")}.`;
}

function missingFrom(folder: string): string[] {
  return FILES.map(({ name }) => name).filter((name) => !existsSync(join(folder, EMBEDDING_MODEL, name)));
}

/** Takes away downloaded files that turned out unusable, so that the next try fetches them anew. */
export async function discardDownload(cacheDir: string): Promise<void> {
  await rm(join(cacheDir, EMBEDDING_MODEL), { recursive: true, force: true });
}

async function download(
  places: ModelPlaces,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<Result<string>> {
  // What speaks HTTP is large and needed once: it is loaded here and not with the process.
  const { fetchChunks } = await import("./fetch-chunks.ts");
  let before = 0;
  for (const { name, size } of FILES) {
    const target = join(places.cacheDir, EMBEDDING_MODEL, name);
    if (!existsSync(target)) {
      const address = `${places.modelHost ?? MODEL_HOST}${EMBEDDING_MODEL}/resolve/main/${name}`;
      const start = before;
      try {
        const chunks = fetchChunks(address, places.proxy, signal);
        await writeFile(chunks, target, (bytes) => onPercent(percent(start + Math.min(bytes, size))));
      } catch (error) {
        return signal.aborted ? { ok: false, failure: CANCELLED } : downloadFailure(address, error);
      }
    }
    before += size;
  }
  onPercent(100);
  return success(places.cacheDir);
}

function percent(bytes: number): number {
  return Math.min(99, Math.floor((100 * bytes) / TOTAL));
}

function downloadFailure(address: string, error: unknown): Result<never> {
  return failed(
    "memory_unavailable",
    `the embedding model can't be downloaded from ${new URL(address).host}. Put its files into a folder and set that folder, or try again later.`,
    { action: "open_settings", cause: shortCause(error) },
  );
}

/** Writes beside the target and renames, so that a file is there whole or not at all. */
async function writeFile(
  chunks: AsyncIterable<Uint8Array>,
  target: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const part = `${target}.${randomUUID()}.part`;
  const file = await open(part, "w");
  try {
    let bytes = 0;
    for await (const chunk of chunks) {
      await file.write(chunk);
      bytes += chunk.length;
      onBytes(bytes);
    }
    await file.close();
    await rename(part, target);
  } finally {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
  }
}
