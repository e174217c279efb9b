import {
  DEFAULT_RETRIEVAL,
  type Episode,
  type MemoryQuery,
  type RetrievalSettings,
} from "../../agent/memory/port.ts";
import type { EmbedderOrNote } from "../embed/embedder.ts";
import { analyze, type Analysis } from "./analyze.ts";
import { withBareQuestions } from "./bare-question.ts";
import type { CandidateFilter, CandidateSource } from "./candidates.ts";
import type { RerankerOrNote } from "./reranker.ts";
import { SessionTurns } from "./session-turns.ts";

/** What a search works with. */
export interface RetrieveDeps {
  readonly source: CandidateSource;
  readonly vector: EmbedderOrNote;
  /** Looks at the best once more, where the settings want it. */
  readonly reranking?: RerankerOrNote | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The zone that days and weeks are counted in, such as `Europe/Oslo`. */
  readonly timeZone: string;
  /** Whether the turns around a turn count for it; left out: they do. Off to measure what they are worth. */
  readonly neighbours?: boolean;
}

/** One search on its way. */
export interface Search extends RetrieveDeps {
  readonly query: MemoryQuery;
  readonly settings: RetrievalSettings;
  readonly analysis: Analysis;
  readonly filter: CandidateFilter;
  readonly excluded: ReadonlySet<string>;
  readonly turns: SessionTurns;
  /** How many hits are wanted. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** A search that is about to begin. */
export function begin(deps: RetrieveDeps, query: MemoryQuery, signal: AbortSignal): Search {
  const settings = query.settings ?? DEFAULT_RETRIEVAL;
  const filter = { scopes: query.scopes, from: query.from, to: query.to };
  const analysis = analyze(query.query, deps.now(), deps.timeZone);
  const { vector } = deps;
  return {
    ...deps,
    ...{ query, settings, signal, filter, analysis },
    ...("embedder" in vector && {
      vector: { embedder: withBareQuestions(vector.embedder, query.query, analysis.names) },
    }),
    turns: new SessionTurns(deps.source, filter, signal),
    excluded: new Set(query.excludeTurnIds),
    limit: query.limit ?? settings.given,
  };
}

/** Whether a row is of the time and the scopes that are looked in. */
export function isWithin(
  { time, scope }: Pick<Episode, "time" | "scope">,
  { scopes, from, to }: CandidateFilter,
): boolean {
  return time >= (from ?? -Infinity) && time <= (to ?? Infinity) && (scopes?.includes(scope ?? "") ?? true);
}
