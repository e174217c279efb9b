import { CANCELLED, success, type Result } from "../../../agent/failure.ts";
import type { MemoryPort } from "../../../agent/memory/port.ts";
import type { MemoryEdit, MemoryTable, MemoryTableQuery } from "../../../agent/memory/types.ts";

/** Rows that are listed at once. */
const PAGE = 200;
/** Ids that one request to forget carries. */
export const FORGET_AT_ONCE = 1_000;

/** The ids of all rows that a query gives, in its order. */
export async function idsOf(
  memory: Pick<MemoryPort, "list">,
  query: MemoryTableQuery,
  onProgress: (rows: number) => void,
  signal: AbortSignal,
): Promise<Result<readonly string[]>> {
  const ids = new Set<string>();
  for (let offset = 0; ; offset += PAGE) {
    const page = await memory.list({ ...query, offset, limit: PAGE }, signal);
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    if (!page.ok) return page;
    page.value.rows.forEach(({ id }) => ids.add(id));
    onProgress(ids.size);
    if (offset + PAGE >= page.value.total || page.value.rows.length === 0) return success([...ids]);
  }
}

/** Tables whose rows can be pinned. */
type Pinnable = Extract<MemoryTable, "episodes" | "facts" | "people" | "moments">;

/** Whether rows of a table can be pinned. */
export function isPinnable(table: MemoryTable): table is Pinnable {
  return table !== "relationships" && table !== "resources";
}

/** Pins rows one after the other and gives how many; what was pinned before a cancel or a failure stays so. */
export async function pinAll(
  memory: Pick<MemoryPort, "edit">,
  table: Pinnable,
  ids: readonly string[],
  onProgress: (rows: number) => void,
  signal: AbortSignal,
): Promise<Result<number>> {
  let done = 0;
  for (const id of ids) {
    if (signal.aborted) return { ok: false, failure: CANCELLED };
    const edit: MemoryEdit = { table, id, pinned: true };
    const pinned = await memory.edit(edit, signal);
    if (!pinned.ok) return pinned;
    done += 1;
    onProgress(done);
  }
  return success(done);
}

/** Whether a line of an export is one of some rows, or was noted of one of these. */
export function isLineOf(table: MemoryTable, ids: ReadonlySet<string>): (line: string) => boolean {
  return (line) => {
    const { table: own, row } = JSON.parse(line) as {
      table: string;
      row: { id?: string; episodeId?: string };
    };
    if (own === table) return ids.has(row.id ?? "");
    return table === "episodes" && own === "annotations" && ids.has(row.episodeId ?? "");
  };
}
