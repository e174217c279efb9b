import { createHash } from "node:crypto";
import { deferred } from "./deferred.ts";
import type { LoadRecord, ScriptedModel, WireCapability } from "./types.ts";

/** A model with all that was left out filled in. */
export interface KnownModel extends Required<Omit<ScriptedModel, "load">> {
  readonly load: (() => Promise<unknown>) | undefined;
  readonly digest: string;
}

/** How a load ended: the milliseconds it took, given up by the client that waited, or the server's error. */
export type LoadOutcome = { readonly ms: number } | { readonly error: string } | "aborted";

interface LoadedModel {
  readonly model: KnownModel;
  readonly contextLength: number;
  readonly runner: string;
  readonly ready: Promise<LoadOutcome>;
  expiresAt: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The options that, when they change, make the server load the model anew. */
const RUNNER_OPTIONS = ["num_ctx", "num_batch", "num_gpu", "main_gpu", "use_mmap", "num_thread"];
const KEPT_LOADS = 10_000;
const DEFAULT_KEEP_ALIVE_MS = 300_000;
const FOR_EVER_MS = 9_223_372_036_854;
const MODIFIED_AT = "2026-08-01T12:00:00.000000001Z";

/** Gives a name its tag: `m` is `m:latest`. Names are compared without case. */
export function fullName(name: string): string {
  return (/:[^/]*$/.test(name) ? name : `${name}:latest`).toLowerCase();
}

/** True for a name that the real server can parse: scheme, host, namespace and tag may be left out. */
export function isModelName(name: string): boolean {
  return /^(?:https?:\/\/)?[\w.-]+(?::\d+)?(?:\/[\w.-]+){0,2}(?::[\w.-]+)?$/.test(name);
}

/** Reads `keep_alive`: a duration such as `5m`, or seconds; below zero is for ever. Milliseconds. */
export function keepAliveMs(value: string | number | undefined): number {
  if (value === undefined) return DEFAULT_KEEP_ALIVE_MS;
  const ms = typeof value === "number" ? value * 1000 : durationMs(value);
  return ms < 0 ? FOR_EVER_MS : ms;
}

function durationMs(duration: string): number {
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  const sign = duration.startsWith("-") ? -1 : 1;
  let total = 0;
  for (const [, amount, unit] of duration.matchAll(/([\d.]+)(ms|s|m|h)/g)) {
    total += Number(amount) * (units[unit ?? ""] ?? 0);
  }
  return sign * total;
}

/** The models of the server: which there are, and which are in memory. */
export class ModelStore {
  readonly loads: LoadRecord[] = [];
  readonly #known = new Map<string, KnownModel>();
  readonly #loaded = new Map<string, LoadedModel>();
  readonly #defaultContext: number;

  constructor(models: readonly ScriptedModel[], defaultContext: number) {
    this.#defaultContext = defaultContext;
    for (const model of models) this.add(model);
  }

  /** Adds or replaces a model. */
  add(model: ScriptedModel): void {
    const name = fullName(model.name);
    const known: KnownModel = {
      capabilities: ["completion", "tools", "thinking"],
      contextLength: 32_768,
      family: "scripted",
      parameterSize: "8.0B",
      parameters: 8_000_000_000,
      quantization: "Q4_K_M",
      size: 1_000_000_000,
      thinkLevels: false,
      dimensions: 384,
      loaded: false,
      load: undefined,
      ...model,
      name,
      digest: createHash("sha256").update(name).digest("hex"),
    };
    this.#known.set(name, known);
    if (known.loaded) {
      const ready = Promise.resolve<LoadOutcome>({ ms: 0 });
      this.#put(known, this.contextLength(known, {}), this.#runnerKey(known, {}), ready);
    }
  }

  /** Takes a model away, from memory too. */
  remove(name: string): void {
    this.#known.delete(fullName(name));
    this.#loaded.delete(fullName(name));
  }

  /** Drops a model from memory. */
  unload(name: string): void {
    this.#loaded.delete(fullName(name));
  }

  /** Finds a model by name, tag optional. */
  find(name: string): KnownModel | undefined {
    return this.#known.get(fullName(name));
  }

  /** The context length a request gets: what it asks for, capped by the model's own. */
  contextLength(model: KnownModel, options: Readonly<Record<string, unknown>>): number {
    const asked = options["num_ctx"];
    const wanted = typeof asked === "number" && asked > 0 ? asked : this.#defaultContext;
    return Math.min(wanted, model.contextLength);
  }

  /**
   * Loads a model where it is not in memory, or is with other runner options. A load is given up with the request
   * that began it, as the real server does; another that waited for it then begins anew.
   */
  async ensureLoaded(
    model: KnownModel,
    options: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<LoadOutcome> {
    const started = performance.now();
    const runner = this.#runnerKey(model, options);
    for (;;) {
      const current = this.#current(model.name);
      if (current?.runner !== runner) {
        return this.#load(model, runner, this.contextLength(model, options), signal);
      }
      if (!(await raceAbort(current.ready, signal))) return "aborted";
      const outcome = await current.ready;
      if (outcome !== "aborted") return "error" in outcome ? outcome : { ms: performance.now() - started };
    }
  }

  /** Sets when a model leaves memory; zero takes it out at once. */
  keepAlive(model: KnownModel, value: string | number | undefined): void {
    const ms = keepAliveMs(value);
    const loaded = this.#current(model.name);
    if (loaded === undefined) return;
    if (ms === 0) this.#loaded.delete(model.name);
    else loaded.expiresAt = Date.now() + ms;
  }

  /** The body of `/api/tags`. */
  tags(): unknown {
    return {
      models: [...this.#known.values()].map((model) => ({
        name: model.name,
        model: model.name,
        modified_at: MODIFIED_AT,
        size: model.size,
        digest: model.digest,
        details: details(model),
      })),
    };
  }

  /** The body of `/api/ps`; a model that is being loaded is listed too. */
  ps(): unknown {
    const live = [...this.#loaded.keys()].flatMap((name) => this.#current(name) ?? []);
    return {
      models: live.map(({ model, contextLength, expiresAt }) => ({
        name: model.name,
        model: model.name,
        size: model.size,
        digest: model.digest,
        details: details(model),
        expires_at: new Date(Math.min(expiresAt, 8.64e15)).toISOString(),
        size_vram: 0,
        context_length: contextLength,
      })),
    };
  }

  #current(name: string): LoadedModel | undefined {
    const loaded = this.#loaded.get(name);
    if (loaded === undefined || loaded.expiresAt > Date.now()) return loaded;
    this.#loaded.delete(name);
    return undefined;
  }

  #runnerKey(model: KnownModel, options: Readonly<Record<string, unknown>>): string {
    const rest = RUNNER_OPTIONS.filter((name) => name !== "num_ctx").map((name) => options[name] ?? null);
    return JSON.stringify([this.contextLength(model, options), ...rest]);
  }

  #put(model: KnownModel, contextLength: number, runner: string, ready: Promise<LoadOutcome>): void {
    this.#loaded.set(model.name, {
      model,
      contextLength,
      runner,
      ready,
      expiresAt: Date.now() + DEFAULT_KEEP_ALIVE_MS,
    });
  }

  async #load(
    model: KnownModel,
    runner: string,
    contextLength: number,
    signal: AbortSignal,
  ): Promise<LoadOutcome> {
    const record: Mutable<LoadRecord> = { model: model.name, contextLength, outcome: "loading" };
    this.loads.push(record);
    if (this.loads.length > KEPT_LOADS) this.loads.shift();
    const settled = deferred<LoadOutcome>();
    this.#put(model, contextLength, runner, settled.promise);
    const outcome = await runLoad(model, signal);
    const failed = outcome === "aborted" || "error" in outcome;
    record.outcome = failed ? "failed" : "loaded";
    if (failed && this.#loaded.get(model.name)?.ready === settled.promise) this.#loaded.delete(model.name);
    settled.resolve(outcome);
    return outcome;
  }
}

async function runLoad(model: KnownModel, signal: AbortSignal): Promise<LoadOutcome> {
  const started = performance.now();
  try {
    const loaded = await raceAbort(model.load?.() ?? Promise.resolve(), signal);
    return loaded ? { ms: performance.now() - started } : "aborted";
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Waits for a promise; false when the signal fires first. */
export async function raceAbort(promise: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const aborted = deferred<false>();
  const stop = () => aborted.resolve(false);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise.then(() => true), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function details(model: KnownModel): unknown {
  return {
    parent_model: "",
    format: "gguf",
    family: model.family,
    families: [model.family],
    parameter_size: model.parameterSize,
    quantization_level: model.quantization,
  };
}

/** The body of `/api/show`. */
export function showBody(model: KnownModel): unknown {
  const capabilities: readonly WireCapability[] = model.capabilities;
  return {
    modelfile: `FROM ${model.name}\n`,
    parameters: 'stop                           "<|im_end|>"',
    template: "{{ .Prompt }}",
    details: details(model),
    model_info: {
      "general.architecture": model.family,
      "general.parameter_count": model.parameters,
      [`${model.family}.context_length`]: model.contextLength,
      [`${model.family}.embedding_length`]: model.dimensions,
    },
    capabilities,
    modified_at: MODIFIED_AT,
  };
}
