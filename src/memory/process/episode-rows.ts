import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Annotation, AnnotationValue, Episode } from "../../agent/memory/port.ts";
import type { EpisodeRow, MemoryEdit, MemoryTablePage, MemoryTableQuery } from "../../agent/memory/types.ts";
import { embedEdited, type EditedParts } from "../embed/embed-edited.ts";
import type { AnnotationTable } from "../store/annotations.ts";

/** Where episodes and what is known of them are kept. */
export interface EpisodeParts extends EditedParts {
  readonly annotations: AnnotationTable;
  readonly now: () => number;
  readonly newId: () => string;
}

type Page = Result<MemoryTablePage<"episodes">>;

/** A page of the table of episodes, each with what is known of it. */
export async function episodesPage(
  parts: EpisodeParts,
  query: MemoryTableQuery<"episodes">,
  signal: AbortSignal,
): Promise<Page> {
  const page = await parts.episodes.list(query, signal);
  return page.ok ? withNotes(parts, page.value.rows, page.value.total, signal) : page;
}

async function withNotes(
  { annotations }: EpisodeParts,
  episodes: readonly Episode[],
  total: number,
  signal: AbortSignal,
): Promise<Page> {
  const notes = await annotations.fold(
    episodes.map(({ id }) => id),
    signal,
  );
  if (!notes.ok) return notes;
  const rows = episodes.map((episode): EpisodeRow => ({
    ...episode,
    notes: notes.value.get(episode.id) ?? {},
  }));
  return success({ rows, total });
}

/** The user's own words about an episode; the episode itself stays as it was. */
export async function editEpisode(
  parts: EpisodeParts,
  { id, question, answer, pinned }: Extract<MemoryEdit, { table: "episodes" }>,
  signal: AbortSignal,
): Promise<Result<{ readonly changed: boolean }>> {
  const { episodes, annotations, now, newId } = parts;
  const there = await episodes.present([id], signal);
  if (!there.ok) return there;
  if (there.value.size === 0) return success({ changed: false });
  const values: AnnotationValue[] = [];
  if (pinned !== undefined) values.push({ kind: "pin", value: pinned });
  if (question !== undefined || answer !== undefined) {
    const before = await annotations.fold([id], signal);
    if (!before.ok) return before;
    const edit = {
      ...before.value.get(id)?.edit,
      ...(question === undefined ? {} : { question }),
      ...(answer === undefined ? {} : { answer }),
    };
    values.push({ kind: "edit", value: edit });
  }
  const rows = values.map((value): Annotation => ({
    ...value,
    id: newId(),
    episodeId: id,
    by: "user",
    time: now(),
  }));
  const added = await annotations.append(rows, signal);
  if (!added.ok) return added;
  const embedded = values.some(({ kind }) => kind === "edit")
    ? await embedEdited(parts, [id], signal)
    : success(undefined);
  return embedded.ok ? success({ changed: added.value.size > 0 }) : embedded;
}
