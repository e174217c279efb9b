import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request, as it came. */
export interface Received {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/** What a request is answered with. */
export type Answer = (response: ServerResponse) => void;

/** A collector on loopback: gives the answers laid ready, then takes everything. */
export class Collector {
  readonly received: Received[] = [];
  readonly answers: Answer[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  spanNames(): string[] {
    return this.received.flatMap(({ body }) =>
      [...body.matchAll(/"spanId":"\w+",(?:"parentSpanId":"\w+",)?"name":"([^"]+)"/g)].map(
        ([, name = ""]) => name,
      ),
    );
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    this.received.push({
      path: request.url ?? "",
      type: request.headers["content-type"] ?? "",
      body: Buffer.concat(parts).toString("utf8"),
    });
    const answer = this.answers.shift();
    if (answer === undefined) response.setHeader("content-type", "application/json").end("{}");
    else answer(response);
  }
}

/** An answer of a status with headers and a body. */
export const status =
  (code: number, headers: Record<string, string> = {}, body = ""): Answer =>
  (response) =>
    void response.writeHead(code, headers).end(body);
