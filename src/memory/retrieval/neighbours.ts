import type { Place, Turn } from "./candidates.ts";

/** The rows of one turn, by their numbers: several when several respondents answered. */
interface Beside {
  readonly rows: readonly number[];
  /** It asks something. */
  readonly asks: boolean;
}

/** Turns in the order they happened, one session after the other. */
export type Sessions = readonly (readonly Beside[])[];

/**
 * The turns of sessions, their rows by their places in what was given. Several respondents' rows are one turn. Sessions of
 * which there is one row are left out: nothing is beside it.
 */
export function sessionsOf(places: readonly (Place | Turn)[]): Sessions {
  const sessions = new Map<string, number[]>();
  places.forEach(({ sessionId }, row) => {
    const session = sessions.get(sessionId);
    if (session === undefined) sessions.set(sessionId, [row]);
    else session.push(row);
  });
  const many = [...sessions.values()].filter((rows) => rows.length > 1);
  return many.map((rows) => turnsOf(places, rows));
}

function turnsOf(places: readonly (Place | Turn)[], rows: readonly number[]): Beside[] {
  const turns = new Map<string, { turnId: string; rows: number[]; first: number; asks: boolean }>();
  for (const row of rows) {
    const place = places[row];
    if (place === undefined) continue;
    const { turnId, time } = place;
    const own = "asks" in place && place.asks;
    const turn = turns.get(turnId);
    if (turn === undefined) {
      turns.set(turnId, { turnId, rows: [row], first: time, asks: own });
    } else {
      turn.rows.push(row);
      turn.first = Math.min(turn.first, time);
      turn.asks ||= own;
    }
  }
  return [...turns.values()].sort((a, b) => a.first - b.first || (a.turnId < b.turnId ? -1 : 1));
}

/** What the turns beside a turn add to its score, by the steps that they are away. */
export interface NeighbourWeights {
  readonly beside: readonly number[];
  /** Added to the first step back where that turn asks something: what follows is the answer. */
  readonly asked: number;
}

/**
 * What the turns beside each row's turn add to the row's score, by the rows' numbers: their own scores, weighted by how
 * far away they are. Of several rows of a turn the best counts.
 *
 * @param own the rows' own scores, 0 or more
 */
export function besideScores(
  sessions: Sessions,
  own: Float64Array,
  { beside, asked }: NeighbourWeights,
): Float64Array {
  const added = new Float64Array(own.length);
  for (const turns of beside.length === 0 ? [] : sessions) {
    const bests = turns.map(({ rows }) => best(rows, own));
    if (!bests.some((score) => score > 0)) continue;
    turns.forEach(({ rows }, at) => {
      let sum = 0;
      for (let step = 1; step <= beside.length; step += 1) {
        const weight = beside[step - 1] ?? 0;
        const bonus = step === 1 && turns[at - 1]?.asks === true ? asked : 0;
        sum += (weight + bonus) * (bests[at - step] ?? 0) + weight * (bests[at + step] ?? 0);
      }
      for (const row of rows) added[row] = sum;
    });
  }
  return added;
}

function best(rows: readonly number[], own: Float64Array): number {
  let top = 0;
  for (const row of rows) top = Math.max(top, own[row] ?? 0);
  return top;
}
