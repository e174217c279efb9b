import type { Failure, Result } from "../../agent/failure.ts";
import { oneLine, shortCause } from "../causes.ts";

/** Longest line about something that went wrong, in UTF-16 units. */
const MAX_LINE = 1_000;

/** Work that nobody waits for, one piece after the other. What goes wrong becomes a line in the log. */
export class Background {
  readonly #onLog: (line: string) => void;
  readonly #closing = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(onLog: (line: string) => void) {
    this.#onLog = onLog;
  }

  /** Fires when the service is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Does a piece of work after those that wait already; not at all once closed. */
  run(name: string, work: (signal: AbortSignal) => Promise<Result<unknown>>): void {
    const { signal } = this;
    this.#last = this.#last.then(async () => {
      if (signal.aborted) return;
      const problem = await problemOf(() => work(signal));
      // What is stopped by closing did not go wrong.
      if (problem !== undefined && !this.#closing.signal.aborted)
        this.#onLog(oneLine(`${name}: ${problem}`, MAX_LINE));
    });
  }

  /** Resolves when nothing runs or waits. */
  async settled(): Promise<void> {
    let seen: Promise<void> | undefined;
    while (seen !== this.#last) {
      seen = this.#last;
      await seen;
    }
  }

  /** Stops what runs, drops what waits, and resolves when all has ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#last;
  }
}

/** Why a piece of work did not go well; undefined when it did. */
async function problemOf(work: () => Promise<Result<unknown>>): Promise<string | undefined> {
  try {
    const result = await work();
    return result.ok ? undefined : sentences(result.failure);
  } catch (error) {
    return shortCause(error);
  }
}

function sentences(failure: Failure): string {
  return failure.cause === undefined ? failure.message : `${failure.message} (${failure.cause})`;
}
