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

/** What stands beside each of these turns in its session. Several respondents' rows of one turn are one neighbour. */
export function turnsBeside(places: readonly (Place | Turn)[]): Around {
  const around = new Map<string, readonly Step[]>();
  for (const turns of sessions(places)) {
    turns.forEach((turn, index) => {
      const steps = Array.from({ length: STEPS }, (_, step): Step => {
        const before = turns[index - step - 1] ?? [];
        const after = turns[index + step + 1] ?? [];
        return { before: ids(before), after: ids(after), asked: before.some(asks) };
      });
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
  const best = (row: readonly string[]): number => Math.max(0, ...row.map((id) => found.get(id) ?? 0));
  return weights.reduce((sum, weight, index) => {
    const step = steps[index];
    if (step === undefined) return sum;
    const bonus = index === 0 && step.asked ? asked : 0;
    return sum + (weight + bonus) * best(step.before) + weight * best(step.after);
  }, 0);
}

function ids(turn: readonly Place[]): string[] {
  return turn.map(({ id }) => id);
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
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
