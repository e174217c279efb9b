import { Worker } from "node:worker_threads";
import { CANCELLED, describeError, failed, type Result } from "../../agent/failure.ts";
import type { DocumentReader, FetchedBody, ReadDocument } from "./reader.ts";

/** What is sent to the reading thread. */
export interface WorkerRequest {
  readonly id: number;
  readonly url: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly cut: boolean;
}

/** What comes back. */
export interface WorkerAnswer {
  readonly id: number;
  readonly result: Result<ReadDocument>;
}

/** How the reading thread is run. */
export interface WorkerReaderOptions {
  /** The bundled entry (`reader-worker.ts`). */
  readonly script: string | URL;
  /** The thread ends after this time without work, in milliseconds. */
  readonly idleMs?: number;
}

const IDLE_MS = 60_000;
/** A page that needs more than this is not worth reading. */
const HEAP_MB = 384;

interface Job {
  readonly request: WorkerRequest;
  readonly finish: (result: Result<ReadDocument>) => void;
}

/**
 * Reads bodies on a thread of its own, one at a time. The thread starts with the first body, ends when it is idle, and
 * is ended at once when the body it works on is cancelled: nothing else stops a parser in mid-work. It never keeps the
 * process alive.
 */
export function workerReader(options: WorkerReaderOptions): DocumentReader {
  return new WorkerReader(options);
}

class WorkerReader implements DocumentReader {
  readonly #options: WorkerReaderOptions;
  readonly #waiting: Job[] = [];
  #running: Job | undefined;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #disposed = false;

  constructor(options: WorkerReaderOptions) {
    this.#options = options;
  }

  read(body: FetchedBody, signal: AbortSignal): Promise<Result<ReadDocument>> {
    if (signal.aborted || this.#disposed) return Promise.resolve({ ok: false, failure: CANCELLED });
    return new Promise((resolve) => {
      const { url, contentType, cut } = body;
      this.#lastId += 1;
      const request = { id: this.#lastId, url, contentType, bytes: Uint8Array.from(body.bytes), cut };
      const stop = (): void => this.#cancel(job);
      const job: Job = {
        request,
        finish: (result) => {
          signal.removeEventListener("abort", stop);
          resolve(result);
        },
      };
      signal.addEventListener("abort", stop, { once: true });
      this.#waiting.push(job);
      this.#next();
    });
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    for (const job of this.#waiting.splice(0)) job.finish({ ok: false, failure: CANCELLED });
    this.#running?.finish({ ok: false, failure: CANCELLED });
    this.#running = undefined;
    await this.#end();
  }

  #next(): void {
    if (this.#running || this.#disposed) return;
    clearTimeout(this.#idle);
    const job = this.#waiting.shift();
    if (!job) {
      this.#worker?.unref();
      this.#idle = setTimeout(() => void this.#end(), this.#options.idleMs ?? IDLE_MS).unref();
      return;
    }
    this.#running = job;
    try {
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage(job.request, [job.request.bytes.buffer as ArrayBuffer]);
    } catch (error) {
      this.#settle(
        failed("internal", "Pages can't be read: the reading thread does not start.", {
          cause: describeError(error),
        }),
      );
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#options.script, {
      // The entry is a bundle: it needs none of the hooks that its parent was started with.
      execArgv: [],
      env: { ...process.env, NODE_OPTIONS: "" },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      // What libraries print is nobody's business.
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on("message", (answer: WorkerAnswer) => {
      if (answer.id === this.#running?.request.id) this.#settle(answer.result);
    });
    // An error is followed by the exit, which is when the thread is known to be gone.
    let cause: string | undefined;
    worker.on("error", (error) => (cause = describeError(error)));
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      const gone = "The page is too heavy to be read here.";
      if (this.#running) this.#settle(failed("tool_failed", gone, cause === undefined ? {} : { cause }));
    });
    return worker;
  }

  #cancel(job: Job): void {
    const index = this.#waiting.indexOf(job);
    if (index !== -1) this.#waiting.splice(index, 1);
    if (job === this.#running) {
      this.#running = undefined;
      void this.#end();
    }
    job.finish({ ok: false, failure: CANCELLED });
    this.#next();
  }

  #settle(result: Result<ReadDocument>): void {
    const job = this.#running;
    this.#running = undefined;
    job?.finish(result);
    this.#next();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
