/** Runs of one turn that are told apart; what comes after them is one long run, read and sifted. */
const MAX_RUNS = 64;
/** Turns that are told apart in one file. */
export const MAX_TURNS = 20_000;

/** Bytes of a file, from the start of a line up to the end of one. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/** Where in a file the lines of each turn are: lines that follow each other are one run, so that few numbers say it. */
export class TurnPlaces {
  /** Per turn: from, to, from, to... */
  private readonly runs = new Map<string, number[]>();

  /** Whether the turn's line was taken; false for a new turn where there are too many. */
  add(sessionId: string, turnId: string, from: number, to: number): boolean {
    const key = keyOf(sessionId, turnId);
    const runs = this.runs.get(key);
    if (runs === undefined) {
      if (this.runs.size >= MAX_TURNS) return false;
      this.runs.set(key, [from, to]);
    } else if (runs.at(-1) === from || runs.length >= MAX_RUNS * 2) runs[runs.length - 1] = to;
    else runs.push(from, to);
    return true;
  }

  /** Whether a turn has a line in the file. */
  has(sessionId: string, turnId: string): boolean {
    return this.runs.has(keyOf(sessionId, turnId));
  }

  /** The runs of a turn, in order; none of an unknown one. */
  of(sessionId: string, turnId: string): readonly Run[] {
    const runs = this.runs.get(keyOf(sessionId, turnId)) ?? [];
    return Array.from({ length: runs.length / 2 }, (_, at) => ({
      from: runs[at * 2] ?? 0,
      to: runs[at * 2 + 1] ?? 0,
    }));
  }
}

function keyOf(sessionId: string, turnId: string): string {
  return `${sessionId.toLowerCase()} ${turnId}`;
}
