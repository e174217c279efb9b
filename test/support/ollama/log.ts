import type { IncomingMessage, ServerResponse } from "node:http";
import { deferred } from "./deferred.ts";
import type { RecordedRequest, RequestEnd } from "./types.ts";

interface Waiter {
  readonly path: string;
  readonly count: number;
  readonly resolve: (request: RecordedRequest) => void;
}

/** What came to the server, with how each request ended. */
export class RequestLog {
  readonly requests: RecordedRequest[] = [];
  readonly #kept: number;
  readonly #counts = new Map<string, number>();
  #waiters: Waiter[] = [];

  constructor(kept: number) {
    this.#kept = kept;
  }

  /** How many requests have come to a path. */
  count(path: string): number {
    return this.#counts.get(path) ?? 0;
  }

  /** Takes a request and watches its answer. */
  add(request: IncomingMessage, response: ServerResponse, path: string, text: string): RecordedRequest {
    const end = deferred<RequestEnd>();
    const record = {
      method: request.method ?? "",
      path,
      headers: request.headers,
      text,
      body: parsed(text),
      time: Date.now(),
      aborted: false,
      ended: end.promise,
    };
    const closed = () => {
      record.aborted = !response.writableFinished;
      end.resolve(record.aborted ? "aborted" : "finished");
    };
    if (response.closed) closed();
    else response.once("close", closed);
    this.requests.push(record);
    if (this.requests.length > this.#kept) this.requests.shift();
    const count = this.count(path) + 1;
    this.#counts.set(path, count);
    this.#waiters = this.#waiters.filter((waiter) => {
      if (waiter.path !== path || waiter.count > count) return true;
      waiter.resolve(record);
      return false;
    });
    return record;
  }

  /** Settles with the latest request to a path once there were so many. */
  async received(count: number, path: string): Promise<RecordedRequest> {
    const latest = this.requests.findLast((request) => request.path === path);
    if (latest !== undefined && this.count(path) >= count) return latest;
    const { promise, resolve } = deferred<RecordedRequest>();
    this.#waiters.push({ path, count, resolve });
    return promise;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
