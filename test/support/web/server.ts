import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a test server saw it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A server on loopback. */
export interface LoopbackServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Such as `127.0.0.1:40123`, for the list of allowed hosts. */
  readonly host: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

/** Starts a server on a free port; it notes every request once its body is there, then lets `answer` do its work. */
export async function startServer(answer: RequestListener): Promise<LoopbackServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, path: url, headers, body: Buffer.concat(chunks).toString("utf8") });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What a route of a page server gives. */
export interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Sends the body's chunks for ever, until the client goes. */
  readonly endless?: boolean;
  /** Takes the request and never answers. */
  readonly silent?: boolean;
  /** Sends the body and then ends the connection, whatever was promised. */
  readonly breaksOff?: boolean;
}

/** Starts a server of fixed pages by path; anything else is a 404. */
export function startPages(pages: Readonly<Record<string, Page>>): Promise<LoopbackServer> {
  return startServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    const page: Page = pages[path] ?? { status: 404, body: "nothing here" };
    if (page.silent) return;
    response.writeHead(page.status ?? 200, { "content-type": "text/html; charset=utf-8", ...page.headers });
    if (page.breaksOff) {
      response.write(page.body ?? "", () => response.destroy());
      return;
    }
    if (!page.endless) {
      response.end(page.body);
      return;
    }
    const send = (): void => {
      while (!response.destroyed && response.write(page.body ?? "a".repeat(65_536)));
      response.once("drain", send);
    };
    send();
  });
}
