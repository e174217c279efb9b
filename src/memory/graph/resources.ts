import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { MemoryTablePage, MemoryTableQuery, Resource } from "../../agent/memory/types.ts";
import { cutAtGrapheme, wellFormed } from "../../agent/text.ts";
import type { EmbeddingSource, SourceRow } from "../embed/embedding-source.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { contentWords } from "../retrieval/words.ts";
import { ForgottenTurns } from "../facts/forgotten-turns.ts";
import { presentIds } from "../store/present.ts";
import { all, inScopes, isOneOf } from "../store/sql.ts";
import type { StoreTable } from "../store/table.ts";
import type { Row } from "../store/spec.ts";
import { embeddingRows } from "./embedding-rows.ts";
import { deleteIds, select, upsert } from "./graph-store.ts";
import { holdsWords } from "./pages.ts";
import { scaledCosine, scaledText } from "./scale.ts";
import { RESOURCE_COLUMNS, readResources, resourceRow, resourcesSpec } from "./tables.ts";

/** How much of a page's or file's text is kept, in UTF-16 units. */
export const MAX_RESOURCE_TEXT = 100_000;
/** How much of it is embedded: models read no more than the beginning anyway. */
const MAX_EMBEDDED = 2_000;
const MAX_TITLE = 500;
const MAX_URI = 5_000;
const CANDIDATES = 50;
/** What a text match adds to what its meaning is worth, and the other way round. */
const BOTH = 0.25;

const COLUMNS = { indexedAt: "indexed_at", title: "title", uri: "uri" } as const;

/** A page or a file that a search found. */
export interface ResourceHit {
  readonly resource: Resource;
  /** 0..1. */
  readonly score: number;
}

/** Pages fetched and files given: one row for each uri of a scope, the newest. Nothing here throws. */
export class Resources {
  readonly #deps: KnowledgeDeps;
  readonly #table: StoreTable;

  constructor(deps: KnowledgeDeps) {
    this.#deps = deps;
    this.#table = deps.database.table(resourcesSpec);
  }

  /** Keeps pages and files and gives how many; one that is older than what is there of its uri is left out. */
  async keep(
    resources: readonly Resource[],
    signal: AbortSignal,
  ): Promise<Result<{ readonly kept: number }>> {
    const given = newestOfEach(resources.map(bounded).filter(({ uri }) => uri !== ""));
    if (given.length === 0) return success({ kept: 0 });
    const turns = [...new Set(given.map(({ turnId }) => turnId))];
    const done = await this.#table.change(async (table): Promise<Result<readonly Resource[]>> => {
      // Asked under the lock: whoever forgets a turn notes it first and takes the rows after.
      const forgotten = await new ForgottenTurns(this.#deps.database).among(turns, signal);
      if (!forgotten.ok) return forgotten;
      const newest = given.filter(({ turnId }) => !forgotten.value.has(turnId));
      const where = isOneOf("uri", [...new Set(newest.map(({ uri }) => uri))]);
      const there = readResources(await select(table, RESOURCE_COLUMNS, { where, limit: 100_000 }));
      const plan = newest.map((one) => replacing(there, one)).filter((each) => each !== undefined);
      await upsert(
        table,
        plan.map(({ row }) => resourceRow(row)),
      );
      await deleteIds(
        table,
        plan.flatMap(({ doubles }) => doubles),
      );
      return success(plan.map(({ row }) => row));
    }, signal);
    if (!done.ok) return done;
    if (!done.value.ok) return done.value;
    const fresh = done.value.value;
    await this.#embed(fresh, signal);
    return success({ kept: fresh.length });
  }

  /** A page of the table. */
  async list(
    query: MemoryTableQuery<"resources">,
    signal: AbortSignal,
  ): Promise<Result<MemoryTablePage<"resources">>> {
    const where = all(holdsWords(query.filter, ["text"]), inScopes(query.scopes));
    const total = await this.#table.count(where, signal);
    if (!total.ok) return total;
    const { offset, limit } = query;
    if (limit === 0 || offset >= total.value) return success({ rows: [], total: total.value });
    const order = [
      {
        columnName: COLUMNS[query.sort?.column ?? "indexedAt"],
        ascending: query.sort?.ascending ?? false,
      },
      { columnName: "id", ascending: true },
    ];
    const rows = await this.#read({ where, limit, offset, order }, signal);
    return rows.ok ? success({ rows: rows.value, total: total.value }) : rows;
  }

  /** Pages and files that a text asks for, by their words and by their meaning, best first. */
  async search(
    query: string,
    { limit, scopes }: { readonly limit: number; readonly scopes?: readonly string[] | undefined },
    signal: AbortSignal,
  ): Promise<Result<readonly ResourceHit[]>> {
    const where = inScopes(scopes);
    const matched = await this.#table.matching(
      contentWords(query),
      { limit: CANDIDATES, columns: ["id"], where },
      signal,
    );
    if (!matched.ok) return matched;
    const byText = new Map(
      matched.value.map(({ id, _score }) => [
        String(id),
        scaledText(typeof _score === "number" ? _score : 0),
      ]),
    );
    const byMeaning = await this.#near(query, where, signal);
    const scores = [...new Set([...byText.keys(), ...byMeaning.keys()])]
      .map((id) => ({ id, score: together(byText.get(id) ?? 0, byMeaning.get(id) ?? 0) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
      .slice(0, limit);
    const rows = await this.#read(
      {
        where: isOneOf(
          "id",
          scores.map(({ id }) => id),
        ),
        limit,
      },
      signal,
    );
    if (!rows.ok) return rows;
    const byId = new Map(rows.value.map((resource) => [resource.id, resource]));
    return success(
      scores.flatMap(({ id, score }) => {
        const resource = byId.get(id);
        return resource === undefined ? [] : [{ resource, score }];
      }),
    );
  }

  /** All of them, to be embedded in the background. */
  embeddingSource(): EmbeddingSource {
    return embeddingRows<Resource>({
      table: this.#table,
      kind: "resource",
      columns: RESOURCE_COLUMNS,
      read: readResources,
      place: sourceOf,
      text: resourceText,
    });
  }

  async #near(
    query: string,
    where: string | undefined,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number>> {
    const embedder = this.#deps.embedder();
    const embedded = await embedder?.embed([query.slice(0, MAX_EMBEDDED)], "query", signal);
    const embedding = embedded?.ok === true ? embedded.value[0] : undefined;
    if (embedder === undefined || embedding === undefined) return new Map();
    const options = { limit: CANDIDATES, where };
    const near = await this.#deps.vectors.near(embedder.model, "resource", embedding, options, signal);
    return new Map(near.ok ? near.value.map(({ id, similarity }) => [id, scaledCosine(similarity)]) : []);
  }

  /** Without an embedder they are found by their words, and embedded later. */
  async #embed(resources: readonly Resource[], signal: AbortSignal): Promise<void> {
    const embedder = this.#deps.embedder();
    if (embedder === undefined || resources.length === 0) return;
    const embedded = await embedder.embed(resources.map(resourceText), "document", signal);
    if (!embedded.ok) return;
    const rows = resources.flatMap((resource, index) => {
      const embedding = embedded.value[index];
      return embedding === undefined ? [] : [{ ...sourceOf(resource), kind: "resource" as const, embedding }];
    });
    await this.#deps.vectors.put(embedder.model, rows, signal, (ids) =>
      this.#table.read(new Set<string>(), (table) => presentIds(table, ids), signal),
    );
  }

  async #read(
    selection: Parameters<typeof select>[2],
    signal: AbortSignal,
  ): Promise<Result<readonly Resource[]>> {
    const rows = await this.#table.read<readonly Row[]>(
      [],
      (table) => select(table, RESOURCE_COLUMNS, selection),
      signal,
    );
    return rows.ok ? success(readResources(rows.value)) : rows;
  }
}

function sourceOf({ id, sessionId, turnId, scope, indexedAt: time }: Resource): SourceRow {
  return { id, sessionId, turnId, scope, time };
}

function resourceText({ title, text }: Pick<Resource, "title" | "text">): string {
  return `${title}\n${text}`.slice(0, MAX_EMBEDDED).toWellFormed();
}

function together(text: number, meaning: number): number {
  return Math.min(1, Math.max(text, meaning) + BOTH * Math.min(text, meaning));
}

function bounded(resource: Resource): Resource {
  return {
    ...resource,
    id: resource.id.toLowerCase(),
    uri: wellFormed(resource.uri.trim()).slice(0, MAX_URI),
    title: cutAtGrapheme(wellFormed(resource.title).replace(/\s+/g, " ").trim(), MAX_TITLE),
    text: cutAtGrapheme(wellFormed(resource.text), MAX_RESOURCE_TEXT),
  };
}

/** One uri of two scopes is two rows: what a project read stays with it. */
function placeOf({ uri, scope }: Resource): string {
  return JSON.stringify([scope, uri]);
}

/** The new text in the row that is there, so that one write replaces it; undefined when what is there is newer. */
function replacing(
  there: readonly Resource[],
  resource: Resource,
): { readonly row: Resource; readonly doubles: readonly string[] } | undefined {
  const own = there.filter((old) => placeOf(old) === placeOf(resource));
  if (own.some((old) => old.indexedAt > resource.indexedAt)) return undefined;
  const [first, ...doubles] = own.map(({ id }) => id).sort();
  return { row: { ...resource, id: first ?? resource.id }, doubles };
}

function newestOfEach(resources: readonly Resource[]): Resource[] {
  const newest = new Map<string, Resource>();
  for (const one of resources) {
    const known = newest.get(placeOf(one));
    if (known === undefined || known.indexedAt <= one.indexedAt) newest.set(placeOf(one), one);
  }
  return [...newest.values()];
}
