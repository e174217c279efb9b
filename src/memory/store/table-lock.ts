import { randomUUID } from "node:crypto";
import type { Connection, Table } from "@lancedb/lancedb";
import { Schema } from "apache-arrow";
import { z } from "zod";
import { describeError } from "../../agent/failure.ts";
import type { Clock } from "../../agent/models/clock.ts";
import { isConflict } from "./conflicts.ts";
import { isVersionGone } from "./failures.ts";
import { numberField, textField } from "./rows.ts";
import { literal } from "./sql.ts";

/** What a holder has. */
export interface Held {
  /** Rejects when another holder has taken the lock over meanwhile: nothing may be changed after that. */
  confirm(): Promise<void>;
  /** Gives the lock back; false when another holder had taken it over. Rejects when the store can't be written. */
  release(): Promise<boolean>;
}

/** A holder whose beat stands still for this long, by the clock of who waits, is dead. */
export const STALE_TABLE_MS = 12_000;
/** A holder shows that it lives this often. */
const BEAT_MS = STALE_TABLE_MS / 4;
/** Each lock leaves two versions of its table behind; they are cleaned away every so often. */
const TAKES_PER_CLEANING = 50;
/** Who reads an older version has long read it by then. */
const KEPT_VERSIONS_MS = 60_000;

const FREE = "";
const SCHEMA = new Schema([textField("holder"), numberField("beat")]);
const rowSchema = z.object({ holder: z.string(), beat: z.number() });
type LockRow = z.infer<typeof rowSchema>;

/**
 * A lock that counts for all machines of an object store: one row of a table, which names its holder. It is taken by an
 * update of the row as it was read. The store does such an update again, filter included, when another one came first,
 * so that of many who try at once one finds the row as it was. A holder counts its beats in the row; no clock of one
 * machine is compared to that of another.
 */
export class TableLock {
  readonly #connect: () => Promise<Connection>;
  readonly #name: string;
  readonly #clock: Clock;
  #table: Table | undefined;
  #takes = 0;
  /** The holder that was last met, and when it was first met with this beat. */
  #met: (LockRow & { readonly since: number }) | undefined;

  /** `connect` rejects where the store can't be reached. */
  constructor(connect: () => Promise<Connection>, name: string, clock: Clock) {
    this.#connect = connect;
    this.#name = name;
    this.#clock = clock;
  }

  /** The lock, or undefined when another holder has it. Rejects when the store can't be reached or written. */
  async take(): Promise<Held | undefined> {
    try {
      const table = await this.#open();
      const row = await read(table);
      if (row.holder !== FREE && !this.#isDead(row)) return undefined;
      const [token, began] = [randomUUID(), this.#times()];
      const { rowsUpdated } = await table.update({
        where: `holder = ${literal(row.holder)} AND beat = ${row.beat}`,
        values: { holder: token, beat: row.beat + 1 },
      });
      if (rowsUpdated !== 1) return undefined;
      this.#met = undefined;
      return this.#hold(table, token, began);
    } catch (error) {
      this.#table = undefined;
      if (isConflict(error) || isVersionGone(error)) return undefined;
      throw error;
    }
  }

  /** Whether the holder stood still for too long; notes it, so that the next try can tell. */
  #isDead({ holder, beat }: LockRow): boolean {
    const now = this.#clock.now();
    if (this.#met?.holder !== holder || this.#met.beat !== beat) this.#met = { holder, beat, since: now };
    return now - this.#met.since > STALE_TABLE_MS;
  }

  /** What a holder has whose name came into the row after `began`. */
  #hold(table: Table, token: string, began: readonly number[]): Held {
    const own = `holder = ${literal(token)}`;
    let beaten = began;
    let over = false;
    let beating: Promise<void> = Promise.resolve();
    const beat = async (): Promise<void> => {
      const sent = this.#times();
      const { rowsUpdated } = await table.update({ where: own, valuesSql: { beat: "beat + 1" } });
      if (rowsUpdated !== 1) throw new Error("another holder has taken the lock over");
      beaten = sent;
    };
    const next = (): (() => void) =>
      this.#clock.timer(BEAT_MS, () => {
        // A beat that fails is told by the row's standing still, and by `confirm`.
        beating = beat().catch(() => undefined);
        void beating.then(() => {
          if (!over) cancel = next();
        });
      });
    let cancel = next();
    return {
      confirm: async () => {
        const old = this.#times().some((time, index) => Math.abs(time - (beaten[index] ?? 0)) > BEAT_MS);
        if (old) await beat();
      },
      release: async () => {
        await this.#clean(table);
        over = true;
        cancel();
        await beating;
        const { rowsUpdated } = await table.update({ where: own, values: { holder: FREE } });
        return rowsUpdated === 1;
      },
    };
  }

  /** The time by the clock, and that of the day: a machine that slept may see it by the second alone. */
  #times(): readonly number[] {
    return [this.#clock.now(), Date.now()];
  }

  async #clean(table: Table): Promise<void> {
    this.#takes += 1;
    if (this.#takes % TAKES_PER_CLEANING > 0) return;
    // What could not be cleaned is cleaned the next time.
    await table
      .optimize({ cleanupOlderThan: new Date(Date.now() - KEPT_VERSIONS_MS) })
      .catch(() => undefined);
  }

  /** The table with its one row, made with it in one write: whoever loses at that finds the winner's. */
  async #open(): Promise<Table> {
    if (this.#table !== undefined) return this.#table;
    const connection = await this.#connect();
    const open = (): Promise<Table> => connection.openTable(this.#name);
    this.#table = await open().catch(async (error: unknown) => {
      if (!/not found/i.test(describeError(error))) throw error;
      const rows = [{ holder: FREE, beat: 0 }];
      const made = connection.createTable(this.#name, rows, { mode: "create", schema: SCHEMA });
      return made.catch((lost: unknown) => {
        if (!/already exists|conflict/i.test(describeError(lost))) throw lost;
        return open();
      });
    });
    return this.#table;
  }
}

async function read(table: Table): Promise<LockRow> {
  const [row] = z.tuple([rowSchema]).parse(await table.query().toArray());
  return row;
}
