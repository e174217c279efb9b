import type { Query, Table } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { CANCELLED, failed, success } from "../../agent/failure.ts";
import { onLatest } from "./conflicts.ts";
import { damaged, isVersionGone, newerStore, notWritten } from "./failures.ts";
import type { TableHome } from "./home.ts";
import { Indexes } from "./indexes.ts";
import type { StoreLock } from "./lock.ts";
import { Opening } from "./opening.ts";
import { presentIds } from "./present.ts";
import type { Row, StoredRow, TableSpec } from "./spec.ts";
import { untilAborted } from "./until-aborted.ts";
import { cleanFiles, deleteRows, wipeRows } from "./wipe.ts";

/** How often a read is done again after another window cleaned away what it read from. */
const READS = 6;

/** Forgetting waits for an index that is being made: what was read for it would come back to the disk. */
const WIPE_PATIENCE_MS = 5 * 60_000;

/** A full-text query for some columns of its rows and their `_score`. */
type Find = (columns: readonly string[]) => Query;

/** Which rows a full-text search looks at. */
export interface Matching {
  readonly limit: number;
  /** A filter in the form of sql.ts. */
  readonly where?: string | undefined;
}

/** One table of the store. Nothing here throws. */
export class StoreTable {
  readonly spec: TableSpec;
  /** For read-modify-writes: held for moments. */
  readonly lock: StoreLock;
  /** For work on indexes and old files, which may take minutes and keeps nobody from reading and writing. */
  readonly upkeep: StoreLock;
  readonly indexes: Indexes;
  readonly #home: TableHome;
  readonly #opening: Opening;
  #writes = 0;
  #removals = 0;

  constructor(home: TableHome, spec: TableSpec) {
    this.#home = home;
    this.spec = spec;
    // Windows of version 1 know one lock only.
    this.lock = spec.name === "episodes" ? home.lock : home.lockNamed(`${spec.name}.lock`);
    this.upkeep = home.upkeepNamed(`${spec.name}.upkeep.lock`);
    this.#opening = new Opening(home, spec, this.lock);
    this.indexes = new Indexes(home, spec);
  }

  /** How many writes there were since `maintained`. */
  get writes(): number {
    return this.#writes;
  }

  /**
   * As long as this is the same, a row that is still there holds what it held where it lay. It changes when the table
   * is made anew, and when something is removed here, so that nothing of it is kept; undefined where it can't be told.
   */
  generation(): string | undefined {
    const identity = this.#opening.identity();
    return identity === undefined ? undefined : `${identity} ${this.#removals}`;
  }

  /** Says that the table was maintained. */
  maintained(): void {
    this.#writes = 0;
  }

  /**
   * Runs on the newest version and gives what `work` gives; `absent` while the table does not exist. A reader whose
   * version is gone asks again on the newest, so `work` may run more than once.
   */
  async read<T>(absent: T, work: (table: Table) => Promise<T>, signal: AbortSignal): Promise<Result<T>> {
    for (let attempt = 1; ; attempt += 1) {
      if (signal.aborted) return { ok: false, failure: CANCELLED };
      const opened = await this.#opening.read(signal);
      if (!opened.ok) return opened;
      if (opened.value === undefined) return success(absent);
      const { table } = opened.value;
      try {
        const value = await untilAborted(work(table), signal);
        return value === "aborted" ? { ok: false, failure: CANCELLED } : success(value.value);
      } catch (error) {
        if (attempt >= (isVersionGone(error) ? READS : 2)) {
          this.#opening.reopen();
          return { ok: false, failure: damaged(this.#home.uri, error) };
        }
        await table.checkoutLatest().catch(() => undefined);
        if (attempt > 1) this.#opening.reopen();
      }
    }
  }

  /**
   * Adds rows in one write, makes the table when needed, and gives the ids that were new: rows whose id is there
   * already are left out. Every row has a column `id`.
   */
  async append(rows: readonly StoredRow[], signal: AbortSignal): Promise<Result<ReadonlySet<string>>> {
    const unique = new Map(rows.map((row) => [String(row.id), row]));
    return this.write(async (table) => {
      const known = await presentIds(table, [...unique.keys()]);
      const fresh = [...unique].filter(([id]) => !known.has(id));
      if (fresh.length > 0) await table.add(fresh.map(([, row]) => ({ ...row })));
      return new Set(fresh.map(([id]) => id));
    }, signal);
  }

  /** A change that needs no lock, done again on a commit conflict; makes the table when needed. */
  async write<T>(work: (table: Table) => Promise<T>, signal: AbortSignal): Promise<Result<T>> {
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    const opened = await this.#opening.write(signal);
    if (!opened.ok) return opened;
    try {
      const value = await onLatest(opened.value, () => work(opened.value));
      this.#writes += 1;
      return success(value);
    } catch (error) {
      return { ok: false, failure: notWritten(this.#home.uri, error) };
    }
  }

  /** A read-modify-write under the cross-process lock on the newest version, done again on a commit conflict. */
  async change<T>(work: (table: Table) => Promise<T>, signal: AbortSignal): Promise<Result<T>> {
    const opened = await this.#opening.write(signal);
    if (!opened.ok) return opened;
    const done = await this.lock.run((confirm) => {
      const confirmed = async (table: Table): Promise<T> => {
        await confirm();
        return work(table);
      };
      return this.write(confirmed, signal);
    }, signal);
    return done.ok ? done.value : done;
  }

  /**
   * Deletes by a filter, or by several, and wipes: files, indexes and old versions that hold the rows are cleaned at
   * once. Gives how many rows there were.
   */
  async wipe(filter: string | readonly string[], signal: AbortSignal): Promise<Result<number>> {
    const filters = typeof filter === "string" ? [filter] : filter;
    let matched = 0;
    for (const each of filters) {
      const count = await this.count(each, signal);
      if (!count.ok) return count;
      matched += count.value;
    }
    if (matched === 0) return success(0);
    const wiped = await this.#removing(() =>
      this.upkeep.run(
        () => this.change((table) => wipeRows(table, filters, this.#home, this.indexes), signal),
        signal,
        WIPE_PATIENCE_MS,
      ),
    );
    if (!wiped.ok) return wiped;
    return wiped.value.ok ? wiped.value.value : wiped.value;
  }

  /** Deletes by filters; what the rows held stays on the disk until `clean`. Gives how many there were. */
  remove(filters: readonly string[], signal: AbortSignal): Promise<Result<number>> {
    return filters.length === 0
      ? Promise.resolve(success(0))
      : this.#removing(() => this.change((table) => deleteRows(table, filters), signal));
  }

  /** Takes what removed rows held from the disk. */
  async clean(signal: AbortSignal): Promise<Result<void>> {
    const cleaned = await this.upkeep.run(
      () => this.change((table) => cleanFiles(table, this.#home, this.indexes), signal),
      signal,
      WIPE_PATIENCE_MS,
    );
    if (!cleaned.ok) return cleaned;
    return cleaned.value.ok ? cleaned.value.value : cleaned.value;
  }

  /**
   * Full text over `textColumn`, best first, with the BM25 score of each row as `_score`. Signs in the words mean
   * nothing.
   */
  matching(
    words: readonly string[],
    { columns, ...options }: Matching & { readonly columns: readonly string[] },
    signal: AbortSignal,
  ): Promise<Result<readonly Row[]>> {
    const read = (find: Find): Promise<Row[]> => find(columns).toArray() as Promise<Row[]>;
    return this.match(words, options, read, signal);
  }

  /** The same, its rows read by `read`: from a query for the columns it wants, made as often as it wants. */
  async match<T>(
    words: readonly string[],
    { limit, where }: Matching,
    read: (find: Find, table: Table) => Promise<readonly T[]>,
    signal: AbortSignal,
  ): Promise<Result<readonly T[]>> {
    const column = this.spec.textColumn;
    const library = await this.#home.loadLibrary();
    if (!library.ok) return library;
    if (column === undefined || words.length === 0) return success([]);
    const ready = await this.ensureTextIndex(signal);
    if (!ready.ok) return ready;
    if (!ready.value) return success([]);
    // A query object: in a query string signs would have a meaning.
    const match = new library.value.MatchQuery(words.join(" "), column);
    const find =
      (table: Table): Find =>
      (columns) => {
        const query = table.query().fullTextSearch(match);
        if (where !== undefined) query.where(where);
        return query.select([...columns, "_score"]).limit(limit);
      };
    const found = await this.read<readonly T[]>([], (table) => read(find(table), table), signal);
    return found.ok || found.failure.code === "cancelled"
      ? found
      : failed("memory_unavailable", "the full-text index can't be read.", {
          cause: found.failure.cause ?? "",
        });
  }

  /** How many rows match a filter, or how many there are. */
  count(where: string | undefined, signal: AbortSignal): Promise<Result<number>> {
    return this.read(0, (table) => table.countRows(where), signal);
  }

  /** Makes the full-text index where it is missing, and says whether there is one. */
  async ensureTextIndex(signal: AbortSignal): Promise<Result<boolean>> {
    const opened = await this.#opening.read(signal);
    if (!opened.ok) return opened;
    if (opened.value === undefined) return success(false);
    return this.indexes.ensureText(opened.value, this.upkeep, signal);
  }

  /** Opens the table for writing if it exists; undefined while it does not or when it is read-only. */
  async writable(signal: AbortSignal): Promise<Table | undefined> {
    const opened = await this.#opening.read(signal);
    return opened.ok && opened.value !== undefined && !opened.value.readOnly ? opened.value.table : undefined;
  }

  /** The failure for a table that must not be changed; undefined when it may. */
  async refusal(signal: AbortSignal): Promise<ReturnType<typeof newerStore> | undefined> {
    const opened = await this.#opening.read(signal);
    if (!opened.ok) return opened.failure;
    return opened.value?.readOnly === true ? newerStore() : undefined;
  }

  /** Has the next call open the table anew; gives what closes the handle there was. */
  retire(): () => void {
    return this.#opening.retire();
  }

  /** Lets go of the table; what still reads from it fails. */
  close(): void {
    this.#opening.close();
  }

  /** What is kept of rows goes with them: what was there before, and what a search has read meanwhile. */
  async #removing<T>(work: () => Promise<T>): Promise<T> {
    this.#removals += 1;
    try {
      return await work();
    } finally {
      this.#removals += 1;
    }
  }
}
