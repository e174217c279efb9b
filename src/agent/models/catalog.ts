import { z } from "zod";
import { failed, success, type Result } from "../failure.ts";
import type { OllamaApi } from "./api.ts";
import { parseJson, type ModelDirectory } from "./capabilities.ts";
import { notOllama } from "./errors.ts";
import type { TimeLimits } from "./transport.ts";
import type { Capability, ModelInfo, RunnerOptions } from "./types.ts";
import { toWireRunner } from "./wire.ts";

/** A model on the server's disk. */
export interface InstalledModel {
  readonly name: string;
  /** Bytes on disk. */
  readonly size: number;
  readonly digest: string;
  readonly family?: string;
  /** Such as `8.2B`. */
  readonly parameterSize?: string;
  /** Such as `Q4_K_M`. */
  readonly quantization?: string;
  /** Empty when the server could not say. */
  readonly capabilities: readonly Capability[];
  readonly contextLength?: number;
}

/** A model in the server's memory. */
export interface RunningModel {
  readonly name: string;
  /** Bytes in memory, and how many of them in the graphics card's. */
  readonly size: number;
  readonly sizeVram: number;
  /** The context length it was really loaded with, where the server says. */
  readonly contextLength?: number;
  /** ISO time at which it is unloaded. */
  readonly expiresAt?: string;
}

/** Texts to embed. */
export interface EmbedRequest {
  readonly model: string;
  readonly input: readonly string[];
  /** The same as the model's chats have, or it is loaded anew for each; left out for a model that does not chat. */
  readonly runner?: RunnerOptions;
}

const Details = z
  .looseObject({
    family: z.string().optional().catch(undefined),
    parameter_size: z.string().optional().catch(undefined),
    quantization_level: z.string().optional().catch(undefined),
  })
  .nullish()
  .catch(undefined);
const Tags = z.looseObject({
  models: z
    .array(
      z.looseObject({
        name: z.string(),
        size: z.number().catch(0),
        digest: z.string().catch(""),
        details: Details,
      }),
    )
    .nullable(),
});
const Running = z.looseObject({
  models: z
    .array(
      z.looseObject({
        name: z.string(),
        size: z.number().catch(0),
        size_vram: z.number().catch(0),
        context_length: z.number().int().positive().optional().catch(undefined),
        expires_at: z.string().optional().catch(undefined),
      }),
    )
    .nullable(),
});
const Version = z.looseObject({ version: z.string() });
const Embeddings = z.looseObject({ embeddings: z.array(z.array(z.number()).min(1)) });

type InstalledEntry = NonNullable<z.infer<typeof Tags>["models"]>[number];

/** How many models are described at once. */
const PARALLEL = 4;

/**
 * What an Ollama server has besides chat. The package's own client is not used for it: it takes no signal, and prints
 * errors to the console.
 */
export class OllamaCatalog {
  readonly #api: OllamaApi;
  readonly #directory: ModelDirectory;
  readonly #digests = new Map<string, string>();

  constructor(api: OllamaApi, directory: ModelDirectory) {
    this.#api = api;
    this.#directory = directory;
  }

  /** The models on disk, in the server's order, each with what it can do. */
  async list(signal: AbortSignal): Promise<Result<readonly InstalledModel[]>> {
    const tags = await this.#get("tags", Tags, signal);
    if (!tags.ok) return tags;
    const entries = tags.value.models ?? [];
    this.#noteDigests(entries);
    const models: InstalledModel[] = [];
    for (let from = 0; from < entries.length; from += PARALLEL) {
      const described = entries.slice(from, from + PARALLEL).map(async (entry) => {
        const info = await this.#directory.describe(entry.name, signal);
        return toInstalled(entry, info.ok ? info.value : undefined);
      });
      models.push(...(await Promise.all(described)));
    }
    return signal.aborted ? failed("cancelled", "Cancelled.") : success(models);
  }

  /** The models in memory. */
  async running(signal: AbortSignal): Promise<Result<readonly RunningModel[]>> {
    const running = await this.#get("ps", Running, signal);
    if (!running.ok) return running;
    const models = (running.value.models ?? []).map((entry) => ({
      name: entry.name,
      size: entry.size,
      sizeVram: entry.size_vram,
      ...(entry.context_length !== undefined && { contextLength: entry.context_length }),
      ...(entry.expires_at !== undefined && { expiresAt: entry.expires_at }),
    }));
    return success(models);
  }

  /** The server's version as it calls itself; one built from source says 0.0.0, which is fine. */
  async version(signal: AbortSignal): Promise<Result<string>> {
    const version = await this.#get("version", Version, signal);
    return version.ok ? success(version.value.version) : version;
  }

  /** One L2-normalised vector for each text, in order. `limits` are those of a chat: the model may have to be loaded. */
  async embed(request: EmbedRequest, limits: TimeLimits, signal: AbortSignal): Promise<Result<number[][]>> {
    const { model, input, runner } = request;
    if (input.length === 0) return success([]);
    const sent = { model, input, ...(runner && toWireRunner(runner)) };
    const body = await this.#api.text("embed", sent, { limits, model, signal });
    if (!body.ok) return body;
    const reply = Embeddings.safeParse(parseJson(body.value));
    const vectors = reply.success ? reply.data.embeddings : [];
    const length = vectors[0]?.length;
    if (vectors.length === input.length && vectors.every((vector) => vector.length === length))
      return success(vectors);
    return failed("server_error", `${model} did not give one vector for each of ${input.length} texts.`, {
      cause: body.value.slice(0, 500),
    });
  }

  /** A model made anew under its name has another digest: what was known of it no longer counts. */
  #noteDigests(entries: readonly InstalledEntry[]): void {
    for (const { name, digest } of entries) {
      const before = this.#digests.get(name);
      if (before !== undefined && before !== digest) this.#directory.invalidate(name);
    }
    this.#digests.clear();
    for (const { name, digest } of entries) this.#digests.set(name, digest);
  }

  async #get<T>(endpoint: string, shape: z.ZodType<T>, signal: AbortSignal): Promise<Result<T>> {
    const body = await this.#api.text(endpoint, undefined, { signal });
    if (!body.ok) return body;
    const reply = shape.safeParse(parseJson(body.value));
    if (reply.success) return success(reply.data);
    return { ok: false, failure: notOllama(this.#api.host.display, body.value) };
  }
}

function toInstalled(entry: InstalledEntry, info: ModelInfo | undefined): InstalledModel {
  const family = entry.details?.family ?? info?.family;
  const parameterSize = entry.details?.parameter_size ?? info?.parameterSize;
  const quantization = entry.details?.quantization_level ?? info?.quantization;
  return {
    name: entry.name,
    size: entry.size,
    digest: entry.digest,
    ...(family && { family }),
    ...(parameterSize && { parameterSize }),
    ...(quantization && { quantization }),
    capabilities: info?.capabilities ?? [],
    ...(info?.contextLength !== undefined && { contextLength: info.contextLength }),
  };
}
