import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Episode } from "../../agent/memory/port.ts";
import type { AnnotationTable } from "../store/annotations.ts";
import type { EpisodeTable } from "../store/episodes.ts";

/** Where the words of turns are kept: as they were said, and as the user wrote over them. */
export interface EpisodeTexts {
  readonly episodes: EpisodeTable;
  readonly annotations: Pick<AnnotationTable, "fold">;
}

/** The episodes with these ids, in no order, each with the user's own words in place of those that were written over. */
export async function editedByIds(
  { episodes, annotations }: EpisodeTexts,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Result<readonly Episode[]>> {
  const found = await episodes.byIds(ids, signal);
  if (!found.ok) return found;
  const notes = await annotations.fold(
    found.value.map(({ id }) => id),
    signal,
  );
  if (!notes.ok) return notes;
  return success(found.value.map((episode) => ({ ...episode, ...notes.value.get(episode.id)?.edit })));
}
