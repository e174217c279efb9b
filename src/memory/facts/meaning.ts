import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { EmbeddingSource, SourcePage, SourceRow } from "../embed/embedding-source.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { presentIds } from "../store/present.ts";
import { literal } from "../store/sql.ts";
import type { StillThere, VectorRow } from "../store/vectors.ts";
import type { FactStore } from "./fact-store.ts";
import { subjectWords } from "./statement.ts";
import type { StoredFact } from "./table.ts";
import { FACT_COLUMNS, readFacts } from "./table.ts";
import { plainWords, stem } from "./words.ts";

/** The facts nearest to a proposal that are compared with it. */
const NEAR = 10;

/** What is embedded of a fact: its text, and whom it is about where the text does not say it. */
export function embeddedText({ text, subject }: Pick<StoredFact, "text" | "subject">): string {
  const said = new Set(plainWords(text).map(stem));
  return subjectWords(subject).every((word) => said.has(word)) ? text : `${subject}: ${text}`;
}

/** Facts by their meaning, as far as there is an embedder: without one nothing is near, and nothing fails. */
export class FactMeaning {
  readonly #deps: KnowledgeDeps;
  readonly #store: FactStore;

  constructor(deps: KnowledgeDeps, store: FactStore) {
    this.#deps = deps;
    this.#store = store;
  }

  /** Ids of stored facts near to each text, with the cosine. */
  async near(
    texts: readonly string[],
    kind: "query" | "document",
    options: { readonly limit?: number; readonly where?: string | undefined },
    signal: AbortSignal,
  ): Promise<readonly ReadonlyMap<string, number>[]> {
    const embedder = this.#deps.embedder();
    if (embedder === undefined || texts.length === 0) return [];
    const vectors = await embedder.embed(texts, kind, signal);
    if (!vectors.ok) return [];
    const found: ReadonlyMap<string, number>[] = [];
    for (const vector of vectors.value) {
      const near = await this.#deps.vectors.near(
        embedder.model,
        "fact",
        vector,
        { limit: options.limit ?? NEAR, where: options.where },
        signal,
      );
      found.push(new Map(near.ok ? near.value.map(({ id, similarity }) => [id, similarity]) : []));
    }
    return found;
  }

  /** Embeds facts that are new or worded anew; what fails here is embedded later, with all that waits. */
  async embed(facts: readonly StoredFact[], signal: AbortSignal): Promise<void> {
    const embedder = this.#deps.embedder();
    if (facts.length === 0 || embedder === undefined) return;
    const vectors = await embedder.embed(facts.map(embeddedText), "document", signal);
    if (!vectors.ok) return;
    const rows = facts.flatMap((fact, index): VectorRow[] => {
      const embedding = vectors.value[index];
      return embedding === undefined ? [] : [{ ...placeOf(fact), kind: "fact", embedding }];
    });
    const stillThere: StillThere = (ids) => presentIn(this.#store, ids, signal);
    await this.#deps.vectors.put(embedder.model, rows, signal, stillThere);
  }

  /** Has what was embedded of facts in older words go. */
  async drop(ids: readonly string[], signal: AbortSignal): Promise<Result<number>> {
    return this.#deps.vectors.wipe(ids, signal);
  }
}

function placeOf({ id, source, scope }: StoredFact): SourceRow {
  return { id, sessionId: source.sessionId, turnId: source.turnId, time: source.time, scope };
}

/** The facts as rows to be embedded, in the order of their ids. */
export function factEmbeddingSource(store: FactStore): EmbeddingSource {
  return {
    kind: "fact",
    count: (signal) => store.table.count(undefined, signal),
    page: (cursor, limit, signal) => pageOf(store, cursor, limit, signal),
    texts: async (rows, signal) => {
      const ids = rows.map(({ id }) => id);
      const facts = await store.byIds(ids, signal);
      if (!facts.ok) return facts;
      const texts = new Map(facts.value.map((fact) => [fact.id, embeddedText(fact)]));
      return success(ids.map((id) => texts.get(id) ?? ""));
    },
    present: (ids, signal) => presentIn(store, ids, signal),
  };
}

function pageOf(
  store: FactStore,
  cursor: string | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<Result<SourcePage<SourceRow>>> {
  return store.table.read<SourcePage<SourceRow>>(
    { rows: [] },
    async (table) => {
      const query = table.query();
      if (cursor !== undefined) query.where(`id > ${literal(cursor)}`);
      const found: unknown[] = await query
        .select(FACT_COLUMNS)
        .orderBy([{ columnName: "id", ascending: true }])
        .limit(limit)
        .toArray();
      const rows = readFacts(found).map(placeOf);
      const last = rows.at(-1);
      return last === undefined || found.length < limit ? { rows } : { rows, next: last.id };
    },
    signal,
  );
}

function presentIn(
  store: FactStore,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Result<ReadonlySet<string>>> {
  return store.table.read<ReadonlySet<string>>(new Set<string>(), (table) => presentIds(table, ids), signal);
}
