import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import { WINDOW_TURNS, windowText } from "../retrieval/texts.ts";
import type { EpisodeTable, Place } from "../store/episodes.ts";
import { editedByIds, type EpisodeTexts } from "./edited-texts.ts";

/** Most rows of sessions that are looked at for what stands beside a turn. */
const MAX_PLACES = 20_000;

/** The turns of some sessions in the order they happened. */
export class TurnOrder {
  /** For each session its turns, each with the ids of its episodes; the first stands for the turn. */
  readonly #sessions = new Map<string, { readonly turnId: string; readonly ids: string[] }[]>();
  readonly #placeOf = new Map<string, { readonly sessionId: string; readonly index: number }>();

  constructor(places: readonly Place[]) {
    const ordered = [...places].sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
    const seen = new Map<string, string[]>();
    for (const { id, sessionId, turnId } of ordered) {
      const turns = this.#sessions.get(sessionId) ?? [];
      this.#sessions.set(sessionId, turns);
      const key = JSON.stringify([sessionId, turnId]);
      const ids = seen.get(key);
      if (ids !== undefined) {
        ids.push(id);
        continue;
      }
      const first = [id];
      seen.set(key, first);
      turns.push({ turnId, ids: first });
    }
    this.#sessions.forEach((turns, sessionId) =>
      turns.forEach(({ ids }, index) => ids.forEach((id) => this.#placeOf.set(id, { sessionId, index }))),
    );
  }

  /** The ids that stand for the turns before and after an episode's, in order. */
  beside(id: string): { readonly previous: readonly string[]; readonly next: readonly string[] } {
    const place = this.#placeOf.get(id);
    const turns = place === undefined ? [] : (this.#sessions.get(place.sessionId) ?? []);
    const index = place?.index ?? 0;
    const first = (some: typeof turns): string[] => some.flatMap(({ ids }) => ids.slice(0, 1));
    return {
      previous: first(turns.slice(Math.max(0, index - WINDOW_TURNS), index)),
      next: first(turns.slice(index + 1, index + 1 + WINDOW_TURNS)),
    };
  }

  /** The ids of all episodes whose windows hold this one: of its own turn and of the turns beside it. */
  windowsWith(id: string): readonly string[] {
    const place = this.#placeOf.get(id);
    if (place === undefined) return [];
    const turns = this.#sessions.get(place.sessionId) ?? [];
    const from = Math.max(0, place.index - WINDOW_TURNS);
    return turns.slice(from, place.index + 1 + WINDOW_TURNS).flatMap(({ ids }) => ids);
  }
}

/** Reads in what order the turns of these sessions happened. */
export async function turnOrder(
  episodes: EpisodeTable,
  sessionIds: readonly string[],
  signal: AbortSignal,
): Promise<Result<TurnOrder>> {
  const places = await episodes.placesOf([...new Set(sessionIds)], MAX_PLACES, signal);
  return places.ok ? success(new TurnOrder(places.value)) : places;
}

/** The texts of the windows around these episodes, in order; empty for one that is gone. */
export async function windowTexts(
  texts: EpisodeTexts,
  ids: readonly string[],
  order: TurnOrder,
  signal: AbortSignal,
): Promise<Result<readonly string[]>> {
  const beside = ids.map((id) => ({ id, ...order.beside(id) }));
  const wanted = new Set(beside.flatMap(({ id, previous, next }) => [id, ...previous, ...next]));
  const read = await editedByIds(texts, [...wanted], signal);
  if (!read.ok) return read;
  const byId = new Map(read.value.map((episode) => [episode.id.toLowerCase(), episode]));
  const episodesOf = (some: readonly string[]) => some.flatMap((id) => byId.get(id.toLowerCase()) ?? []);
  return success(
    beside.map(({ id, previous, next }) => {
      const middle = byId.get(id.toLowerCase());
      return middle === undefined ? "" : windowText(episodesOf(previous), middle, episodesOf(next));
    }),
  );
}
