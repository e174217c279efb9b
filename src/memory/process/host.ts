import { Console } from "node:console";
import { Writable } from "node:stream";
import { oneLine, shortCause } from "../causes.ts";
import type { FromHost, HostConfig, ToHost } from "./protocol.ts";
import { toHostSchema, wireFailure } from "./protocol.ts";
import { MemoryService } from "./service.ts";
import { loadEmbedder, type EmbedderChoice } from "../embed/load-embedder.ts";
import type { ModelPlaces } from "../embed/model-files.ts";

/** Longest line of the log, in UTF-16 units. */
const MAX_LINE = 500;
/** How long what was begun may go on after the window is gone, in milliseconds. */
const ENDING_MS = 1_500;

/** The memory process: answers the requests of the window that started it, and ends with it. */
class MemoryHost {
  #service: MemoryService | undefined;
  readonly #running = new Map<number, AbortController>();

  /** Takes a message of the window; what can't be read is dropped with a line in the log. */
  receive(raw: unknown): void {
    const message = toHostSchema.safeParse(raw);
    if (!message.success) {
      log("a message that can't be read was dropped");
      return;
    }
    if (message.data.type === "init") {
      this.#service ??= makeService(message.data.config);
    } else if (message.data.type === "cancel") {
      this.#running.get(message.data.id)?.abort();
    } else {
      void this.#answer(message.data);
    }
  }

  /** Ends what was begun, within moments, then the process. */
  async end(): Promise<void> {
    const enough = setTimeout(() => process.exit(0), ENDING_MS);
    await this.#service?.close();
    clearTimeout(enough);
    process.exit(0);
  }

  async #answer(request: Extract<ToHost, { type: "request" }>): Promise<void> {
    const { id, method, params } = request;
    if (this.#service === undefined) {
      log("a request came before the set-up");
      return;
    }
    const running = new AbortController();
    this.#running.set(id, running);
    const result = await this.#service.handle(method, params, running.signal);
    this.#running.delete(id);
    send(
      result.ok
        ? { type: "value", id, value: result.value }
        : { type: "failure", id, failure: wireFailure(result.failure) },
    );
  }
}

function makeService(config: HostConfig): MemoryService {
  const { uri, storageOptions } = config;
  const service = new MemoryService({
    store: { uri, ...(storageOptions === undefined ? {} : { storageOptions }) },
    embedder: (signal) =>
      loadEmbedder(
        choiceOf(config),
        shownPercent("embedding", (percent) => service.downloaded(percent)),
        signal,
      ),
    reranker: async (signal) => {
      const { loadCrossEncoder } = await import("../retrieval/cross-encoder.ts");
      const onPercent = shownPercent("reranking", (percent) => service.rerankerDownloaded(percent));
      return loadCrossEncoder(placesOf(config), onPercent, signal);
    },
    onProgress: (progress) => send({ type: "progress", progress }),
    onLog: log,
  });
  return service;
}

/** Tells the window and the service how far a download is, each percent once. */
function shownPercent(use: string, tell: (percent: number) => void): (percent: number) => void {
  let shown = -1;
  return (percent) => {
    if (percent === shown) return;
    shown = percent;
    tell(percent);
    const message = `Downloading the ${use} model: ${percent} %`;
    send({ type: "progress", progress: { task: "download", message, percent } });
  };
}

function placesOf(config: HostConfig): ModelPlaces {
  const { modelDir, modelCacheDir: cacheDir, allowDownload, modelHost, proxy } = config;
  return { modelDir, cacheDir, allowDownload, modelHost, proxy };
}

function choiceOf(config: HostConfig): EmbedderChoice {
  const { embedder } = config;
  if (embedder.kind === "none") return { use: "none" };
  if (embedder.kind === "ollama") {
    const { host, model, runner } = embedder;
    return { use: "ollama", ollama: { host, model, ...(runner === undefined ? {} : { runner }) } };
  }
  return { use: "transformers", places: placesOf(config) };
}

function send(message: FromHost): void {
  if (process.connected) {
    // A channel that closes in this moment is seen by "disconnect".
    process.send?.(message, undefined, undefined, () => undefined);
  }
}

function log(line: string): void {
  process.stderr.write(`${oneLine(line, MAX_LINE)}\n`);
}

/** Libraries print whole source files when they fail: of each print one short line is kept. */
function quietConsole(): void {
  const sink = new Writable({
    decodeStrings: false,
    write: (text: unknown, _encoding, done) => {
      log(String(text));
      done();
    },
  });
  globalThis.console = new Console({ stdout: sink, stderr: sink });
}

function main(): void {
  quietConsole();
  const host = new MemoryHost();
  process.on("message", (message) => host.receive(message));
  // The window is gone, whatever the reason.
  process.on("disconnect", () => void host.end());
  process.on("uncaughtException", (error) => {
    log(`ended: ${shortCause(error)}`);
    process.exit(1);
  });
  process.stderr.on("error", () => undefined);
  if (!process.connected) {
    log("the memory process is started by Conclave, not by hand");
    process.exit(1);
  }
}

main();
