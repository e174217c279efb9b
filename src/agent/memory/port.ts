import type { Result } from "../failure.ts";
import type { Annotation, Episode, EpisodeNotes } from "./episode.ts";
import type {
  ExportPage,
  ForgetPreview,
  ForgetWhat,
  Forgotten,
  GraphAnswer,
  GraphQuery,
  Imported,
  Learned,
  Learnt,
  MemoryCard,
  MemoryCardQuery,
  MemoryEdit,
  MemoryTable,
  MemoryTablePage,
  MemoryTableQuery,
  Moment,
  MomentPage,
  MomentQuery,
  Resource,
} from "./types.ts";

export { INTENTS, SENTIMENTS } from "./episode.ts";
export type {
  Annotation,
  AnnotationAuthor,
  AnnotationValue,
  Episode,
  EpisodeNotes,
  Intent,
  Sentiment,
} from "./episode.ts";

/** How episodes are looked for and what counts how much; every one is a setting. */
export interface RetrievalSettings {
  /** Candidates that each view brings. */
  readonly candidates: number;
  /** Hits that are given. */
  readonly given: number;
  /** Full text and embeddings together; off: embeddings alone, full text alone where there is no embedder. */
  readonly hybrid: boolean;
  /** A cross-encoder looks at the best once more, where its model is there. */
  readonly rerank: boolean;
  /** Hits whose relevance, 0..1, is below this are dropped, whatever their grade. */
  readonly threshold: number;
  /** The recency factor halves in so many days; 0: age does not count. */
  readonly halfLifeDays: number;
  readonly recencyWeight: number;
  readonly scoreWeight: number;
  readonly verdictWeight: number;
  readonly rewardWeight: number;
  /** A reward halves in so many days since it was given; 0 or left out: it does not fade. */
  readonly rewardHalfLifeDays?: number;
  /** A model drops what has nothing to do with the question, before anyone is given it; left out: it does not. */
  readonly purify?: boolean;
}

/** The defaults of the product. */
export const DEFAULT_RETRIEVAL: RetrievalSettings = {
  candidates: 10,
  given: 3,
  hybrid: true,
  rerank: false,
  threshold: 0.2,
  halfLifeDays: 90,
  recencyWeight: 0.02,
  scoreWeight: 0.05,
  verdictWeight: 0.05,
  rewardWeight: 0.1,
  rewardHalfLifeDays: 180,
  purify: false,
};

/**
 * What a value is made of, by name: views (`text`, `vector`, `window`, each scaled to 0..1, their neighbours beside
 * them), `relevance` (0..1), then what is added to it: `score`, `verdict`, `reward`, `recency`, `pin`, `rerank`.
 */
export interface ScoreParts {
  readonly text?: number;
  readonly vector?: number;
  readonly [part: string]: number | undefined;
}

/** One found memory. */
export interface MemoryHit {
  readonly episode: Episode;
  readonly notes?: EpisodeNotes;
  /** Relevance with everything that was added to it. */
  readonly score: number;
  readonly parts: ScoreParts;
}

/** What a model made of what a search found. */
export interface Purified {
  readonly model: string;
  /** How many it dropped as off the topic. */
  readonly dropped: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** What a search found, and how. */
export interface MemorySearch {
  readonly hits: readonly MemoryHit[];
  /** How many episodes the store held. */
  readonly searched: number;
  /** How many were found but fell below the threshold or were dropped as off the topic. */
  readonly dropped?: number;
  /** The range that time words of the query were turned into, both ends included; milliseconds since the epoch. */
  readonly range?: { readonly from: number; readonly to: number };
  /** Where a model looked at what was found. */
  readonly purified?: Purified;
  /** Said when something was off, such as "full-text search only: no embedding model". */
  readonly note?: string;
}

/** What a search is asked. */
export interface MemoryQuery {
  readonly query: string;
  /** At most this many hits; left out: what the settings say. */
  readonly limit?: number;
  /** Episodes of these turns are left out: the conversation already holds them. */
  readonly excludeTurnIds?: readonly string[];
  /** Only from this time on, and up to that one; milliseconds since the epoch. */
  readonly from?: number;
  readonly to?: number;
  /**
   * It is a question as the user put it, whose time words may be of something else than what is looked for: where nothing
   * is of that time, all others count.
   */
  readonly asAsked?: true;
  /** Who asks judges what is found: nothing is dropped for being off the topic. */
  readonly unjudged?: true;
  /** Scopes to look in; left out: all. The global scope is the empty string. */
  readonly scopes?: readonly string[];
  readonly settings?: RetrievalSettings;
  /** Of a search over everything: only these kinds; left out: all. */
  readonly types?: readonly AnyHit["type"][];
  /** Of a search over everything: facts with less confidence are left out; left out: the default threshold. */
  readonly minConfidence?: number;
  /** Of a search over everything: facts and relationships of these owners alone, in any case; left out: of all. */
  readonly owners?: readonly string[];
}

/** One thing of any kind that a search over everything found. */
export interface AnyHit {
  readonly type: "episode" | "moment" | "fact" | "relationship" | "resource";
  readonly id: string;
  /** One line for the model, as its kind is told (`WAS`, `IS`, `[date] [session] text`, a page's title and address). */
  readonly text: string;
  readonly time: number;
  readonly score: number;
  /** What the score is made of: `match`, what its kind's own search says of it, and `words`, those asked that it holds. */
  readonly parts?: ScoreParts;
  readonly uri?: string;
  /**
   * The turn whose words say it: an episode's own, or the one a fact or relationship was learnt from. None for what no
   * longer holds: that is more than its turn says.
   */
  readonly saidIn?: string;
}

/** Embedded texts. Those of different models are never compared. */
export interface Embeddings {
  readonly model: string;
  readonly embeddings: readonly Float32Array[];
}

/** How memory is, for status views and Check Set-up. */
export interface MemoryStatus {
  readonly state: "off" | "idle" | "starting" | "ready" | "failed";
  readonly episodes?: number;
  readonly facts?: number;
  /** Such as `Xenova/all-MiniLM-L6-v2`, or absent with full-text search only. */
  readonly embedder?: string;
  /** Rows that still wait for an embedding of the current model. */
  readonly waiting?: number;
  /** A sentence for people when something is off. */
  readonly message?: string;
  /** What is done meanwhile, in a sentence; nothing is wrong with it. */
  readonly doing?: string;
  /** Folder or URI. */
  readonly storePath?: string;
  readonly pid?: number;
}

/**
 * Memory as the agent layer knows it. Nothing here throws; an absent or dead store is the failure
 * `memory_unavailable` with a sentence that says what still works.
 */
export interface MemoryPort {
  search(query: MemoryQuery, signal: AbortSignal): Promise<Result<MemorySearch>>;
  /** Looks in episodes, facts, graph, moments and resources together, best first. */
  searchAll(query: MemoryQuery, signal: AbortSignal): Promise<Result<{ readonly hits: readonly AnyHit[] }>>;
  /** Adds episodes; resolves once they are on disk. */
  add(episodes: readonly Episode[], signal: AbortSignal): Promise<Result<{ readonly added: number }>>;
  /** Adds annotations, also of episodes that are not there yet. */
  annotate(
    annotations: readonly Annotation[],
    signal: AbortSignal,
  ): Promise<Result<{ readonly added: number }>>;
  /** Stores what was learnt from a turn, as far as it is new and to be trusted. */
  learn(learnt: Learnt, signal: AbortSignal): Promise<Result<Learned>>;
  /** Keeps pages and files; a newer one of the same uri takes the older one's place. */
  keep(resources: readonly Resource[], signal: AbortSignal): Promise<Result<{ readonly kept: number }>>;
  /** Keeps moments: those of turns that were forgotten, and those that are there already, are left out. */
  saveMoments(moments: readonly Moment[], signal: AbortSignal): Promise<Result<{ readonly saved: number }>>;
  /** Moments of a time, or those that fit some words. */
  moments(query: MomentQuery, signal: AbortSignal): Promise<Result<MomentPage>>;
  /** What the knowledge graph says of people and places. */
  graph(query: GraphQuery, signal: AbortSignal): Promise<Result<GraphAnswer>>;
  /** What a context card is made of. The same store gives the same card. */
  card(query: MemoryCardQuery, signal: AbortSignal): Promise<Result<MemoryCard>>;
  /** A page of one of the tables. */
  list<T extends MemoryTable>(
    query: MemoryTableQuery<T>,
    signal: AbortSignal,
  ): Promise<Result<MemoryTablePage<T>>>;
  /** The user's own change of a row: of an episode it becomes an annotation. */
  edit(edit: MemoryEdit, signal: AbortSignal): Promise<Result<{ readonly changed: boolean }>>;
  /** What would go if this were forgotten. Changes nothing. */
  previewForget(what: ForgetWhat, signal: AbortSignal): Promise<Result<ForgetPreview>>;
  /** Removes for good, from the disk too: rows, what was drawn from them, old versions, indexes. */
  forget(what: ForgetWhat, signal: AbortSignal): Promise<Result<Forgotten>>;
  /** A page of everything as JSON Lines. */
  exportPage(cursor: string | undefined, signal: AbortSignal): Promise<Result<ExportPage>>;
  /** Adds lines of an export; what is there already is left as it is, a bad line is named and costs itself only. */
  importLines(lines: readonly string[], signal: AbortSignal): Promise<Result<Imported>>;
  /** Stops or goes on with the embedding of rows in the background; false when there is nothing to stop or start. */
  embedding(action: "stop" | "start", signal: AbortSignal): Promise<Result<{ readonly changed: boolean }>>;
  /**
   * Embeds texts, at most 64 of 8,000 UTF-16 units each, with the model that memory embeds with: one normalised vector
   * for each, in order. The failure `memory_unavailable` says why there is no model now.
   */
  embed?(
    texts: readonly string[],
    kind: "query" | "document",
    signal: AbortSignal,
  ): Promise<Result<Embeddings>>;
  status(signal: AbortSignal): Promise<MemoryStatus>;
}
