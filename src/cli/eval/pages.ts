import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describeError, failed, success, type Result } from "../../agent/failure.ts";
import { find } from "./case/pattern.ts";
import type { CaseSearch } from "./case/schema.ts";
import type { ServedPage } from "./case/types.ts";

/** What stands for the address of the pages in a case. */
const PLACEHOLDER = /\{\{\s*pages\s*\}\}/gu;

/** Pages and a search engine of a case, on loopback. */
export interface Pages {
  /** Without a slash at the end. */
  readonly url: string;
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  /** Ends the server and every open connection. */
  close(): Promise<void>;
}

/** What is served. */
export interface PageSource {
  readonly pages: ReadonlyMap<string, ServedPage>;
  readonly search: readonly CaseSearch[];
}

/** Serves pages by their paths, and searches at `/search` as SearXNG does. Never throws. */
export async function startPages({ pages, search }: PageSource): Promise<Result<Pages>> {
  const here = { url: "" };
  const server = createServer((request, response) =>
    answer(request, response, { pages, search, url: here.url }),
  );
  try {
    const port = await listen(server);
    const host = `127.0.0.1:${port}`;
    here.url = `http://${host}`;
    return success({ url: here.url, host, close: () => close(server) });
  } catch (error) {
    return failed("internal", "The pages of the case can't be served.", { cause: describeError(error) });
  }
}

/** A value with the address of the pages in the place of `{{pages}}`, however deep. */
export function withPages<T>(value: T, url: string): T {
  return replaced(value, url) as T;
}

function replaced(value: unknown, url: string): unknown {
  if (typeof value === "string") return value.replace(PLACEHOLDER, url);
  if (Array.isArray(value)) return value.map((item) => replaced(item, url));
  if (value instanceof Map) return new Map([...value].map(([key, inner]) => [key, replaced(inner, url)]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner, url)]));
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { pages, search, url }: PageSource & { readonly url: string },
): void {
  request.resume();
  const asked = new URL(request.url ?? "/", "http://loopback");
  if (asked.pathname === "/search") {
    sendSearch(response, asked.searchParams.get("q") ?? "", search, url);
    return;
  }
  const page = pages.get(decoded(asked.pathname)) ?? pages.get(asked.pathname);
  if (page === undefined) {
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("There is no such page.");
    return;
  }
  const send = (): void => {
    response.writeHead(page.status, { "content-type": page.type }).end(page.body.replace(PLACEHOLDER, url));
  };
  if (page.delay === 0) send();
  else {
    const timer = setTimeout(send, page.delay);
    response.once("close", () => clearTimeout(timer));
  }
}

function sendSearch(
  response: ServerResponse,
  query: string,
  search: readonly CaseSearch[],
  url: string,
): void {
  const found = search.find(({ query: wanted = [] }) =>
    wanted.every((pattern) => find(pattern, query) === true),
  );
  const results = (found?.results ?? []).map((result) => ({
    title: result.title,
    url: result.url.replace(PLACEHOLDER, url),
    content: result.snippet.trim(),
  }));
  response.writeHead(found?.status ?? 200, { "content-type": "application/json" });
  response.end(JSON.stringify({ query, results, unresponsive_engines: [] }));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
