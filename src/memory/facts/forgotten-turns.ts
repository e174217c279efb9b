import { Schema } from "apache-arrow";
import { z } from "zod";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import type { Database } from "../store/database.ts";
import { readAll } from "../store/present.ts";
import { numberField, textField } from "../store/rows.ts";
import type { TableSpec } from "../store/spec.ts";
import { isOneOf } from "../store/sql.ts";

/** What is still on its way from a turn when it is forgotten arrives before so long, in milliseconds. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1_000;

/** The table of turns and episodes that were forgotten: ids and times, no word of them. */
export const forgottenSpec: TableSpec = {
  name: "forgotten",
  version: 1,
  schema: () => new Schema([textField("id"), numberField("time")]),
  migrations: [],
  tidy: async (table) => {
    await table.delete(`time < ${Date.now() - KEEP_MS}`);
  },
};

/** Which turns were forgotten, so that nothing that was learnt from them comes after. Nothing here throws. */
export class ForgottenTurns {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Notes that turns are forgotten. */
  async add(turnIds: readonly string[], now: number, signal: AbortSignal): Promise<Result<void>> {
    if (turnIds.length === 0) return success(undefined);
    const rows = [...new Set(turnIds)].map((id) => ({ id: id.toWellFormed(), time: now }));
    const added = await this.#database.table(forgottenSpec).append(rows, signal);
    return added.ok ? success(undefined) : added;
  }

  /** Which of the turns were forgotten. */
  among(turnIds: readonly string[], signal: AbortSignal): Promise<Result<ReadonlySet<string>>> {
    return this.#database.table(forgottenSpec).read<ReadonlySet<string>>(
      new Set<string>(),
      async (table) => {
        const rows: unknown[] = await table
          .query()
          .where(isOneOf("id", turnIds))
          .select(["id"])
          .limit(turnIds.length)
          .toArray();
        return new Set(readAll(rows, z.object({ id: z.string() })).map(({ id }) => id));
      },
      signal,
    );
  }

  /** Whether a turn was forgotten; asked under the lock of what is to be written. Rejects when it can't be told. */
  async has(turnId: string, signal: AbortSignal): Promise<boolean> {
    const among = await this.among([turnId], signal);
    if (!among.ok) throw new Error(among.failure.message);
    return among.value.size > 0;
  }
}
