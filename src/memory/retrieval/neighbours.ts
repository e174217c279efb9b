import type { Place, Turn } from "./candidates.ts";

/** The turns so many steps before and after one: the ids of their episodes, none where the session ends. */
interface Step {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The turn before asks something. */
  readonly asked: boolean;
}

/** For each episode the turns beside it: first those one step away, then those two steps away. */
export type Around = ReadonlyMap<string, readonly Step[]>;

/** How many steps away a neighbour may be. */
const STEPS = 2;

/** What stands beside the first and the last turn of a session. */
const NOBODY: { readonly ids: readonly string[]; readonly asks: boolean } = { ids: [], asks: false };

/** What stands beside each of these turns in its session. Several respondents' rows of one turn are one neighbour. */
export function turnsBeside(places: readonly (Place | Turn)[]): Around {
  const around = new Map<string, readonly Step[]>();
  for (const turns of sessions(places)) {
    const beside = turns.map((turn) => ({ ids: turn.map(({ id }) => id), asks: turn.some(asks) }));
    turns.forEach((turn, index) => {
      const steps: Step[] = [];
      for (let step = 1; step <= STEPS; step += 1) {
        const before = beside[index - step] ?? NOBODY;
        const after = beside[index + step] ?? NOBODY;
        steps.push({ before: before.ids, after: after.ids, asked: before.asks });
      }
      turn.forEach(({ id }) => around.set(id, steps));
    });
  }
  return around;
}

/**
 * What the turns beside one add to its score: theirs, weighted by how far away they are; the one just before counts
 * `asked` more when it asks something.
 */
export function addNeighbours(
  steps: readonly Step[],
  found: ReadonlyMap<string, number>,
  weights: readonly number[],
  asked: number,
): number {
  let sum = 0;
  for (let index = 0; index < weights.length; index += 1) {
    const step = steps[index];
    if (step === undefined) continue;
    const weight = weights[index] ?? 0;
    const bonus = index === 0 && step.asked ? asked : 0;
    sum += (weight + bonus) * best(step.before, found) + weight * best(step.after, found);
  }
  return sum;
}

/** Called for every turn of every view: plain loops are several times as fast here. */
function best(row: readonly string[], found: ReadonlyMap<string, number>): number {
  let top = 0;
  for (const id of row) top = Math.max(top, found.get(id) ?? 0);
  return top;
}

function asks(place: Place | Turn): boolean {
  return "asks" in place && place.asks;
}

/** The turns of each session in the order they happened, each with its rows. */
function sessions(places: readonly (Place | Turn)[]): (readonly (Place | Turn)[])[][] {
  return [...groupBy(places, ({ sessionId }) => sessionId).values()].map((session) =>
    [...groupBy(session, ({ turnId }) => turnId)]
      .map(([turnId, rows]) => ({ turnId, rows, first: Math.min(...rows.map(({ time }) => time)) }))
      .sort((a, b) => a.first - b.first || (a.turnId < b.turnId ? -1 : 1))
      .map(({ rows }) => rows),
  );
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const own = key(item);
    const group = groups.get(own);
    if (group === undefined) groups.set(own, [item]);
    else group.push(item);
  }
  return groups;
}
