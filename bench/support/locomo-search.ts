import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "../../src/agent/failure.ts";
import { DEFAULT_RETRIEVAL, type Episode } from "../../src/agent/memory/port.ts";
import type { Embedder } from "../../src/memory/embed/embedder.ts";
import type { Reranker } from "../../src/memory/retrieval/reranker.ts";
import { retrieve, type RetrieveDeps } from "../../src/memory/retrieval/retrieve.ts";
import { StoreCandidates } from "../../src/memory/retrieval/store-candidates.ts";
import { embeddedText, WINDOW_TURNS, windowText } from "../../src/memory/retrieval/texts.ts";
import { AnnotationTable } from "../../src/memory/store/annotations.ts";
import { Database } from "../../src/memory/store/database.ts";
import { EpisodeTable } from "../../src/memory/store/episodes.ts";
import { Vectors, type VectorKind } from "../../src/memory/store/vectors.ts";
import type { LocomoConversation, LocomoTurn } from "./locomo-data.ts";

/** How many hits are asked for. */
const DEPTH = 20;

/** Ways of searching that are compared. `neighbours` is the product as it comes. */
export const WAYS = ["full text", "vector", "hybrid", "neighbours", "rerank"] as const;
/** A way of searching. */
export type Way = (typeof WAYS)[number];

/** What a question found in each way: the ids of turns, best first. */
export interface Answered {
  readonly conversation: string;
  readonly category: number;
  readonly gold: readonly string[];
  readonly found: Readonly<Partial<Record<Way, readonly string[]>>>;
}

/** What searches with. */
export interface LocomoModels {
  readonly embedder: Embedder;
  readonly reranker?: Reranker | undefined;
}

const signal = new AbortController().signal;

/** Remembers a conversation in a store of its own and asks all its questions in each of the ways; left out: in all. */
export async function askAll(
  conversation: LocomoConversation,
  { embedder, reranker }: LocomoModels,
  ways: readonly Way[] = WAYS,
): Promise<Answered[]> {
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  const database = new Database({ uri: folder });
  try {
    const tables = {
      episodes: new EpisodeTable(database),
      annotations: new AnnotationTable(database),
      vectors: new Vectors(database),
    };
    const ids = await remember(conversation, tables, embedder);
    const deps: RetrieveDeps = {
      source: new StoreCandidates(tables),
      vector: { embedder: remembering(embedder) },
      ...(reranker !== undefined && { reranking: { reranker } }),
      now: () => (conversation.turns.at(-1)?.time ?? 0) + 60_000,
      timeZone: "UTC",
    };
    const answered: Answered[] = [];
    for (const { category, text, gold } of conversation.questions) {
      const found: Partial<Record<Way, readonly string[]>> = {};
      for (const way of ways) {
        if (way === "rerank" && reranker === undefined) continue;
        found[way] = await ask(deps, way, text, ids);
      }
      answered.push({ conversation: conversation.id, category, gold, found });
    }
    return answered;
  } finally {
    database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function ask(
  deps: RetrieveDeps,
  way: Way,
  query: string,
  ids: ReadonlyMap<string, string>,
): Promise<string[]> {
  const settings = { ...DEFAULT_RETRIEVAL, hybrid: way !== "vector", rerank: way === "rerank" };
  const own: RetrieveDeps = {
    ...deps,
    ...(way === "full text" && { vector: { note: "Full-text search only." } }),
    neighbours: way === "neighbours" || way === "rerank",
  };
  const search = valueOf(await retrieve(own, { query, limit: DEPTH, settings }, signal));
  return search.hits.map(({ episode }) => ids.get(episode.id) ?? "");
}

interface Tables {
  readonly episodes: EpisodeTable;
  readonly vectors: Vectors;
}

/** Writes the turns and their embeddings; gives the turn of each episode. */
async function remember(
  { id, turns }: LocomoConversation,
  { episodes, vectors }: Tables,
  embedder: Embedder,
): Promise<Map<string, string>> {
  const rows = turns.map((turn) => ({ turn, episode: episodeOf(id, turn) }));
  valueOf(
    await episodes.append(
      rows.map(({ episode }) => episode),
      signal,
    ),
  );
  const write = async (kind: VectorKind, texts: readonly string[]): Promise<void> => {
    const embedded = valueOf(await embedder.embed(texts, "document", signal));
    const vectorRows = rows.flatMap(({ episode }, index) => {
      const embedding = embedded[index];
      return embedding === undefined ? [] : [{ ...episode, kind, scope: "", embedding }];
    });
    valueOf(await vectors.put(embedder.model, vectorRows, signal));
  };
  await write(
    "episode",
    rows.map(({ episode }) => embeddedText(episode)),
  );
  await write(
    "window",
    rows.map((_, index) => windowAt(rows, index)),
  );
  return new Map(rows.map(({ turn, episode }) => [episode.id, turn.id]));
}

function windowAt(
  rows: readonly { readonly turn: LocomoTurn; readonly episode: Episode }[],
  index: number,
): string {
  const own = rows[index];
  if (own === undefined) return "";
  const near = (from: number, to: number): Episode[] =>
    rows
      .slice(Math.max(0, from), to)
      .filter(({ turn }) => turn.session === own.turn.session)
      .map(({ episode }) => episode);
  return windowText(
    near(index - WINDOW_TURNS, index),
    own.episode,
    near(index + 1, index + 1 + WINDOW_TURNS),
  );
}

function episodeOf(conversation: string, { id, session, time, text }: LocomoTurn): Episode {
  return {
    id: randomUUID(),
    sessionId: `${conversation}-${session}`,
    turnId: id,
    question: text,
    answer: "",
    agent: "conclave",
    respondent: "A",
    model: "bench",
    time,
    kind: "turn",
  };
}

/** An embedder that embeds each question once, however often it is asked. */
function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, ReturnType<Embedder["embed"]>>();
  return {
    ...embedder,
    model: embedder.model,
    dimensions: embedder.dimensions,
    embed: (texts, kind, own) => {
      const key = texts.join("\n");
      const embedded = known.get(key) ?? embedder.embed(texts, kind, own);
      known.set(key, embedded);
      return embedded;
    },
  };
}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.message} ${result.failure.cause ?? ""}`);
  return result.value;
}
