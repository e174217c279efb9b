import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { makeSignal } from "./deferred.ts";
import { goJson } from "./go-json.ts";
import type { Framing } from "./types.ts";

/** Writes an NDJSON answer, cut into socket writes as the framing says. */
export class LineWriter {
  readonly #response: ServerResponse;
  #framing: Framing = { lines: 1 };
  #pending: Buffer[] = [];

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** True once anything went out, so that an error can no more be a status. */
  get started(): boolean {
    return this.#response.headersSent || this.#pending.length > 0;
  }

  /** Sets how what follows is cut; what waits goes out first. */
  async frame(framing: Framing): Promise<void> {
    await this.flush();
    this.#framing = framing;
  }

  /** Sends the headers of a stream now. */
  headers(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, { "content-type": "application/x-ndjson" });
    this.#response.flushHeaders();
  }

  /** Adds one object as a line. */
  async line(value: unknown): Promise<void> {
    await this.raw(`${goJson(value)}\n`);
  }

  /** Adds bytes as they are; they count as one line. */
  async raw(data: string | Uint8Array): Promise<void> {
    this.#pending.push(Buffer.from(data as Uint8Array));
    if (!("lines" in this.#framing) || this.#pending.length >= this.#framing.lines) await this.flush();
  }

  /** Sends what waits. */
  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.headers();
    const size = "bytes" in this.#framing ? Math.max(1, this.#framing.bytes) : bytes.length;
    for (let at = 0; at < bytes.length; at += size) {
      await this.#write(bytes.subarray(at, at + size));
    }
  }

  /** Sends what waits and ends the answer. */
  async end(): Promise<void> {
    await this.flush();
    this.headers();
    this.#response.end();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#response.destroyed) return;
    if (this.#response.write(bytes)) return;
    const goOn = makeSignal();
    this.#response.once("drain", goOn.fire).once("close", goOn.fire);
    await goOn.promise;
    this.#response.off("drain", goOn.fire).off("close", goOn.fire);
  }
}

/** Answers with JSON and ends. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(goJson(body));
}

/** Answers with text and ends. */
export function sendText(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  response.end(body);
}

/** Lets the event loop turn once, so that an endless reply notices that its client has gone. */
export async function breathe(): Promise<void> {
  await nextTurn();
}
