import { sizeText } from "../chat/words.ts";

/** How far a pull is. */
export interface PullState {
  /** The server's words, such as `pulling manifest`. */
  readonly status: string;
  /** Bytes of all parts that are known so far. */
  readonly completed?: number;
  readonly total?: number;
}

/** What the progress notification shows. */
export interface PullStep {
  readonly message: string;
  /** Percent to add to the bar; never negative. */
  readonly increment: number;
}

/** Turns the state of a pull into steps of a bar. It never goes back, also when another part becomes known. */
export class PullProgress {
  #shown = 0;

  /** Takes the newest state; gives what to show. */
  take({ status, completed = 0, total = 0 }: PullState): PullStep {
    if (total === 0) return { message: status, increment: 0 };
    const percent = Math.min(100, (completed / total) * 100);
    const increment = Math.max(0, percent - this.#shown);
    this.#shown += increment;
    const message = completed >= total ? status : `${Math.floor(percent)} % of ${sizeText(total)}`;
    return { message, increment };
  }
}
