import type { Table } from "@lancedb/lancedb";
import { isOneOf } from "../store/sql.ts";
import type { Doom, Parted } from "./doom.ts";
import { compareStatements } from "./statement.ts";
import type { StoredFact } from "./table.ts";
import { FACT_COLUMNS, readFacts, statementOf } from "./table.ts";

/** More times than this are not looked for: a fact that only they closed stays closed. */
const MAX_TIMES = 500;
/** Rows that are looked at for what else closes a fact. */
const MAX_RIVALS = 5_000;

/**
 * The facts that doomed turns had closed, as if these turns had not been: open again, or closed by what was told next.
 * A fact is closed at the moment of the turn that contradicts it, which no other turn shares. Reads an open table, so
 * that it can be called under its lock, and rejects as the library does.
 *
 * @param touched the facts that the turns told, as they are
 */
export async function reopenedFacts(
  table: Table,
  touched: readonly StoredFact[],
  { gone, kept }: Parted<StoredFact>,
  { turns }: Doom,
): Promise<readonly StoredFact[]> {
  const doomed = touched.flatMap(({ sources }) => sources.filter(({ turnId }) => turns.has(turnId)));
  const times = [...new Set(doomed.map(({ time }) => time))].slice(0, MAX_TIMES);
  if (times.length === 0) return [];
  const without = new Set(gone.map(({ id }) => id));
  const now = new Map(kept.map((fact) => [fact.id, fact]));
  const owners = [...new Set(touched.map(({ owner }) => owner))];
  const isOwned = isOneOf("owner", owners);
  const closedRows = await find(table, `valid_to IN (${times.join(", ")}) AND ${isOwned}`);
  const closed = closedRows.filter(({ id }) => !without.has(id)).map((fact) => now.get(fact.id) ?? fact);
  if (closed.length === 0) return [];
  const attributes = closed.flatMap((fact) => statementOf(fact).attribute ?? []);
  const beside = await find(table, `${isOneOf("attribute", attributes)} AND ${isOwned}`);
  const others = [...new Map([...beside, ...kept].map((fact) => [fact.id, fact])).values()].filter(
    ({ id }) => !without.has(id),
  );
  return closed.map((fact) => ({ ...fact, validTo: nextEnd(fact, others) }));
}

/** When what was told later takes the place of a fact; null: nothing does. */
function nextEnd(fact: StoredFact, others: readonly StoredFact[]): number | null {
  const stated = statementOf(fact);
  const ends = others
    .filter(
      (other) =>
        other.id !== fact.id &&
        other.owner === fact.owner &&
        other.scope === fact.scope &&
        other.validFrom >= fact.validFrom &&
        compareStatements(statementOf(other), stated) === "contradicts",
    )
    .map(({ validFrom }) => validFrom);
  return ends.length === 0 ? null : Math.min(...ends);
}

async function find(table: Table, filter: string): Promise<StoredFact[]> {
  return readFacts(await table.query().where(filter).select(FACT_COLUMNS).limit(MAX_RIVALS).toArray());
}
