import type { Result } from "../../agent/failure.ts";
import { raceAbort, type Timer } from "../../agent/timer.ts";

/** How long what the server said is taken as it is, in milliseconds. */
const FRESH_MS = 30_000;
/** How long the server may take to answer, in milliseconds. */
const LIMIT_MS = 10_000;

/** A server that can say which models it has. */
export interface ModelLister {
  list(signal: AbortSignal): Promise<Result<readonly { readonly name: string }[]>>;
}

/** What names of models are asked from. */
export interface KnownModelsOptions {
  /** The server as it is now; undefined when its address can't be read. */
  readonly server: () => ModelLister | undefined;
  readonly now: () => number;
  readonly timer: Timer;
  /** Hears that the names are others than before. */
  readonly onChange: () => void;
}

/** The names of the models that are installed, as far as is known; asks the server in the background. */
export class KnownModels {
  readonly #options: KnownModelsOptions;
  readonly #stop = new AbortController();
  #server: ModelLister | undefined;
  #names: readonly string[] | undefined;
  #askedAt = -Infinity;
  #asking: Promise<void> = Promise.resolve();

  constructor(options: KnownModelsOptions) {
    this.#options = options;
  }

  /** The names by what the server last said; undefined while it has said nothing. What is old is asked anew. */
  names(): readonly string[] | undefined {
    const server = this.#options.server();
    if (server !== this.#server) {
      this.#server = server;
      this.#names = undefined;
      this.#askedAt = -Infinity;
    }
    const now = this.#options.now();
    if (server !== undefined && now - this.#askedAt >= FRESH_MS) {
      this.#askedAt = now;
      this.#asking = this.#ask(server);
    }
    return this.#names;
  }

  /** Resolves once the names are known, or the server can't say; at once when the signal fires. */
  async settled(signal: AbortSignal): Promise<void> {
    if (this.names() === undefined) await raceAbort(signal, () => this.#asking);
  }

  dispose(): void {
    this.#stop.abort();
  }

  async #ask(server: ModelLister): Promise<void> {
    const limit = new AbortController();
    const stop = (): void => limit.abort();
    const cancel = this.#options.timer(LIMIT_MS, stop);
    this.#stop.signal.addEventListener("abort", stop, { once: true });
    const listed = await raceAbort(limit.signal, () => server.list(limit.signal));
    cancel();
    this.#stop.signal.removeEventListener("abort", stop);
    if (listed.kind !== "value" || !listed.value.ok || server !== this.#server) return;
    const names = listed.value.value.map(({ name }) => name).sort();
    if (this.#stop.signal.aborted || names.join("\n") === this.#names?.join("\n")) return;
    this.#names = names;
    this.#options.onChange();
  }
}
