import type { Episode } from "../../agent/memory/port.ts";
import type { Edit, Place, Turn } from "./candidates.ts";
import { withEdit, withEditedScores } from "./edited.ts";
import { fuse, type Fused, type Views } from "./fuse.ts";
import { isWithin, type Search } from "./search.ts";
import type { Seen } from "./views.ts";

/** Edited episodes that are looked at beside what the views found. */
const MAX_EDITED = 2_000;

/** What was found with its neighbours, as far as the views say something of it. */
export interface FusedAll {
  readonly fused: readonly Fused[];
  readonly turns: ReadonlyMap<string, Turn>;
  readonly views: Views;
  readonly note?: string;
}

/** What the views and the user's own words say of each turn, with the turns around it. */
export async function fuseAll(
  search: Search,
  seen: Seen,
  edits: ReadonlyMap<string, Edit>,
): Promise<FusedAll> {
  const { excluded, analysis } = search;
  const edited = await editedEpisodes(search, edits);
  const found = new Map(seen.places);
  for (const episode of edited) found.set(episode.id, placeOf(episode));
  const beside = await search.turns.around(found.values());
  const turns = new Map<string, Turn>();
  for (const turn of beside.ok ? beside.value : []) {
    if (!excluded.has(turn.turnId)) turns.set(turn.id, turn);
  }
  const places: (Place | Turn)[] = [...turns.values()];
  for (const place of found.values()) if (!turns.has(place.id)) places.push(place);
  const views = {
    ...seen.views,
    ...(seen.views.text !== undefined && { text: withEditedScores(seen.views.text, edited, analysis.words) }),
  };
  return {
    fused: fuse(places, views, search.neighbours),
    turns,
    views,
    ...(!beside.ok && { note: `Without the turns around what was found: ${beside.failure.message}` }),
  };
}

/** The edited episodes that may be found, as they now read. */
async function editedEpisodes(
  { source, filter, excluded, signal }: Search,
  edits: ReadonlyMap<string, Edit>,
): Promise<Episode[]> {
  if (edits.size === 0) return [];
  const episodes = await source.byIds([...edits.keys()].slice(0, MAX_EDITED), signal);
  return (episodes.ok ? episodes.value : [])
    .filter((episode) => !excluded.has(episode.turnId) && isWithin(episode, filter))
    .map((episode) => withEdit(episode, edits.get(episode.id)));
}

function placeOf({ id, sessionId, turnId, time }: Place): Place {
  return { id, sessionId, turnId, time };
}
