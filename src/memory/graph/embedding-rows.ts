import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { EmbeddingSource, SourceRow } from "../embed/embedding-source.ts";
import { presentIds } from "../store/present.ts";
import type { Row } from "../store/spec.ts";
import { isOneOf, literal } from "../store/sql.ts";
import type { StoreTable } from "../store/table.ts";
import type { VectorKind } from "../store/vectors.ts";
import { select } from "./graph-store.ts";

/** How the rows of a table are embedded. */
export interface EmbeddedRows<T extends { readonly id: string }> {
  readonly table: StoreTable;
  readonly kind: VectorKind;
  readonly columns: readonly string[];
  read(rows: readonly Row[]): readonly T[];
  place(row: T): SourceRow;
  text(row: T): string;
}

/** The rows of a table to be embedded in the background, in the order of their ids. */
export function embeddingRows<T extends { readonly id: string }>(rows: EmbeddedRows<T>): EmbeddingSource {
  const { table, kind, columns } = rows;
  const read = async (
    where: string | undefined,
    limit: number,
    signal: AbortSignal,
  ): Promise<Result<{ readonly found: number; readonly rows: readonly T[] }>> => {
    const order = [{ columnName: "id", ascending: true }];
    const found = await table.read<readonly Row[]>(
      [],
      (opened) => select(opened, columns, { where, limit, order }),
      signal,
    );
    return found.ok ? success({ found: found.value.length, rows: rows.read(found.value) }) : found;
  };
  return {
    kind,
    count: (signal) => table.count(undefined, signal),
    page: async (cursor, limit, signal) => {
      const where = cursor === undefined ? undefined : `id > ${literal(cursor)}`;
      const page = await read(where, limit, signal);
      if (!page.ok) return page;
      const placed = page.value.rows.map((row) => rows.place(row));
      const last = placed.at(-1);
      return success(
        last === undefined || page.value.found < limit ? { rows: placed } : { rows: placed, next: last.id },
      );
    },
    texts: async (wanted, signal) => {
      const ids = wanted.map(({ id }) => id);
      const found = await read(isOneOf("id", ids), Math.max(1, ids.length), signal);
      if (!found.ok) return found;
      const texts = new Map(found.value.rows.map((row) => [row.id, rows.text(row)]));
      return success(ids.map((id) => texts.get(id) ?? ""));
    },
    present: (ids, signal) =>
      table.read<ReadonlySet<string>>(new Set<string>(), (opened) => presentIds(opened, ids), signal),
  };
}
