import { LRUCache } from "lru-cache";
import { z } from "zod";
import { failure, success, type Failure, type Result } from "../agent/failure.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { UNLISTED } from "./json-schema.ts";
import type { AddressGuard } from "./web/address-guard.ts";
import { httpRequest, type HttpResponse } from "./web/http.ts";
import { pageHint, pageOf, shorten } from "./web/page.ts";
import { mayPass, statusCode } from "./web/passing.ts";
import type { DocumentReader, ReadDocument } from "./web/reader.ts";
import { markUntrusted } from "./web/untrusted.ts";

/** What is read of a body, unfolded. PDFs are rarely readable in part, so the bound is generous for pages. */
const MAX_BYTES = 12 * 1024 * 1024;
const MAX_REDIRECTS = 5;
/** How long a read page is kept, so that its next part comes without asking the server again. */
const KEEP_MS = 5 * 60_000;
const KEEP_PAGES = 16;
const KEEP_CHARACTERS = 16_000_000;

/** What `web_fetch` is made of. */
export interface WebFetchOptions {
  readonly guard: AddressGuard;
  readonly reader: DocumentReader;
  /** The time for one page, in milliseconds; asked anew for each. */
  readonly timeoutMs: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Address of the proxy that leads out; asked anew for each page. Left out: what the environment says. */
  readonly proxy?: () => string | undefined;
}

const parameters = z.object({
  url: z.string().min(1).max(4000),
  start: z.int().min(0).default(0).meta(UNLISTED),
});

type FetchArguments = z.infer<typeof parameters>;

/** A page that was read, with what its server said of it. */
interface ReadPage extends ReadDocument {
  readonly url: string;
  readonly status: number;
  readonly bytes: number;
}

/**
 * The tool `web_fetch`: reads a page, PDF or text from the public internet and gives it part by part, marked as
 * untrusted.
 */
export function webFetch(options: WebFetchOptions): Tool<FetchArguments> {
  const pages = new LRUCache<string, ReadPage>({
    max: KEEP_PAGES,
    maxSize: KEEP_CHARACTERS,
    sizeCalculation: (page) => page.text.length + 1,
    ttl: KEEP_MS,
    ttlResolution: 0,
    perf: { now: options.now },
  });
  return {
    name: "web_fetch",
    aliases: ["fetch_url", "fetch_page", "read_url", "open_url"],
    description: "Reads a web page or PDF.",
    parameters,
    readOnly: true,
    get timeoutMs() {
      return options.timeoutMs();
    },
    async run({ url, start }: FetchArguments, context: ToolContext): Promise<ToolOutcome> {
      const checked = options.guard.check(url.trim());
      if (!checked.ok) return { ...checked, retryable: false };
      checked.value.hash = "";
      const address = checked.value.href;
      // The first part is always fetched anew: a page may have changed since it was read.
      const kept = start > 0 ? pages.get(address) : undefined;
      const page = kept ? success(kept) : await fetchPage(address, options, context.signal);
      if (!page.ok) return { ...page, retryable: mayPass(page.failure) };
      pages.set(address, page.value);
      return outcome(page.value, start, kept !== undefined);
    },
  };
}

async function fetchPage(
  address: string,
  options: WebFetchOptions,
  signal: AbortSignal,
): Promise<Result<ReadPage>> {
  const response = await httpRequest(
    {
      url: address,
      guard: options.guard,
      proxy: options.proxy?.(),
      maxBytes: MAX_BYTES,
      // A little less than the tool's own time, so that the failure says what was slow.
      timeoutMs: Math.max(100, options.timeoutMs() * 0.95),
      maxRedirects: MAX_REDIRECTS,
      wantsBody: (status) => status >= 200 && status < 300,
    },
    signal,
  );
  if (!response.ok) return response;
  const refused = statusFailure(response.value);
  if (refused) return { ok: false, failure: refused };
  const { url, status, headers, body, cut } = response.value;
  const contentType = headers["content-type"] ?? "";
  const read = await options.reader.read({ url, contentType, bytes: body, cut }, signal);
  if (!read.ok) return read;
  const notes =
    status === 206 ? ["The server gave only a part of this.", ...read.value.notes] : read.value.notes;
  return success({ ...read.value, notes, url, status, bytes: body.length });
}

/** Headers that come with a test of humanity, whatever the status. */
const CHALLENGE_HEADERS = ["cf-mitigated", "x-amzn-waf-action"];

/** One line with status and address: an error's page is never shown to the model. */
function statusFailure({ status, headers, url }: HttpResponse): Failure | undefined {
  if (CHALLENGE_HEADERS.some((name) => headers[name] !== undefined)) {
    return failure(
      "tool_failed",
      `${url} asks whether a human is there (challenge page, ${status}), page not served.`,
    );
  }
  if (status === 204 || status === 205)
    return failure("tool_failed", `${url} answered ${status} (no content).`);
  if (status >= 200 && status < 300) return undefined;
  if (status === 429)
    return failure("rate_limited", `${url} answered 429 (too many requests). Try another page.`);
  return failure(statusCode(status), `${url} answered ${status}${statusWords(status)}.`);
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  401: "log-in needed",
  402: "payment needed",
  403: "access refused",
  404: "not found",
  410: "gone",
  451: "withheld for legal reasons",
  500: "error of the server",
  502: "bad gateway",
  503: "not available now",
  504: "gateway time-out",
};

function statusWords(status: number): string {
  const words = STATUS_WORDS[status];
  return words === undefined ? "" : ` (${words})`;
}

function outcome(page: ReadPage, start: number, fromCache: boolean): ToolOutcome {
  const part = pageOf(page.text, start);
  const title = page.title === "" ? "" : `# ${page.title}\n\n`;
  const head = part.start === 0 ? title : "";
  const lines = [
    ...page.notes.map((note) => `Note: ${note}`),
    markUntrusted(head + part.text, page.url),
    pageHint(part, "web_fetch"),
  ];
  const name = shorten(page.title === "" ? page.url : page.title, 120);
  return {
    ok: true,
    content: lines.filter((line) => line !== "").join("\n"),
    details: {
      summary: `${page.kind}, characters ${part.start}-${part.end} of ${part.total}`,
      sources: [{ uri: page.url, title: name }],
      data: {
        url: page.url,
        status: page.status,
        kind: page.kind,
        bytes: page.bytes,
        start: part.start,
        end: part.end,
        total: part.total,
        notes: page.notes,
        fromCache,
      },
    },
  };
}
