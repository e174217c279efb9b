import type { Table } from "@lancedb/lancedb";
import type { LaidRows } from "../../store/known-rows.ts";
import type { Place } from "../candidates.ts";
import type { LaidTurns } from "./laid-turns.ts";
import { RowRuns } from "./row-runs.ts";
import { copyNumbers, rawTexts, type Batch } from "./texts.ts";

/** Where a row has no turn. */
const NONE = 0xffffffff;

/** The turns that the rows of a table of embeddings are of: 4 bytes for each row. */
export class LaidPlaces implements LaidRows<Place> {
  readonly #turns: LaidTurns;
  readonly #runs = new RowRuns();
  readonly #indexes: Uint32Array;

  private constructor(turns: LaidTurns, count: number) {
    this.#turns = turns;
    this.#indexes = new Uint32Array(count);
  }

  /** Reads which turn each row of a table of embeddings is of. Rejects as `LaidTurns.read` does. */
  static async read(
    table: Table,
    turns: LaidTurns,
    count: number,
    signal: AbortSignal,
  ): Promise<LaidPlaces | undefined> {
    const laid = new LaidPlaces(turns, count);
    for await (const batch of table.query().select(["id"]).withRowId()) {
      signal.throwIfAborted();
      if (laid.#runs.count + batch.numRows > count) return undefined;
      laid.#add(batch);
    }
    return laid.#runs.count === count ? laid : undefined;
  }

  at(row: number): Place | undefined {
    const index = this.#indexes[this.#runs.indexOf(row) ?? NONE] ?? NONE;
    return index === NONE ? undefined : this.#turns.place(index);
  }

  #add(batch: Batch): void {
    const { numRows } = batch;
    const from = this.#runs.count;
    const rows = new Float64Array(numRows);
    copyNumbers(batch, "_rowid", rows, 0);
    rows.forEach((row) => this.#runs.add(row));
    const { bytes, offsets } = rawTexts(batch, "id");
    for (let index = 0; index < numRows; index += 1) {
      const turn = this.#turns.indexOfId(bytes, offsets[index] ?? 0, offsets[index + 1] ?? 0);
      this.#indexes[from + index] = turn < 0 ? NONE : turn;
    }
  }
}
