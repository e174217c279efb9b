import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { CandidateFilter, CandidateSource, Place, Turn } from "./candidates.ts";

/** Most sessions whose turns are looked at for neighbours, those of the best rows first. */
const MAX_SESSIONS = 60;
/** Most rows of those sessions. */
const MAX_TURNS = 20_000;

/** The turns of one search's sessions, of which the first can be read while others are still looked for. */
export class SessionTurns {
  readonly #source: CandidateSource;
  readonly #filter: CandidateFilter;
  readonly #signal: AbortSignal;
  #early: readonly string[] = [];
  #read: Promise<Result<readonly Turn[]>> = Promise.resolve(success([]));

  constructor(source: CandidateSource, filter: CandidateFilter, signal: AbortSignal) {
    this.#source = source;
    this.#filter = filter;
    this.#signal = signal;
  }

  /** Begins to read what stands around the places that are sure to be the first. */
  begin(first: Iterable<Place>): void {
    this.#early = sessionsOf(first);
    if (this.#early.length > 0) this.#read = this.#of(this.#early);
  }

  /** The turns of the places' sessions, in no order; those of the first sessions only when there are many. */
  async around(places: Iterable<Place>): Promise<Result<readonly Turn[]>> {
    const wanted = sessionsOf(places);
    const later = wanted.filter((id) => !this.#early.includes(id));
    const [early, rest] = await Promise.all([
      this.#read,
      later.length === 0 ? success<readonly Turn[]>([]) : this.#of(later),
    ]);
    if (!early.ok) return early;
    if (!rest.ok) return rest;
    const turns = [...early.value, ...rest.value];
    // So that the bound is that of all together, whichever was read first.
    return later.length > 0 && turns.length >= MAX_TURNS ? this.#of(wanted) : success(turns);
  }

  #of(sessionIds: readonly string[]): Promise<Result<readonly Turn[]>> {
    return this.#source.turnsOf(sessionIds, { limit: MAX_TURNS, filter: this.#filter }, this.#signal);
  }
}

function sessionsOf(places: Iterable<Place>): readonly string[] {
  const sessions = new Set<string>();
  for (const { sessionId } of places) {
    sessions.add(sessionId);
    if (sessions.size === MAX_SESSIONS) break;
  }
  return [...sessions];
}
