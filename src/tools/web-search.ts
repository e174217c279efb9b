import { z } from "zod";
import { failure, type Result } from "../agent/failure.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import type {
  SearchAccess,
  SearchAnswer,
  SearchHit,
  SearchProvider,
  SearchProviderName,
} from "./search/types.ts";
import { shorten } from "./web/page.ts";
import { mayPass } from "./web/passing.ts";
import { markUntrusted, visibleLine } from "./web/untrusted.ts";

/** How many results a search gives. */
export const SEARCH_RESULTS = 5;
/** A little less than the tool's own time, so that the failure says what was slow. */
const OWN_TIME = 0.95;
const MAX_TITLE = 150;
const MAX_SNIPPET = 400;

/** What `web_search` is made of. */
export interface WebSearchOptions {
  readonly providers: Readonly<Record<SearchProviderName, SearchProvider>>;
  /** The engine that the user chose; asked anew for each search. */
  readonly provider: () => SearchProviderName | "none";
  readonly access: (provider: SearchProviderName) => SearchAccess | Promise<SearchAccess>;
  /** The time for one search, in milliseconds; asked anew for each. */
  readonly timeoutMs: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Address of the proxy that leads out; asked anew for each search. Left out: what the environment says. */
  readonly proxy?: () => string | undefined;
}

const parameters = z.object({
  query: z.string().trim().min(1).max(1000),
});

type SearchArguments = z.infer<typeof parameters>;

/** The tool `web_search`: today's date, then title, snippet and address of what an engine found. */
export function webSearch(options: WebSearchOptions): Tool<SearchArguments> {
  return {
    name: "web_search",
    aliases: ["search_web", "search_the_web", "internet_search"],
    description: "Searches the web: titles, snippets and addresses.",
    parameters,
    readOnly: true,
    get timeoutMs() {
      return options.timeoutMs();
    },
    async run({ query }: SearchArguments, context: ToolContext): Promise<ToolOutcome> {
      const name = options.provider();
      if (name === "none") return { ok: false, failure: NO_PROVIDER, retryable: false };
      const provider = options.providers[name];
      const answer = await ask(provider, query, options, context.signal);
      if (!answer.ok) return { ...answer, retryable: mayPass(answer.failure) };
      return outcome(query, provider.label, answer.value.hits, options.now());
    },
  };
}

async function ask(
  provider: SearchProvider,
  query: string,
  options: WebSearchOptions,
  signal: AbortSignal,
): Promise<Result<SearchAnswer>> {
  const access = await options.access(provider.name);
  const timeoutMs = Math.max(100, options.timeoutMs() * OWN_TIME);
  return provider.search(
    { query, limit: SEARCH_RESULTS, timeoutMs, proxy: options.proxy?.() },
    access,
    signal,
  );
}

const NO_PROVIDER = failure(
  "tool_disabled",
  "No search engine is chosen. Choose one with conclave.web.search.provider.",
  { action: "enable_web", target: "conclave.web.search.provider" },
);

function outcome(query: string, engine: string, hits: readonly SearchHit[], now: number): ToolOutcome {
  const today = `Today is ${new Date(now).toISOString().slice(0, 10)}.`;
  if (hits.length === 0) {
    return {
      ok: true,
      content: `${today}\n${engine} found nothing for this query.`,
      details: { summary: "0 results", data: { engine, query } },
    };
  }
  const shown = hits.map(shortHit);
  const list = shown
    .map(({ title, snippet, url }, index) => `${index + 1}. ${title}\n${snippet}\n${url}`)
    .join("\n\n");
  return {
    ok: true,
    content: `${today}\n${markUntrusted(list, engine)}`,
    details: {
      summary: `${shown.length} results from ${engine}`,
      sources: shown.map(({ url, title }) => ({ uri: url, title })),
      data: { engine, query, results: shown.map((hit) => ({ ...hit })) },
    },
  };
}

/** A hit in one paragraph each: bounded, on one line, without the markup of highlighted words. */
function shortHit({ title, url, snippet }: SearchHit): SearchHit {
  return {
    title: shorten(plainLine(title), MAX_TITLE),
    url: shorten(plainLine(url), 2000),
    snippet: shorten(plainLine(snippet), MAX_SNIPPET),
  };
}

/** A text on one line, without the tags that mark what was searched for. */
function plainLine(text: string): string {
  return visibleLine(text.replace(/<\/?(b|strong|em|mark|i|span)\b[^<>]*>/gi, ""));
}
