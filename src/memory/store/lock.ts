import { join } from "node:path";
import type { Connection } from "@lancedb/lancedb";
import { Field, Schema, Utf8 } from "apache-arrow";
import { lock } from "proper-lockfile";
import type { Result } from "../../agent/failure.ts";
import { CANCELLED, describeError, failed, success } from "../../agent/failure.ts";
import { delay, systemTimer } from "../../agent/timer.ts";
import { notWritten } from "./failures.ts";

/** How long another process may hold the lock before we give up, in milliseconds. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 25;
/** A holder that has not touched the lock for this long is dead. */
const STALE_MS = 5_000;

/** A lock in object storage is never touched again; no change takes as long as this. */
const STALE_TABLE_MS = 60_000;
const LOCK_SCHEMA = new Schema([new Field("id", new Utf8(), false)]);

/** Gives back what was taken; undefined when another holder has it. */
type Take = () => Promise<(() => Promise<void>) | undefined>;

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
        return await lock(join(folder, name), {
          lockfilePath: join(folder, name),
          realpath: false,
          stale: STALE_MS,
          update: STALE_MS / 3,
          // A lock that was lost while this process slept can't be taken back. The store's own commit check keeps
          // the work from harm, so that it may end.
          onCompromised: () => undefined,
        });
      } catch (error) {
        if (isLocked(error)) return undefined;
        throw error;
      }
    });
  }

  /** A lock of this process alone, for work that the store's own commit check keeps from harm. */
  static ofProcess(where: string): StoreLock {
    return new StoreLock(where, () => Promise.resolve(() => Promise.resolve()));
  }

  /** A lock that counts for all machines: a table that only one of them can make. For work of moments. */
  static ofTable(where: string, connect: () => Promise<Result<Connection>>, name: string): StoreLock {
    return new StoreLock(where, async () => {
      const connection = await connect();
      if (!connection.ok) throw new Error(connection.failure.cause ?? connection.failure.message);
      const { value } = connection;
      try {
        const made = await value.createEmptyTable(name, LOCK_SCHEMA, { mode: "create" });
        made.close();
        return () => value.dropTable(name);
      } catch (error) {
        if (!/already exists|conflict|not found/i.test(describeError(error))) throw error;
        await dropIfStale(value, name);
        return undefined;
      }
    });
  }

  /**
   * Waits for the lock and does the work under it. The failure is `timeout` when another holder keeps the lock, and
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

  /** Does the work if nobody else holds the lock, else gives `busy` at once. */
  async tryRun<T>(work: () => Promise<T>): Promise<Result<T> | "busy"> {
    if (this.#held) return "busy";
    this.#held = true;
    try {
      const release = await this.#take();
      if (release === undefined) return "busy";
      try {
        return success(await work());
      } finally {
        await release().catch(() => undefined);
      }
    } catch (error) {
      return { ok: false, failure: notWritten(this.#where, error) };
    } finally {
      this.#held = false;
    }
  }
}

/** Removes the lock of a machine that died; what can't be read is being made or removed just now. */
async function dropIfStale(connection: Connection, name: string): Promise<void> {
  try {
    const table = await connection.openTable(name);
    const made = Math.min(...(await table.listVersions()).map(({ timestamp }) => timestamp.getTime()));
    table.close();
    if (Date.now() - made > STALE_TABLE_MS) await connection.dropTable(name);
  } catch {
    // The next try tells.
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ELOCKED";
}
