import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import { embeddedText } from "../retrieval/texts.ts";
import type { EpisodeTable } from "../store/episodes.ts";
import { readAll } from "../store/present.ts";
import { editedByIds, type EpisodeTexts } from "./edited-texts.ts";
import type { EmbeddingSource, SourcePage, SourceRow } from "./embedding-source.ts";
import { turnOrder, windowTexts } from "./turn-windows.ts";

const COLUMNS = ["id", "session_id", "turn_id", "time", "scope"];

const rowSchema = z
  .object({
    id: z.string(),
    session_id: z.string(),
    turn_id: z.string(),
    time: z.number(),
    scope: z.string().nullish(),
  })
  .transform(({ id, session_id, turn_id, time, scope }): SourceRow => ({
    id,
    sessionId: session_id,
    turnId: turn_id,
    time,
    scope: scope ?? "",
  }));

/** The episodes, each embedded alone. */
export function episodeSource(tables: EpisodeTexts): EmbeddingSource {
  return {
    ...rowsOf(tables.episodes),
    kind: "episode",
    texts: (rows, signal) => episodeTexts(tables, rows, signal),
  };
}

/** The episodes, each embedded with the turns before and after it. */
export function windowSource(tables: EpisodeTexts): EmbeddingSource {
  return {
    ...rowsOf(tables.episodes),
    kind: "window",
    texts: async (rows, signal) => {
      const order = await turnOrder(
        tables.episodes,
        rows.map(({ sessionId }) => sessionId),
        signal,
      );
      if (!order.ok) return order;
      const ids = rows.map(({ id }) => id);
      return windowTexts(tables, ids, order.value, signal);
    },
  };
}

function rowsOf(episodes: EpisodeTable): Pick<EmbeddingSource, "count" | "page" | "present"> {
  return {
    count: (signal) => episodes.countRows(signal),
    page: (cursor, limit, signal) => page(episodes, cursor, limit, signal),
    present: (ids, signal) => episodes.present(ids, signal),
  };
}

/** The cursor is how many rows came before, in the order they were written. */
async function page(
  episodes: EpisodeTable,
  cursor: string | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<Result<SourcePage<SourceRow>>> {
  const offset = Number(cursor ?? 0);
  const rows = await episodes.table.read<readonly SourceRow[]>(
    [],
    async (table) =>
      readAll(await table.query().select(COLUMNS).limit(limit).offset(offset).toArray(), rowSchema),
    signal,
  );
  if (!rows.ok) return rows;
  const next = rows.value.length < limit ? {} : { next: String(offset + limit) };
  return success({ rows: rows.value, ...next });
}

async function episodeTexts(
  tables: EpisodeTexts,
  rows: readonly SourceRow[],
  signal: AbortSignal,
): Promise<Result<readonly string[]>> {
  const read = await editedByIds(
    tables,
    rows.map(({ id }) => id),
    signal,
  );
  if (!read.ok) return read;
  const texts = new Map(read.value.map((episode) => [episode.id.toLowerCase(), embeddedText(episode)]));
  return success(rows.map(({ id }) => texts.get(id.toLowerCase()) ?? ""));
}
