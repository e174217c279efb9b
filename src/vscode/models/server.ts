import { success, type Failure, type Result } from "../../agent/failure.ts";
import { OllamaApi } from "../../agent/models/api.ts";
import { ModelDirectory } from "../../agent/models/capabilities.ts";
import { OllamaCatalog, type RunningModel } from "../../agent/models/catalog.ts";
import type { OllamaHost } from "../../agent/models/host.ts";
import { DEFAULT_LIMITS, OllamaChatModel } from "../../agent/models/ollama.ts";
import { pullModel, type PullUpdate } from "../../agent/models/pull.ts";
import type { ChatModel, ModelInfo } from "../../agent/models/types.ts";
import type { ModelEntry } from "./entry.ts";

/** Progress of a pull. */
export type PullLine = Extract<PullUpdate, { readonly type: "progress" }>;

/** How a server is reached. */
export interface ServerOptions {
  readonly host: OllamaHost;
  /** How long a model may stay silent, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** One Ollama server, as doors, pickers and commands use it. Nothing here throws. */
export class ModelServer {
  readonly #options: ServerOptions;
  readonly #api: OllamaApi;
  readonly #directory: ModelDirectory;
  readonly #catalog: OllamaCatalog;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#api = new OllamaApi(options.host);
    this.#directory = new ModelDirectory(this.#api);
    this.#catalog = new OllamaCatalog(this.#api, this.#directory);
  }

  /** Its address for people, without a password. */
  get display(): string {
    return this.#options.host.display;
  }

  /** The server's version as it calls itself. */
  version(signal: AbortSignal): Promise<Result<string>> {
    return this.#catalog.version(signal);
  }

  /** Its models with what they can do, and which of them are loaded. */
  async list(signal: AbortSignal): Promise<Result<readonly ModelEntry[]>> {
    const [installed, running] = await Promise.all([
      this.#catalog.list(signal),
      this.#catalog.running(signal),
    ]);
    if (!installed.ok) return installed;
    const loaded = new Set(running.ok ? running.value.map((model) => model.name) : []);
    return success(
      installed.value.map(({ size, digest: _digest, capabilities, ...rest }) => ({
        ...rest,
        sizeBytes: size,
        ...(capabilities.length === 0 ? {} : { capabilities }),
        loaded: loaded.has(rest.name),
      })),
    );
  }

  /** The models in its memory. */
  running(signal: AbortSignal): Promise<Result<readonly RunningModel[]>> {
    return this.#catalog.running(signal);
  }

  /** What a model can do. */
  describe(name: string, signal: AbortSignal): Promise<Result<ModelInfo>> {
    return this.#directory.describe(name, signal);
  }

  /** Has the server download a model; `onLine` hears of the progress. */
  async pull(name: string, onLine: (line: PullLine) => void, signal: AbortSignal): Promise<Result<string>> {
    let failure: Failure | undefined;
    for await (const update of pullModel(this.#api, this.#directory, name, signal)) {
      if (update.type === "progress") onLine(update);
      if (update.type === "failure") failure = update.failure;
    }
    return failure === undefined ? success(name) : { ok: false, failure };
  }

  /** The model of this name, to be talked to. */
  model(name: string): ChatModel {
    const silence = this.#options.requestTimeoutMs;
    return new OllamaChatModel({
      host: this.#options.host,
      model: name,
      limits: { firstByteMs: silence, idleMs: Math.min(silence, DEFAULT_LIMITS.idleMs) },
      directory: this.#directory,
    });
  }
}

/** Whether `/api/tags` lists a model under this name: Ollama adds `:latest` to a name without a tag. */
export function sameModel(a: string, b: string): boolean {
  const full = (name: string): string => (/:[^/]*$/.test(name) ? name : `${name}:latest`);
  return full(a) === full(b);
}
