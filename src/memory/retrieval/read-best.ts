import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Episode, EpisodeNotes } from "../../agent/memory/port.ts";
import { bareSimilarities, withoutSpeaker } from "./bare-question.ts";
import { shownText, withEdit } from "./edited.ts";
import type { FusedAll } from "./fuse-all.ts";
import { withCloser } from "./fuse.ts";
import {
  byRelevance,
  mostRelevant,
  relevanceOf,
  withIntent,
  type Asked,
  type Relevant,
} from "./relevance.ts";
import { isWithin, type Search } from "./search.ts";
import { namedSpeaker } from "./speakers.ts";

/** Rows whose whole text is read when a question asks about a time, to see which times they tell of. */
const MAX_READ = 200;

/** A memory whose text is known. */
export interface Read extends Relevant {
  readonly episode: Episode;
  readonly notes: EpisodeNotes | undefined;
  readonly text: string;
}

/** Reads the most relevant and weighs them anew by what they say. Shadows' answers that nobody took are left out. */
export async function readBest(
  search: Search,
  { fused, turns, views }: FusedAll,
): Promise<Result<readonly Read[]>> {
  const { source, settings, analysis, filter, limit, timeZone, signal } = search;
  const speaker = analysis.names.length === 0 ? undefined : namedSpeaker(analysis.names, turns.values());
  const asked: Asked = { speaker, range: analysis.range, timeZone };
  // Each view puts forward its candidates; a neighbour or a boost may be what lifts one, so they are taken together.
  const pool = Math.max(settings.candidates, limit) * Math.max(1, Object.keys(views).length);
  const range = { from: filter.from, to: filter.to };
  const found = fused.filter(({ place }) => isWithin(place, range));
  const looked = analysis.range === undefined ? pool : Math.max(pool, MAX_READ);
  const taken = mostRelevant(found, turns, asked, looked);
  if (taken.length === 0) return success([]);
  const ids = taken.map(({ place }) => place.id);
  const [episodes, notes, closer] = await Promise.all([
    source.byPlaces(
      taken.map(({ place }) => place),
      signal,
    ),
    source.notes(ids, signal),
    closerLook(search, speaker, ids),
  ]);
  if (!episodes.ok) return episodes;
  const known = notes.ok ? notes.value : new Map<string, EpisodeNotes>();
  const byId = new Map(
    episodes.value
      .filter(({ id, respondent }) => respondent !== "B" || known.get(id)?.taken === true)
      .map((episode) => [
        episode.id,
        {
          episode,
          notes: known.get(episode.id),
          text: shownText(episode, known.get(episode.id)),
          told: withEdit(episode, known.get(episode.id)?.edit),
        },
      ]),
  );
  const again = relevanceOf(
    withCloser(taken, views, closer),
    turns,
    asked,
    new Map([...byId].map(([id, { told }]) => [id, told])),
  );
  const read = again.flatMap((each) => {
    const own = byId.get(each.place.id);
    if (own === undefined) return [];
    const intent = own.notes?.intent ?? own.episode.intent;
    return [{ ...withIntent(each, analysis.intent, intent), ...own }];
  });
  return success(read.sort(byRelevance).slice(0, pool));
}

/** The best looked at once more by meaning, without the name of the one who is asked about. */
function closerLook(
  { source, vector, query, filter, signal }: Search,
  speaker: string | undefined,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const bare = speaker === undefined ? undefined : withoutSpeaker(query.query, speaker);
  if (bare === undefined || !("embedder" in vector)) return Promise.resolve(new Map());
  return bareSimilarities({ source, embedder: vector.embedder, filter, signal }, bare, ids);
}
