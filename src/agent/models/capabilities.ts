import { LRUCache } from "lru-cache";
import { z } from "zod";
import { CANCELLED, success, type Failure, type Result } from "../failure.ts";
import { nearestName } from "../nearest-name.ts";
import type { OllamaApi } from "./api.ts";
import { notOllama } from "./errors.ts";
import type { TimeLimits } from "./transport.ts";
import type { Capability, ModelInfo } from "./types.ts";

/** How long what is known of a model is believed: a model can be made anew under its name. */
const TTL_MS = 5 * 60_000;
/** How exactly that is kept: the clock is read once in so many milliseconds. */
const TTL_RESOLUTION_MS = 1_000;

const CAPABILITIES: readonly Capability[] = [
  "completion",
  "tools",
  "thinking",
  "vision",
  "embedding",
  "insert",
];

const Show = z.looseObject({
  capabilities: z.array(z.string()).optional().catch(undefined),
  template: z.string().optional().catch(undefined),
  details: z
    .looseObject({
      family: z.string().optional().catch(undefined),
      parameter_size: z.string().optional().catch(undefined),
      quantization_level: z.string().optional().catch(undefined),
    })
    .nullish()
    .catch(undefined),
  model_info: z.record(z.string(), z.unknown()).nullish().catch(undefined),
});

const Tags = z.looseObject({ models: z.array(z.looseObject({ name: z.string() })) });

/** How a server says that it has no such model, or could have none of such a name. */
const NO_SUCH_MODEL: ReadonlySet<Failure["code"]> = new Set(["model_missing", "bad_input"]);

interface Pending {
  readonly result: Promise<Result<ModelInfo>>;
  readonly abort: AbortController;
  waiting: number;
}

/**
 * What the models of one server can do, by `/api/show`. Kept for five minutes a model; callers at the same time share
 * one request, which ends when the last of them gives up.
 */
export class ModelDirectory {
  readonly #api: OllamaApi;
  readonly #known = new LRUCache<string, ModelInfo>({
    ...{ max: 200, ttl: TTL_MS, ttlResolution: TTL_RESOLUTION_MS },
  });
  readonly #pending = new Map<string, Pending>();
  readonly #leaky = new LRUCache<string, true>({ max: 200 });

  constructor(api: OllamaApi) {
    this.#api = api;
  }

  /**
   * What a model can do. Fails with `model_missing` and all that a server can fail with. `limits` are those of a chat
   * where one waits for it: a server that is busy may be as slow with this as with the chat itself.
   */
  async describe(model: string, signal: AbortSignal, limits?: TimeLimits): Promise<Result<ModelInfo>> {
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    const known = this.#known.get(model);
    if (known !== undefined) return success(known);
    const pending = this.#pending.get(model) ?? this.#ask(model, limits);
    pending.waiting += 1;
    try {
      return await untilAborted(pending.result, signal);
    } finally {
      pending.waiting -= 1;
      if (pending.waiting === 0) pending.abort.abort();
    }
  }

  /** What is known of a model without asking; nothing when that is nothing, or too old to be believed. */
  known(model: string): ModelInfo | undefined {
    return this.#known.get(model);
  }

  /** Forgets what is known of a model, or of all: after a pull, or when an error shows that it was wrong. */
  invalidate(model?: string): void {
    if (model === undefined) this.#known.clear();
    else this.#known.delete(model);
  }

  /** Remembers that a model leaked its thinking with the opening tag swallowed. */
  markLeaky(model: string): void {
    this.#leaky.set(model, true);
  }

  /** Whether a model has leaked its thinking like that before. */
  isLeaky(model: string): boolean {
    return this.#leaky.has(model);
  }

  #ask(model: string, limits: TimeLimits | undefined): Pending {
    const abort = new AbortController();
    const result = this.#show(model, abort.signal, limits).then((shown) => {
      if (shown.ok) this.#known.set(model, shown.value);
      if (this.#pending.get(model) === pending) this.#pending.delete(model);
      return shown;
    });
    const pending: Pending = { result, abort, waiting: 0 };
    abort.signal.addEventListener("abort", () => {
      if (this.#pending.get(model) === pending) this.#pending.delete(model);
    });
    this.#pending.set(model, pending);
    return pending;
  }

  async #show(
    model: string,
    signal: AbortSignal,
    limits: TimeLimits | undefined,
  ): Promise<Result<ModelInfo>> {
    const body = await this.#api.text("show", { model }, { model, signal, ...(limits && { limits }) });
    if (body.ok) return readShow(model, body.value, this.#api.host.display);
    if (!NO_SUCH_MODEL.has(body.failure.code)) return body;
    return { ok: false, failure: await this.#withNearest(model, body.failure, signal) };
  }

  /** A missing model with the name of the nearest that is installed: no other one answers in its place. */
  async #withNearest(model: string, problem: Failure, signal: AbortSignal): Promise<Failure> {
    const tags = await this.#api.text("tags", undefined, { signal });
    const listed = Tags.safeParse(tags.ok ? parseJson(tags.value) : undefined);
    const names = listed.success ? listed.data.models.map(({ name }) => name) : [];
    const near = nearestName(model, names);
    if (near === undefined) return problem;
    return { ...problem, message: `${problem.message} Did you mean ${near}?` };
  }
}

/** Reads an answer of `/api/show`. Servers before 0.6.4 name no capabilities: the template tells then. */
export function readShow(model: string, body: string, host: string): Result<ModelInfo> {
  const shown = Show.safeParse(parseJson(body));
  if (!shown.success) return { ok: false, failure: notOllama(host, body) };
  const { capabilities, template, details, model_info: facts } = shown.data;
  const contextLength = contextLengthOf(facts ?? {});
  const parameters = parametersOf(facts ?? {}, details?.parameter_size);
  return success({
    name: model,
    capabilities:
      capabilities === undefined
        ? fromTemplate(template ?? "")
        : CAPABILITIES.filter((each) => capabilities.includes(each)),
    ...(contextLength !== undefined && { contextLength }),
    ...(details?.family && { family: details.family }),
    ...(details?.parameter_size && { parameterSize: details.parameter_size }),
    ...(parameters !== undefined && { parameters }),
    ...(details?.quantization_level && { quantization: details.quantization_level }),
    ...(template && { template }),
  });
}

function fromTemplate(template: string): readonly Capability[] {
  return template.includes(".Tools") ? ["completion", "tools"] : ["completion"];
}

/** `<architecture>.context_length`; the key's first part differs from family to family. */
function contextLengthOf(facts: { readonly [key: string]: unknown }): number | undefined {
  const architecture = facts["general.architecture"];
  const direct = typeof architecture === "string" ? facts[`${architecture}.context_length`] : undefined;
  const found = direct ?? Object.entries(facts).find(([key]) => /^[^.]+\.context_length$/.test(key))?.[1];
  return typeof found === "number" && Number.isInteger(found) && found > 0 ? found : undefined;
}

const SIZES: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** The exact count where the server has it, else that of a size such as `8.2B`. */
function parametersOf(
  facts: { readonly [key: string]: unknown },
  size: string | undefined,
): number | undefined {
  const count = facts["general.parameter_count"];
  if (typeof count === "number" && Number.isFinite(count) && count > 0) return count;
  const [, figure, unit] = /^(\d+(?:\.\d+)?)\s?([KMBT])$/i.exec(size?.trim() ?? "") ?? [];
  const parameters = Number(figure) * (SIZES[unit?.toUpperCase() ?? ""] ?? 0);
  return parameters > 0 ? parameters : undefined;
}

/** The context length to ask for: what is wanted, but never more than the model was made for. */
export function contextLengthFor(wanted: number, info: ModelInfo | undefined): number {
  return info?.contextLength === undefined ? wanted : Math.min(wanted, info.contextLength);
}

/** Parses JSON; gives undefined for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The result, or `cancelled` as soon as the signal fires. */
function untilAborted<T>(result: Promise<Result<T>>, signal: AbortSignal): Promise<Result<T>> {
  return new Promise((resolve) => {
    const onAbort = (): void => resolve({ ok: false, failure: CANCELLED });
    signal.addEventListener("abort", onAbort, { once: true });
    void result.then((value) => {
      signal.removeEventListener("abort", onAbort);
      resolve(value);
    });
  });
}
