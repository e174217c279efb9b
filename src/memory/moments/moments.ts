import type { ColumnOrdering } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type {
  MemoryTablePage,
  MemoryTableQuery,
  Moment,
  MomentPage,
  MomentQuery,
} from "../../agent/memory/types.ts";
import type { EmbeddingSource, SourceRow } from "../embed/embedding-source.ts";
import { ForgottenTurns } from "../facts/forgotten-turns.ts";
import { embeddingRows } from "../graph/embedding-rows.ts";
import { select, upsert } from "../graph/graph-store.ts";
import { holdsWords } from "../graph/pages.ts";
import { scaledCosine, scaledText } from "../graph/scale.ts";
import type { KnowledgeDeps } from "../knowledge-deps.ts";
import { contentWords } from "../retrieval/words.ts";
import { presentIds } from "../store/present.ts";
import type { Row } from "../store/spec.ts";
import { all, inScopes, isOneOf, validIds } from "../store/sql.ts";
import type { StoreTable } from "../store/table.ts";
import { bounded, editMoment, readEdit, type MomentEdit } from "./edit-moment.ts";
import { MOMENT_COLUMNS, momentRow, momentsSpec, readMoments } from "./table.ts";

/** How much of it is embedded: models read no more than the beginning anyway. */
const MAX_EMBEDDED = 2_000;
const CANDIDATES = 50;
/** What a text match adds to what its meaning is worth, and the other way round. */
const BOTH = 0.25;
/** What a pin adds to what a moment is worth that fits, as with turns. */
const PIN = 0.05;

const COLUMN_OF = { time: "from_time", title: "title", agent: "agent" } as const;

/** Excerpts that were kept on purpose, with the time they tell of. Nothing here throws. */
export class Moments {
  readonly #deps: KnowledgeDeps;
  readonly #table: StoreTable;

  constructor(deps: KnowledgeDeps) {
    this.#deps = deps;
    this.#table = deps.database.table(momentsSpec);
  }

  /** Keeps moments and gives how many; one that is there in the same words, and one of a forgotten turn, is left out. */
  async save(moments: readonly Moment[], signal: AbortSignal): Promise<Result<{ readonly saved: number }>> {
    const given = [...new Map(moments.map(bounded).map((one) => [sameAs(one), one])).values()].filter(
      ({ text }) => text !== "",
    );
    if (given.length === 0) return success({ saved: 0 });
    const done = await this.#table.change(async (table): Promise<Result<readonly Moment[]>> => {
      // Asked under the lock: whoever forgets a turn notes it first and takes the rows after.
      const turns = [...new Set(given.flatMap(turnIds))];
      const forgotten = await new ForgottenTurns(this.#deps.database).among(turns, signal);
      if (!forgotten.ok) return forgotten;
      const where = isOneOf("title", [...new Set(given.map(({ title }) => title))]);
      const there = readMoments(await select(table, MOMENT_COLUMNS, { where, limit: 10_000 }));
      const known = new Set(there.map(sameAs));
      const fresh = given
        .filter((one) => !turnIds(one).some((turnId) => forgotten.value.has(turnId)))
        .filter((one) => !known.has(sameAs(one)));
      await upsert(table, fresh.map(momentRow));
      return success(fresh);
    }, signal);
    if (!done.ok) return done;
    if (!done.value.ok) return done.value;
    await this.#embed(done.value.value, signal);
    return success({ saved: done.value.value.length });
  }

  /** The moments of a time, the latest first, or those that fit some words, the best first. */
  find(query: MomentQuery, signal: AbortSignal): Promise<Result<MomentPage>> {
    const words = query.query?.trim() ?? "";
    const where = all(inScopes(query.scopes), within(query));
    return words === "" ? this.#latest(query, where, signal) : this.#fitting(words, query, where, signal);
  }

  /** A page of the table. */
  async list(
    query: MemoryTableQuery<"moments">,
    signal: AbortSignal,
  ): Promise<Result<MemoryTablePage<"moments">>> {
    const where = all(holdsWords(query.filter, ["text", "agent"]), inScopes(query.scopes), within(query));
    const { column, ascending } = query.sort ?? { column: "time", ascending: false };
    return this.#page(where, query, { columnName: COLUMN_OF[column], ascending }, signal);
  }

  /** The user's own change; `changed` is false when there is no such moment or nothing is different. */
  async edit(edit: MomentEdit, signal: AbortSignal): Promise<Result<{ readonly changed: boolean }>> {
    const read = readEdit(edit);
    if (!read.ok) return read;
    const done = await this.#table.change(async (table) => {
      const where = isOneOf("id", validIds([edit.id]));
      const moment = readMoments(await select(table, MOMENT_COLUMNS, { where, limit: 1 }))[0];
      const edited = moment === undefined ? undefined : editMoment(moment, read.value);
      if (edited !== undefined) await upsert(table, [momentRow(edited)]);
      return moment !== undefined && edited !== undefined ? { moment, edited } : undefined;
    }, signal);
    if (!done.ok) return done;
    if (done.value === undefined) return success({ changed: false });
    const { moment, edited } = done.value;
    if (embeddedText(moment) !== embeddedText(edited)) {
      const removed = await this.#deps.vectors.remove("moment", [edited.id], signal);
      if (!removed.ok) return removed;
      await this.#embed([edited], signal);
    }
    return success({ changed: true });
  }

  /** All of them, to be embedded in the background. */
  embeddingSource(): EmbeddingSource {
    return embeddingRows<Moment>({
      table: this.#table,
      kind: "moment",
      columns: MOMENT_COLUMNS,
      read: readMoments,
      place: sourceOf,
      text: embeddedText,
    });
  }

  async #latest(
    { limit, offset = 0 }: MomentQuery,
    where: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<MomentPage>> {
    const latest = { columnName: "from_time", ascending: false };
    const page = await this.#page(where, { limit, offset }, latest, signal);
    if (!page.ok) return page;
    const { rows, total } = page.value;
    return success({ moments: rows.map((moment) => ({ moment, score: 1 })), total });
  }

  async #page(
    where: string | undefined,
    { limit, offset }: { readonly limit: number; readonly offset: number },
    by: ColumnOrdering,
    signal: AbortSignal,
  ): Promise<Result<MemoryTablePage<"moments">>> {
    const total = await this.#table.count(where, signal);
    if (!total.ok) return total;
    if (limit === 0 || offset >= total.value) return success({ rows: [], total: total.value });
    const order = [by, { columnName: "id", ascending: true }];
    const rows = await this.#read({ where, limit, offset, order }, signal);
    return rows.ok ? success({ rows: rows.value, total: total.value }) : rows;
  }

  async #fitting(
    words: string,
    { limit, offset = 0 }: MomentQuery,
    where: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<MomentPage>> {
    const options = { limit: CANDIDATES, columns: ["id"], where };
    const matched = await this.#table.matching(contentWords(words), options, signal);
    if (!matched.ok) return matched;
    const byText = new Map(
      matched.value.map(({ id, _score: score }) => [
        String(id),
        scaledText(typeof score === "number" ? score : 0),
      ]),
    );
    const byMeaning = await this.#near(words, signal);
    const ids = [...new Set([...byText.keys(), ...byMeaning.keys()])];
    const rows = await this.#read({ where: all(where, isOneOf("id", ids)), limit: ids.length + 1 }, signal);
    if (!rows.ok) return rows;
    const scored = rows.value
      .map((moment) => ({
        moment,
        score: together(byText.get(moment.id) ?? 0, byMeaning.get(moment.id) ?? 0),
      }))
      .filter(({ score }) => score > 0)
      .map(withPin)
      .sort((one, other) => other.score - one.score || (one.moment.id < other.moment.id ? -1 : 1));
    return success({ moments: scored.slice(offset, offset + limit), total: scored.length });
  }

  async #near(words: string, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const embedder = this.#deps.embedder();
    const embedded = await embedder?.embed([words.slice(0, MAX_EMBEDDED)], "query", signal);
    const embedding = embedded?.ok === true ? embedded.value[0] : undefined;
    if (embedder === undefined || embedding === undefined) return new Map();
    const near = await this.#deps.vectors.near(
      embedder.model,
      "moment",
      embedding,
      { limit: CANDIDATES },
      signal,
    );
    return new Map(near.ok ? near.value.map(({ id, similarity }) => [id, scaledCosine(similarity)]) : []);
  }

  /** Without an embedder they are found by their words, and embedded later. */
  async #embed(moments: readonly Moment[], signal: AbortSignal): Promise<void> {
    const embedder = this.#deps.embedder();
    if (embedder === undefined || moments.length === 0) return;
    const embedded = await embedder.embed(moments.map(embeddedText), "document", signal);
    if (!embedded.ok) return;
    const rows = moments.flatMap((moment, index) => {
      const embedding = embedded.value[index];
      return embedding === undefined ? [] : [{ ...sourceOf(moment), kind: "moment" as const, embedding }];
    });
    await this.#deps.vectors.put(embedder.model, rows, signal, (ids) =>
      this.#table.read(new Set<string>(), (table) => presentIds(table, ids), signal),
    );
  }

  async #read(
    selection: Parameters<typeof select>[2],
    signal: AbortSignal,
  ): Promise<Result<readonly Moment[]>> {
    const rows = await this.#table.read<readonly Row[]>(
      [],
      (table) => select(table, MOMENT_COLUMNS, selection),
      signal,
    );
    return rows.ok ? success(readMoments(rows.value)) : rows;
  }
}

/** A filter for moments that a time touches. */
function within({ from, to }: Pick<MomentQuery, "from" | "to">): string | undefined {
  return all(
    from === undefined ? undefined : `to_time >= ${from}`,
    to === undefined ? undefined : `from_time <= ${to}`,
  );
}

function turnIds({ source, turns }: Moment): string[] {
  return [source.turnId, ...turns.map(({ turnId }) => turnId)];
}

function sourceOf({ id, source, scope, from: time }: Moment): SourceRow {
  return { id, sessionId: source.sessionId, turnId: source.turnId, scope, time };
}

function embeddedText({ title, text }: Moment): string {
  return `${title}\n${text}`.slice(0, MAX_EMBEDDED).toWellFormed();
}

function together(text: number, meaning: number): number {
  return Math.min(1, Math.max(text, meaning) + BOTH * Math.min(text, meaning));
}

/** A pin brings to the fore what fits; what doesn't fit it leaves out. */
function withPin({ moment, score }: MomentPage["moments"][number]): MomentPage["moments"][number] {
  return { moment, score: moment.pinned === true ? Math.min(1, score + PIN) : score };
}

/** What makes two moments one: kept twice, it is there once. */
function sameAs({ title, text, scope }: Moment): string {
  return JSON.stringify([scope, title, text]);
}
