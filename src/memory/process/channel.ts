import { resolve } from "node:path";
import type { Failure, Result } from "../../agent/failure.ts";
import { CANCELLED, failed, failure, success } from "../../agent/failure.ts";
import type { Clock } from "../../agent/models/clock.ts";
import { systemClock } from "../../agent/models/clock.ts";
import { HostProcess } from "./host-process.ts";
import type { Method } from "./params.ts";
import type { Values } from "./values.ts";
import type { FromHost, HostConfig, MemoryProgress } from "./protocol.ts";
import { readParams, readValue } from "./protocol.ts";
import { StartLimit } from "./start-limit.ts";

/** How memory is set up in a window. */
export interface MemoryClientOptions {
  /** Folder of the store, made when it is not there, or its URI in an object store. */
  readonly uri: string;
  /** How the object store is reached: endpoint, region, keys, by LanceDB's names; asked when the process starts. */
  readonly storageOptions?: () => Readonly<Record<string, string>> | undefined;
  /** What makes the embeddings; the bundled kind when left out. */
  readonly embedder?: HostConfig["embedder"];
  /** The bundled `host.ts`. */
  readonly hostPath: string;
  /** The user's own folder of model files, holding `Xenova/all-MiniLM-L6-v2/`. */
  readonly modelDir?: string;
  /** Where downloaded model files are kept. */
  readonly modelCacheDir: string;
  /** Whether the embedding model may be downloaded, once. */
  readonly allowDownload: boolean;
  /** Another place than the public hub to download it from; ends with a slash. */
  readonly modelHost?: string;
  /** Address of the proxy that leads out; asked when the process starts. Left out: what the environment says. */
  readonly proxy?: () => string | undefined;
  /** The process ends after so long without work, in milliseconds; 5 minutes when left out. */
  readonly idleMs?: number;
  /** Longest wait for an answer, in milliseconds; a minute when left out. */
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: MemoryProgress) => void;
  /** Takes single lines for a log that people may read. */
  readonly onLog?: (line: string) => void;
  readonly clock?: Clock;
}

interface Pending {
  readonly id: number;
  readonly method: Method;
  readonly params: unknown;
  readonly settle: (result: Result<unknown>) => void;
  /** How often it was sent. */
  sent: number;
  /** Whether the process has said anything since it was sent. */
  heard: boolean;
}

const IDLE_MS = 5 * 60 * 1_000;
const TIMEOUT_MS = 60_000;
/** What rewrites whole tables may take so many times longer. */
const PATIENT: ReadonlySet<Method> = new Set(["forget", "importLines"]);
const PATIENCE = 10;
/** A request is sent at most so often: every request may be repeated, since rows have ids. */
const MAX_SENDS = 2;
const STILL_WORKS = "Answers go on without memory.";

/** How the process is, as far as this window knows. */
export interface ChannelState {
  readonly state: "off" | "idle" | "starting" | "ready" | "failed";
  readonly pid?: number;
  /** Why it is not there. */
  readonly failure?: Failure;
}

/**
 * Requests to the memory process, which is started on first use, ended when idle and started again when it dies.
 * Nothing here throws; without a process that works the failure is `memory_unavailable`.
 */
export class MemoryChannel {
  readonly #options: MemoryClientOptions;
  readonly #clock: Clock;
  readonly #config: HostConfig;
  readonly #starts: StartLimit;
  readonly #pending = new Map<number, Pending>();
  #process: HostProcess | undefined;
  #answered = false;
  /** The process did what it was asked: if it dies, it is not because it can't live. */
  #proved = false;
  #cancelIdle: () => void = () => undefined;
  #lastId = 0;
  #disposed = false;
  #failure: Failure | undefined;
  #lastEnd = "no reason known";
  #stopping: Promise<void> = Promise.resolve();

  constructor(options: MemoryClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#starts = new StartLimit(() => this.#clock.now());
    this.#config = {
      uri: isObjectStore(options.uri) ? options.uri : resolve(options.uri),
      embedder: options.embedder ?? { kind: "transformers" },
      modelCacheDir: resolve(options.modelCacheDir),
      allowDownload: options.allowDownload,
      ...(options.modelDir === undefined || options.modelDir === ""
        ? {}
        : { modelDir: resolve(options.modelDir) }),
      ...(options.modelHost === undefined ? {} : { modelHost: options.modelHost }),
    };
  }

  /** Folder or URI of the store. */
  get uri(): string {
    return this.#config.uri;
  }

  /** How the process is; never starts it. */
  get state(): ChannelState {
    if (this.#disposed) return { state: "off" };
    if (this.#process === undefined) {
      return this.#failure === undefined ? { state: "idle" } : { state: "failed", failure: this.#failure };
    }
    const { pid } = this.#process;
    return { state: this.#answered ? "ready" : "starting", ...(pid === undefined ? {} : { pid }) };
  }

  /** Asks the process, and starts it where needed. A request may be sent twice: each can be, since rows have ids. */
  request<M extends Method>(method: M, params: unknown, signal: AbortSignal): Promise<Result<Values[M]>> {
    if (signal.aborted) return Promise.resolve({ ok: false, failure: CANCELLED });
    if (this.#disposed) return Promise.resolve(failed("memory_unavailable", `Memory is off. ${STILL_WORKS}`));
    const checked = readParams(method, params);
    if (!checked.ok) return Promise.resolve(checked);
    return new Promise((resolvePromise) => {
      const id = (this.#lastId += 1);
      const cleanUps: (() => void)[] = [];
      const settle = (result: Result<unknown>): void => {
        if (this.#pending.delete(id)) {
          cleanUps.forEach((cleanUp) => cleanUp());
          this.#touch();
          resolvePromise(result.ok ? readValue(method, result.value) : result);
        }
      };
      const pending: Pending = { id, method, params: checked.value, settle, sent: 0, heard: false };
      this.#pending.set(id, pending);
      const onAbort = (): void => {
        this.#process?.send({ type: "cancel", id });
        settle({ ok: false, failure: CANCELLED });
      };
      signal.addEventListener("abort", onAbort, { once: true });
      cleanUps.push(() => signal.removeEventListener("abort", onAbort));
      cleanUps.push(this.#clock.timer(this.#timeout(method), () => this.#timedOut(pending)));
      this.#send(pending);
    });
  }

  /** Ends the process, if there is one, and refuses what comes later. Resolves when the process is gone. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    for (const { settle } of [...this.#pending.values()]) {
      settle({ ok: false, failure: CANCELLED });
    }
    this.#stop();
    await this.#stopping;
  }

  #send(pending: Pending): void {
    const process = this.#process ?? this.#start();
    if (process === undefined) {
      pending.settle({
        ok: false,
        failure: this.#failure ?? failure("memory_unavailable", `Memory is off. ${STILL_WORKS}`),
      });
      return;
    }
    this.#cancelIdle();
    pending.sent += 1;
    pending.heard = false;
    process.send({ type: "request", id: pending.id, method: pending.method, params: pending.params });
  }

  /** Starts the process; undefined when it died too often of late, and `#failure` says so. */
  #start(): HostProcess | undefined {
    const wait = this.#starts.take();
    if (wait > 0) {
      const seconds = Math.ceil(wait / 1_000);
      this.#failure = failure(
        "memory_unavailable",
        `The memory process keeps stopping (${this.#lastEnd}). ${STILL_WORKS} It is tried again in ${seconds} s.`,
        { action: "check_setup" },
      );
      return undefined;
    }
    this.#answered = false;
    this.#proved = false;
    const started: HostProcess = new HostProcess(this.#options.hostPath, this.#hostConfig(), {
      message: (message) => this.#receive(message),
      ended: (how) => this.#ended(started, how),
      log: (line) => this.#options.onLog?.(line),
    });
    this.#process = started;
    return started;
  }

  #hostConfig(): HostConfig {
    const proxy = this.#options.proxy?.();
    const storageOptions = this.#options.storageOptions?.();
    return {
      ...this.#config,
      ...(proxy === undefined || proxy === "" ? {} : { proxy }),
      ...(storageOptions === undefined ? {} : { storageOptions: { ...storageOptions } }),
    };
  }

  #receive(message: FromHost): void {
    this.#answered = true;
    this.#failure = undefined;
    this.#pending.forEach((pending) => (pending.heard = true));
    if (message.type === "progress") {
      this.#touch();
      this.#options.onProgress?.(message.progress);
    } else {
      const result: Result<unknown> =
        message.type === "value"
          ? success(message.value)
          : { ok: false, failure: plainFailure(message.failure) };
      const pending = this.#pending.get(message.id);
      if (message.type === "value" && pending !== undefined && pending.method !== "status") this.#prove();
      pending?.settle(result);
    }
  }

  /** A process that works is started again at once, however often it is killed. */
  #prove(): void {
    if (!this.#proved) this.#starts.forgive();
    this.#proved = true;
  }

  #ended(ended: HostProcess, how: string): void {
    if (this.#process !== ended) return;
    this.#process = undefined;
    this.#lastEnd = how;
    this.#options.onLog?.(`the memory process stopped: ${how}`);
    this.#failure = failure("memory_unavailable", `The memory process stopped (${how}). ${STILL_WORKS}`, {
      action: "retry",
    });
    const stopped = this.#failure;
    for (const pending of [...this.#pending.values()]) {
      if (pending.sent < MAX_SENDS && pending.method !== "status") {
        this.#send(pending);
      } else {
        pending.settle({ ok: false, failure: stopped });
      }
    }
  }

  #timedOut(pending: Pending): void {
    const seconds = Math.round(this.#timeout(pending.method) / 1_000);
    this.#process?.send({ type: "cancel", id: pending.id });
    pending.settle(
      failed("timeout", `Memory did not answer within ${seconds} s. ${STILL_WORKS}`, { action: "retry" }),
    );
    if (!pending.heard) {
      // It said nothing at all to anyone in this time: it hangs, and would hang for the next request too.
      this.#process?.kill();
    }
  }

  #timeout(method: Method): number {
    return (this.#options.timeoutMs ?? TIMEOUT_MS) * (PATIENT.has(method) ? PATIENCE : 1);
  }

  /** Sets the time to idle anew; the process ends when it is up and nothing was asked. */
  #touch(): void {
    this.#cancelIdle();
    if (this.#process !== undefined && this.#pending.size === 0) {
      this.#cancelIdle = this.#clock.timer(this.#options.idleMs ?? IDLE_MS, () => this.#stop());
    }
  }

  #stop(): void {
    this.#cancelIdle();
    const process = this.#process;
    this.#process = undefined;
    if (process !== undefined) {
      if (!this.#proved) this.#starts.forgive();
      this.#stopping = Promise.all([this.#stopping, process.stop()]).then(() => undefined);
    }
  }
}

/** Whether a store's address is one of an object store, and no folder. */
function isObjectStore(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(uri) && !uri.startsWith("file:");
}

function plainFailure(wire: Extract<FromHost, { type: "failure" }>["failure"]): Failure {
  const { code, message, action, target, cause } = wire;
  return failure(code, message, {
    ...(action === undefined ? {} : { action }),
    ...(target === undefined ? {} : { target }),
    ...(cause === undefined ? {} : { cause }),
  });
}
