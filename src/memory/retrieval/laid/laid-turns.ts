import type { Table } from "@lancedb/lancedb";
import type { LaidRows } from "../../store/known-rows.ts";
import type { Place, Turn } from "../candidates.ts";
import { labelOf } from "../speakers.ts";
import { IdSlots } from "./id-slots.ts";
import { RowRuns } from "./row-runs.ts";
import { copyNumbers, Names, rawTexts, TextBytes, type Batch } from "./texts.ts";
import { TURN_COLUMNS } from "./turn-columns.ts";

/**
 * All turns of a table as they lay at one moment, in columns: some 130 bytes each, where an object of it takes three
 * times as many.
 */
export class LaidTurns implements LaidRows<Turn> {
  readonly #runs = new RowRuns();
  readonly #rows: Float64Array;
  readonly #ids: TextBytes;
  readonly #byId: IdSlots;
  readonly #turnIds: TextBytes;
  readonly #times: Float64Array;
  readonly #lengths: Float32Array;
  readonly #asks: Uint8Array;
  readonly #sessions: Names;
  readonly #agents: Names;
  readonly #labels: Names;
  readonly #scopes: Names;
  /** The turns of each session, one session after the other, and where each begins. */
  #bySession = new Uint32Array();
  #begins = new Uint32Array();

  private constructor(count: number) {
    this.#rows = new Float64Array(count);
    this.#ids = new TextBytes(count, count * UUID);
    this.#byId = new IdSlots(this.#ids, count);
    this.#turnIds = new TextBytes(count, count * UUID);
    this.#times = new Float64Array(count);
    this.#lengths = new Float32Array(count);
    this.#asks = new Uint8Array(count);
    this.#sessions = new Names(count);
    this.#agents = new Names(count);
    this.#labels = new Names(count);
    this.#scopes = new Names(count);
  }

  /**
   * Reads all turns of a table; undefined when there are not as many as were counted: it was written to meanwhile.
   * Rejects as the library does, and soon after the signal.
   */
  static async read(table: Table, count: number, signal: AbortSignal): Promise<LaidTurns | undefined> {
    const laid = new LaidTurns(count);
    const query = table
      .query()
      .select({ ...TURN_COLUMNS, scope: "scope" })
      .withRowId();
    for await (const batch of query) {
      signal.throwIfAborted();
      if (laid.count + batch.numRows > count) return undefined;
      laid.#add(batch);
    }
    if (laid.count !== count) return undefined;
    laid.#group();
    return laid;
  }

  /** How many there are. */
  get count(): number {
    return this.#runs.count;
  }

  at(row: number): Turn | undefined {
    const index = this.#runs.indexOf(row);
    return index === undefined ? undefined : this.#turn(index);
  }

  /** Where turns stand alone, by where they lie. */
  places(): LaidRows<Place> {
    return {
      at: (row) => {
        const index = this.#runs.indexOf(row);
        return index === undefined ? undefined : this.place(index);
      },
    };
  }

  /** Where the turn at an index below `count` stands. */
  place(index: number): Place {
    return {
      id: this.#ids.at(index),
      sessionId: this.#sessions.at(index),
      turnId: this.#turnIds.at(index),
      time: this.#times[index] ?? 0,
      row: this.#rows[index] ?? 0,
    };
  }

  /** The index of the turn whose id has these bytes; -1 when there is none. */
  indexOfId(bytes: Uint8Array, from: number, to: number): number {
    return this.#byId.placeOf(bytes, from, to);
  }

  /** The turns of sessions, of these scopes alone where any are given. */
  ofSessions(sessionIds: readonly string[], scopes: readonly string[] | undefined): Turn[] {
    const turns: Turn[] = [];
    for (const id of sessionIds) {
      const session = this.#sessions.numberOf(id);
      if (session === undefined) continue;
      for (const index of this.#bySession.subarray(this.#begins[session], this.#begins[session + 1])) {
        if (scopes?.includes(this.#scopes.at(index)) ?? true) turns.push(this.#turn(index));
      }
    }
    return turns;
  }

  #turn(index: number): Turn {
    return {
      id: this.#ids.at(index),
      sessionId: this.#sessions.at(index),
      turnId: this.#turnIds.at(index),
      time: this.#times[index] ?? 0,
      row: this.#rows[index] ?? 0,
      agent: this.#agents.at(index),
      head: this.#labels.at(index),
      asks: this.#asks[index] === 1,
      length: this.#lengths[index] ?? 0,
    };
  }

  #add(batch: Batch): void {
    const { numRows } = batch;
    const from = this.count;
    copyNumbers(batch, "_rowid", this.#rows, from);
    for (const row of this.#rows.subarray(from, from + numRows)) this.#runs.add(row);
    copyNumbers(batch, "time", this.#times, from);
    copyNumbers(batch, "length", this.#lengths, from);
    copyNumbers(batch, "asks", this.#asks, from);
    const ids = rawTexts(batch, "id");
    this.#ids.add(ids, numRows);
    for (let index = 0; index < numRows; index += 1) {
      this.#byId.add(from + index, ids.bytes, ids.offsets[index] ?? 0, ids.offsets[index + 1] ?? 0);
    }
    this.#turnIds.add(rawTexts(batch, "turn_id"), numRows);
    this.#sessions.add(rawTexts(batch, "session_id"), numRows, from);
    this.#agents.add(rawTexts(batch, "agent"), numRows, from);
    this.#scopes.add(rawTexts(batch, "scope"), numRows, from);
    this.#labels.add(rawTexts(batch, "head"), numRows, from, labelOf);
  }

  /** Puts the turns of each session together: counts them, then lays each where the ones before it end. */
  #group(): void {
    this.#turnIds.trim();
    const ends = new Uint32Array(this.#sessions.size + 1);
    for (let index = 0; index < this.count; index += 1) {
      const session = this.#sessions.numberAt(index) + 1;
      ends[session] = (ends[session] ?? 0) + 1;
    }
    for (let session = 1; session < ends.length; session += 1) {
      ends[session] = (ends[session] ?? 0) + (ends[session - 1] ?? 0);
    }
    this.#begins = ends.slice();
    this.#bySession = new Uint32Array(this.count);
    for (let index = 0; index < this.count; index += 1) {
      const session = this.#sessions.numberAt(index);
      const place = ends[session] ?? 0;
      this.#bySession[place] = index;
      ends[session] = place + 1;
    }
  }
}

/** Bytes of a UUID: what ids are, and turns' ids mostly. */
const UUID = 36;
