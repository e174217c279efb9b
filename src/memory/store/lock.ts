import { join } from "node:path";
import type { Connection } from "@lancedb/lancedb";
import { lock } from "proper-lockfile";
import type { Result } from "../../agent/failure.ts";
import { CANCELLED, failed, success } from "../../agent/failure.ts";
import { systemClock } from "../../agent/models/clock.ts";
import { delay, systemTimer } from "../../agent/timer.ts";
import { notWritten } from "./failures.ts";
import type { Held } from "./table-lock.ts";
import { TableLock } from "./table-lock.ts";

/** How long another process may hold the lock before we give up, in milliseconds. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 25;
/** A holder that has not touched the lock for this long is dead. */
const STALE_MS = 5_000;

/** Takes the lock; undefined when another holder has it. */
type Take = () => Promise<Held | undefined>;

/** Rejects when the lock is no longer held: nothing may be changed after that. */
type Confirm = () => Promise<void>;

/** Does work that only one holder at a time may do on a store. Not to be taken again by the work itself. */
export class StoreLock {
  readonly #where: string;
  readonly #take: Take;
  #held = false;

  private constructor(where: string, take: Take) {
    this.#where = where;
    this.#take = take;
  }

  /** A lock that counts for all processes of this machine: a file in the folder. */
  static ofFolder(folder: string, name: string): StoreLock {
    return new StoreLock(folder, async () => {
      try {
        // The library knows the locks of this process by this path: each needs one of its own.
        const release = await lock(join(folder, name), {
          lockfilePath: join(folder, name),
          realpath: false,
          stale: STALE_MS,
          update: STALE_MS / 3,
          // A lock that was lost while this process slept can't be taken back. The store's own commit check keeps
          // the work from harm, so that it may end.
          onCompromised: () => undefined,
        });
        return heldUntil(release);
      } catch (error) {
        if (isLocked(error)) return undefined;
        throw error;
      }
    });
  }

  /** A lock of this process alone, for work that the store's own commit check keeps from harm. */
  static ofProcess(where: string): StoreLock {
    return new StoreLock(where, () => Promise.resolve(heldUntil(() => Promise.resolve())));
  }

  /** A lock that counts for all machines: a row of a table that one of them at a time has its name in. */
  static ofTable(
    where: string,
    connect: () => Promise<Result<Connection>>,
    name: string,
    clock = systemClock,
  ): StoreLock {
    const connected = async (): Promise<Connection> => {
      const connection = await connect();
      if (!connection.ok) throw new Error(connection.failure.cause ?? connection.failure.message);
      return connection.value;
    };
    const inTable = new TableLock(connected, name, clock);
    return new StoreLock(where, () => inTable.take());
  }

  /**
   * Waits for the lock and does the work under it, which confirms that it is still held before it changes something.
   * The failure is `timeout` when another holder keeps the lock, and `memory_unavailable` when the work throws or
   * another holder took the lock over before its end.
   */
  async run<T>(
    work: (confirm: Confirm) => Promise<T>,
    signal: AbortSignal,
    patienceMs = PATIENCE_MS,
  ): Promise<Result<T>> {
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

  /** Does the work if nobody else holds the lock, else gives `busy` at once. */
  async tryRun<T>(work: (confirm: Confirm) => Promise<T>): Promise<Result<T> | "busy"> {
    if (this.#held) return "busy";
    this.#held = true;
    try {
      const held = await this.#take();
      if (held === undefined) return "busy";
      let kept = true;
      let value: T;
      try {
        value = await work(() => held.confirm());
      } finally {
        // Where it can't be given back the work is done all the same; it is free again when it is seen to stand still.
        kept = await held.release().catch(() => true);
      }
      if (!kept) throw new Error("another holder took the lock over while the work was done");
      return success(value);
    } catch (error) {
      return { ok: false, failure: notWritten(this.#where, error) };
    } finally {
      this.#held = false;
    }
  }
}

/** What is had until it is released, and that nobody takes over. */
function heldUntil(release: () => Promise<void>): Held {
  return { confirm: () => Promise.resolve(), release: () => release().then(() => true) };
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ELOCKED";
}
