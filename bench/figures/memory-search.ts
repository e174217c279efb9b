import type { Connection, Table } from "@lancedb/lancedb";
import { DEFAULT_RETRIEVAL } from "../../src/agent/memory/port.ts";
import type { BenchOptions, Figure, Measured } from "../frame.ts";
import { interleave, median, quantile, quartiles } from "../frame.ts";
import { questions, search, type Question } from "../support/memory-search.ts";
import { MODEL, never, syntheticStore, valueOf, type BenchStore } from "../support/memory-store.ts";

const ROUNDS = 200;
const WARM_UP = 20;
/** Rows that the product asks of each view, and rows that it gives. */
const VIEW_ROWS = 300;
/** So many times the rows are looked at with their whole embeddings, as the product does. */
const REFINE = 2;
const GIVEN = 3;
/** Rows that a question without its speaker's name is compared with: what each of three views puts forward. */
const COMPARED = 3 * DEFAULT_RETRIEVAL.candidates;
const NEIGHBOURS = 10;
const RECALL_QUERIES = 100;

/** The tables as LanceDB gives them to anyone. */
interface RawTables {
  readonly text: Table;
  readonly episode: Table;
  readonly window: Table;
}

async function openRaw(
  store: BenchStore,
): Promise<{ readonly connection: Connection; readonly tables: RawTables }> {
  const { connect } = await import("@lancedb/lancedb");
  const connection = await connect(store.folder, { readConsistencyInterval: 0 });
  const names = await connection.tableNames();
  const vectors = (kind: string) => {
    const name = names.find((each) => each.startsWith("vectors_") && each.endsWith(`_${kind}`));
    if (name === undefined) throw new Error(`there is no table of ${kind} embeddings`);
    return connection.openTable(name);
  };
  const tables = {
    text: await connection.openTable("episodes"),
    episode: await vectors("episode"),
    window: await vectors("window"),
  };
  return { connection, tables };
}

/** The queries that a hybrid search can't do without, straight to LanceDB: three views at once, then the best rows. */
async function rawSearch(
  { text, episode, window }: RawTables,
  question: Question,
): Promise<readonly { readonly id: string }[]> {
  const { MatchQuery } = await import("@lancedb/lancedb");
  const nearest = (table: Table) =>
    table
      .query()
      .nearestTo(question.embedding)
      .distanceType("cosine")
      .ef(VIEW_ROWS * REFINE)
      .refineFactor(REFINE)
      .select(["id", "_distance"])
      .limit(VIEW_ROWS)
      .toArray() as Promise<readonly { readonly id: string }[]>;
  const [, found] = await Promise.all([
    text
      .query()
      .fullTextSearch(new MatchQuery(question.text, "text"))
      .select(["id", "_score"])
      .limit(VIEW_ROWS)
      .toArray(),
    nearest(episode),
    nearest(window),
  ]);
  const ids = found.slice(0, GIVEN).map(({ id }) => `'${id}'`);
  await text
    .query()
    .where(`id IN (${ids.join(", ")})`)
    .toArray();
  return found;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** What a question that names a speaker needs beside them: the best rows compared once more. */
async function rawNamedSearch(tables: RawTables, question: Question): Promise<void> {
  const found = await rawSearch(tables, question);
  const ids = found.slice(0, COMPARED).map(({ id }) => `'${id}'`);
  await tables.episode
    .query()
    .where(`id IN (${ids.join(", ")})`)
    .nearestTo(question.embedding)
    .distanceType("cosine")
    .select(["id", "_distance"])
    .limit(ids.length)
    .toArray();
}

/** One kind of question, and what is needed for it. */
interface Kind {
  /** A question as it is put to the product. */
  readonly ask: (question: Question) => Question;
  readonly raw: (tables: RawTables, question: Question) => Promise<unknown>;
  readonly needs: string;
}

const PLAIN: Kind = {
  ask: (question) => question,
  raw: rawSearch,
  needs: "full text, two vector queries and the rows, raw",
};

/** The synthetic rows have no other speaker than the agent that answered them. */
const NAMED: Kind = {
  ask: (question) => ({ ...question, text: `What did Conclave say of ${question.text}?` }),
  raw: rawNamedSearch,
  needs: "the same and a vector query within the best rows, raw",
};

async function measureRatio({ ask, raw, needs }: Kind, { rows }: BenchOptions): Promise<Measured> {
  const store = await syntheticStore(rows);
  const { connection, tables } = await openRaw(store);
  try {
    const asked = questions(ROUNDS + WARM_UP);
    let [own, bare] = [-1, -1];
    const at = (count: number): Question => {
      const question = asked[count % asked.length];
      if (question === undefined) throw new Error("there are no questions");
      return question;
    };
    const pair = await interleave(
      ROUNDS,
      WARM_UP,
      () => timed(() => search(store, ask(at((own += 1))))),
      () => timed(() => raw(tables, at((bare += 1)))),
    );
    const reference = median(pair.reference);
    const p95 = (samples: readonly number[]): string => quantile(samples, 0.95).toFixed(1);
    return {
      value: median(pair.ours) / reference,
      reference: { name: needs, value: reference, unit: "ms" },
      rounds: ROUNDS,
      spread: quartiles(pair.ours.map((each, round) => each / (pair.reference[round] ?? NaN))),
      note:
        `${store.rows} episodes; ours p50 ${median(pair.ours).toFixed(1)} ms, p95 ${p95(pair.ours)} ms; ` +
        `raw p50 ${reference.toFixed(1)} ms, p95 ${p95(pair.reference)} ms`,
    };
  } finally {
    connection.close();
  }
}

async function measureRecall({ rows }: BenchOptions): Promise<Measured> {
  const store = await syntheticStore(rows);
  const { connection, tables } = await openRaw(store);
  try {
    const recalls: number[] = [];
    for (const { embedding } of questions(RECALL_QUERIES)) {
      const found = valueOf(
        await store.vectors.near(MODEL, "episode", embedding, { limit: NEIGHBOURS }, never),
      );
      const exact = (await tables.episode
        .query()
        .nearestTo(embedding)
        .distanceType("cosine")
        .bypassVectorIndex()
        .select(["id", "_distance"])
        .limit(NEIGHBOURS)
        .toArray()) as readonly { readonly id: string }[];
      const ids = new Set(found.map(({ id }) => id));
      recalls.push(exact.filter(({ id }) => ids.has(id)).length / exact.length);
    }
    const mean = recalls.reduce((sum, each) => sum + each, 0) / recalls.length;
    return {
      value: mean,
      reference: { name: "an exact search", value: 1, unit: "ratio" },
      rounds: RECALL_QUERIES,
      spread: quartiles(recalls),
      note: `${store.rows} embeddings of ${questions(1)[0]?.embedding.length ?? 0} floats`,
    };
  } finally {
    connection.close();
  }
}

/** What a search costs beyond the queries it needs. */
export const memorySearch: Figure = {
  name: "memory.search.ratio",
  unit: "ratio",
  goal: 1.3,
  about:
    "a search in 100,000 episodes without embedding the question, against the raw LanceDB queries it needs",
  measure: (options) => measureRatio(PLAIN, options),
};

/** The same for a question that names who said it, which is looked at twice. */
export const memorySearchNamed: Figure = {
  name: "memory.search.named.ratio",
  unit: "ratio",
  goal: 1.3,
  about:
    "a search for what a named speaker said in 100,000 episodes, against the raw LanceDB queries it needs",
  measure: (options) => measureRatio(NAMED, options),
};

/** What the vector index misses. */
export const memoryRecall: Figure = {
  name: "memory.search.recall10",
  unit: "ratio",
  goal: 0.98,
  atLeast: true,
  about: "how many of the ten nearest of 100,000 embeddings a search by the index finds",
  measure: measureRecall,
};
