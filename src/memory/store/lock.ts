import { join } from "node:path";
import { lock } from "proper-lockfile";
import type { Result } from "../../agent/failure.ts";
import { CANCELLED, describeError, failed, success } from "../../agent/failure.ts";
import { delay, systemTimer } from "../../agent/timer.ts";
import { shortCause } from "../process/causes.ts";

/** How long another process may hold the lock before we give up, in milliseconds. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 50;
/** A holder that has not touched the lock for this long is dead. */
const STALE_MS = 5_000;

/** Does work that only one process at a time may do on a store. */
export class StoreLock {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Waits for the lock and does the work under it. The failure is `timeout` when another process keeps the lock, and
   * `memory_unavailable` when the work throws.
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal, patienceMs = PATIENCE_MS): Promise<Result<T>> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      if (signal.aborted) return { ok: false, failure: CANCELLED };
      const done = await this.tryRun(work);
      if (done !== "busy") return done;
      if (performance.now() > deadline) {
        return failed("timeout", "Another window has kept the memory store busy for too long. Try again.", {
          action: "retry",
        });
      }
      await delay(RETRY_MS, signal, systemTimer);
    }
  }

  /** Does the work if no other process holds the lock, else gives `busy` at once. */
  async tryRun<T>(work: () => Promise<T>): Promise<Result<T> | "busy"> {
    let release: () => Promise<void>;
    try {
      release = await lock(this.#folder, {
        lockfilePath: join(this.#folder, "store.lock"),
        realpath: false,
        stale: STALE_MS,
        update: STALE_MS / 3,
        // A lock that was lost while this process slept can't be taken back. The store's own commit check keeps
        // the work from harm, so that it may end.
        onCompromised: () => undefined,
      });
    } catch (error) {
      return isLocked(error)
        ? "busy"
        : failed("memory_unavailable", "The folder of the memory store can't be written to.", {
            cause: describeError(error),
          });
    }
    try {
      return success(await work());
    } catch (error) {
      return failed("memory_unavailable", "The memory store could not be changed.", {
        cause: shortCause(error),
      });
    } finally {
      await release().catch(() => undefined);
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ELOCKED";
}
