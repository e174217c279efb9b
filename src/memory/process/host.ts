import { Console } from "node:console";
import { Writable } from "node:stream";
import { oneLine, shortCause } from "./causes.ts";
import type { FromHost, HostConfig, ToHost } from "./protocol.ts";
import { toHostSchema, wireFailure } from "./protocol.ts";
import { MemoryService } from "./service.ts";
import { loadTransformersEmbedder } from "../embed/transformers-embedder.ts";

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
  const places = {
    modelDir: config.modelDir,
    cacheDir: config.modelCacheDir,
    allowDownload: config.allowDownload,
    modelHost: config.modelHost,
    proxy: config.proxy,
  };
  let shown = -1;
  const service = new MemoryService({
    store: { folder: config.storeDir },
    embedder: (signal) => {
      const onPercent = (percent: number): void => {
        if (percent === shown) return;
        shown = percent;
        service.downloaded(percent);
        const message = `Downloading the embedding model: ${percent} %`;
        send({ type: "progress", progress: { task: "download", message, percent } });
      };
      return loadTransformersEmbedder(places, onPercent, signal);
    },
    onProgress: (progress) => send({ type: "progress", progress }),
    onLog: log,
  });
  return service;
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
