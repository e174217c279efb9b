import type { Table } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import type { Database } from "../store/database.ts";
import { all, inScopes, isOneOf, literal, validIds } from "../store/sql.ts";
import type { StoreTable } from "../store/table.ts";
import type { Statement } from "./statement.ts";
import { statementKey } from "./statement.ts";
import type { StoredFact } from "./table.ts";
import { FACT_COLUMNS, factRow, factsSpec, keyHash, readFacts } from "./table.ts";

/** Most rows that are compared with one proposal: those with the same words or attribute, and those with like words. */
const MAX_EXACT = 50;
const MAX_LIKE = 300;
/** Most words that like rows are looked for by. */
const MAX_WORDS = 12;

/** The rows of facts, as they are read and written. Functions that take a table reject as the library does. */
export class FactStore {
  readonly table: StoreTable;

  constructor(database: Database) {
    this.table = database.table(factsSpec);
  }

  /** The facts with these ids, in no order. */
  byIds(ids: readonly string[], signal: AbortSignal, where?: string): Promise<Result<readonly StoredFact[]>> {
    const wanted = validIds(ids);
    if (wanted.length === 0) return Promise.resolve({ ok: true, value: [] });
    return this.where(all(isOneOf("id", wanted), where) ?? "true", wanted.length, signal);
  }

  /** The facts that match a filter by sql.ts, at most `limit`, the latest changed first. */
  where(filter: string, limit: number, signal: AbortSignal): Promise<Result<readonly StoredFact[]>> {
    return this.table.read<readonly StoredFact[]>([], (table) => select(table, filter, limit), signal);
  }
}

/** The facts that match a filter, the latest changed first. */
export async function select(table: Table, filter: string, limit: number): Promise<StoredFact[]> {
  const rows: unknown[] = await table
    .query()
    .where(filter)
    .select(FACT_COLUMNS)
    .orderBy([
      { columnName: "updated_at", ascending: false },
      { columnName: "id", ascending: true },
    ])
    .limit(limit)
    .toArray();
  return readFacts(rows);
}

/** Writes facts in one change: a row with an id that is there takes its place. Under the table's lock. */
export async function put(table: Table, facts: readonly StoredFact[]): Promise<void> {
  if (facts.length === 0) return;
  const rows = facts.map((fact) => ({ ...factRow(fact) }));
  await table.mergeInsert("id").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
}

/**
 * The facts of an owner that hold now and may say the same as a statement, or what can't hold beside it. `ids` are
 * looked at too.
 */
export async function candidates(
  table: Table,
  owner: string,
  scope: string,
  statements: readonly Statement[],
  ids: readonly string[],
): Promise<StoredFact[]> {
  const held = all("valid_to IS NULL", `owner = ${literal(owner)}`, inScopes([...new Set(["", scope])]));
  const exact = [
    isOneOf(
      "said_key",
      statements.map((statement) => keyHash(statementKey(statement))),
    ),
    isOneOf(
      "attribute",
      statements.flatMap(({ attribute }) => attribute ?? []),
    ),
    isOneOf("id", validIds(ids)),
  ];
  const found = await select(table, all(held, exact.join(" OR ")) ?? "true", MAX_EXACT);
  const like = likeWords(statements).map((word) => `contains(stems, ${literal(` ${word} `)})`);
  const near = like.length === 0 ? [] : await select(table, all(held, like.join(" OR ")) ?? "true", MAX_LIKE);
  return [...new Map([...found, ...near].map((fact) => [fact.id, fact])).values()];
}

/** Words such as "like" stand in too many facts; they count when there are no others. */
function likeWords(statements: readonly Statement[]): string[] {
  const words = statements.flatMap(({ all: stems, relation }) => {
    const telling = [...stems].filter((word) => word !== relation && !word.startsWith("@"));
    return telling.length > 0 ? telling : [...stems];
  });
  return [...new Set(words)].slice(0, MAX_WORDS);
}
