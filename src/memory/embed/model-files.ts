import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Result } from "../../agent/failure.ts";
import { CANCELLED, failed, success } from "../../agent/failure.ts";
import { shortCause } from "../causes.ts";
import { EMBEDDING_MODEL } from "./embedder.ts";

/** Where model files come from when nothing else is set. */
export const MODEL_HOST = "https://huggingface.co";

/** The files a model is loaded from, with about how large they are in bytes for a small model. */
const FILES = [
  { name: "config.json", size: 700 },
  { name: "tokenizer.json", size: 711_661 },
  { name: "tokenizer_config.json", size: 366 },
  { name: "onnx/model_quantized.onnx", size: 22_972_370 },
];
const TOTAL = FILES.reduce((sum, { size }) => sum + size, 0);

/** How model files are looked for and fetched. */
export interface ModelPlaces {
  /** The model's id, such as `Xenova/multilingual-e5-small`; all-MiniLM-L6-v2 when left out. */
  readonly model?: string | undefined;
  /** What the model is for, as people are told of it; `embedding` when left out. */
  readonly use?: string | undefined;
  /** The user's own folder, holding a folder named like the model: `Xenova/all-MiniLM-L6-v2/`. */
  readonly modelDir?: string | undefined;
  readonly cacheDir: string;
  readonly allowDownload: boolean;
  /** Where files are downloaded from, such as a mirror, in the form of `MODEL_HOST`; left out: that. */
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
  const model = modelOf(places);
  if (!/^[\w.-]+\/[\w.-]+$/.test(model) || model.includes("..")) {
    return failed("bad_input", `${model} is not the name of a model: write it like ${EMBEDDING_MODEL}.`, {
      action: "open_settings",
    });
  }
  if (places.modelDir !== undefined && missingFrom(places.modelDir, model).length === 0) {
    return success(places.modelDir);
  }
  if (missingFrom(places.cacheDir, model).length === 0) return success(places.cacheDir);
  if (!places.allowDownload) {
    return failed("memory_unavailable", adviceWithoutDownload(places), { action: "open_settings" });
  }
  return download(places, onPercent, signal);
}

function modelOf({ model }: ModelPlaces): string {
  return model ?? EMBEDDING_MODEL;
}

function useOf({ use }: ModelPlaces): string {
  return use ?? "embedding";
}

function adviceWithoutDownload(places: ModelPlaces): string {
  const model = modelOf(places);
  if (places.modelDir === undefined) {
    const size = model === EMBEDDING_MODEL ? "22 MB, once" : "once";
    return `there is no ${useOf(places)} model. Allow its download (${size}), or name a folder that holds ${model} in the setting conclave.memory.embedder.folder.`;
  }
  return `the model folder ${places.modelDir} lacks ${model}/${missingFrom(places.modelDir, model).join(", ")}.`;
}

function missingFrom(folder: string, model: string): string[] {
  return FILES.map(({ name }) => name).filter((name) => !existsSync(join(folder, model, name)));
}

/** Takes away downloaded files that turned out unusable, so that the next try fetches them anew. */
export async function discardDownload(places: ModelPlaces): Promise<void> {
  await rm(join(places.cacheDir, modelOf(places)), { recursive: true, force: true });
}

async function download(
  places: ModelPlaces,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<Result<string>> {
  // What speaks HTTP is large and needed once: it is loaded here and not with the process.
  const { fetchChunks } = await import("./fetch-chunks.ts");
  const model = modelOf(places);
  let before = 0;
  for (const { name, size } of FILES) {
    const target = join(places.cacheDir, model, name);
    if (!existsSync(target)) {
      const host = (places.modelHost ?? MODEL_HOST).replace(/\/+$/, "");
      const address = `${host}/${model}/resolve/main/${name}`;
      const start = before;
      let whole = size;
      try {
        const chunks = fetchChunks(address, places.proxy, signal, (length) => (whole = length));
        await writeFile(chunks, target, (bytes) =>
          onPercent(percent(start + Math.min(1, bytes / whole) * size)),
        );
      } catch (error) {
        return signal.aborted
          ? { ok: false, failure: CANCELLED }
          : downloadFailure(useOf(places), address, error);
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

function downloadFailure(use: string, address: string, error: unknown): Result<never> {
  return failed(
    "memory_unavailable",
    `the ${use} model can't be downloaded from ${new URL(address).host}. Put its files into a folder and name that folder in the setting conclave.memory.embedder.folder, name a mirror in conclave.memory.embedder.host, or try again later.`,
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
