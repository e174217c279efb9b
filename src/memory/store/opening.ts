import { statSync } from "node:fs";
import { join } from "node:path";
import type { Connection, Table } from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { success } from "../../agent/failure.ts";
import { damaged, newerStore } from "./failures.ts";
import type { TableHome } from "./home.ts";
import type { StoreLock } from "./lock.ts";
import { migrate } from "./migrate.ts";
import type { TableSpec } from "./spec.ts";
import { readVersion, versioned } from "./version.ts";

/** An open table and what may be done with it. */
export interface OpenTable {
  readonly table: Table;
  /** True for a table of a newer version: it is read, never written. */
  readonly readOnly: boolean;
}

/** The identity of a table that is not there. */
const ABSENT = "absent";

/** Opens one table once and keeps it; makes it and brings it to this version's form when needed. */
export class Opening {
  readonly #home: TableHome;
  readonly #spec: TableSpec;
  readonly #lock: StoreLock;
  #open: OpenTable | undefined;

  constructor(home: TableHome, spec: TableSpec, lock: StoreLock) {
    this.#home = home;
    this.#spec = spec;
    this.#lock = lock;
  }

  /** The table, or undefined while nothing has been written to it yet. */
  async read(signal: AbortSignal): Promise<Result<OpenTable | undefined>> {
    if (this.#open !== undefined && this.identity() !== ABSENT) return success(this.#open);
    this.reopen();
    const connection = await this.#home.connect();
    if (!connection.ok) return connection;
    try {
      if (!(await this.#home.hasTable(this.#spec.name))) return success(undefined);
    } catch (error) {
      return { ok: false, failure: damaged(this.#home.uri, error) };
    }
    const opened = await this.#openExisting(connection.value);
    if (opened.ok && opened.value !== "old") return success(opened.value);
    // Another window may be in the middle of making or migrating the table: it holds the lock while it does.
    const again = await this.#lock.run(() => this.#openOrMigrate(connection.value, signal), signal);
    if (again.ok) return again.value;
    return opened.ok ? again : opened;
  }

  /** The table for writing, made if need be. A table of a newer version is refused. */
  async write(signal: AbortSignal): Promise<Result<Table>> {
    let opened = await this.read(signal);
    if (opened.ok && opened.value === undefined) opened = await this.#create(signal);
    if (!opened.ok) return opened;
    if (opened.value === undefined || opened.value.readOnly) return { ok: false, failure: newerStore() };
    return success(opened.value.table);
  }

  /** Has the next call open the table anew; what still reads from the old handle may end. */
  reopen(): void {
    this.#open = undefined;
  }

  /** Has the next call open the table anew; gives what closes the handle there was. */
  retire(): () => void {
    const open = this.#open;
    this.reopen();
    return () => open?.table.close();
  }

  /** Lets go of the table. */
  close(): void {
    this.retire()();
  }

  /**
   * Which table it is that is there now: a table that was dropped and made anew is another one. `absent` where there is
   * none; undefined for an object store, which does not say.
   */
  identity(): string | undefined {
    const { folder } = this.#home;
    if (folder === undefined) return undefined;
    try {
      const { ino, birthtimeNs } = statSync(join(folder, `${this.#spec.name}.lance`), { bigint: true });
      return `${ino} ${birthtimeNs}`;
    } catch {
      return ABSENT;
    }
  }

  /** Opens the table, and brings it to this version's form if need be; under the lock. */
  async #openOrMigrate(connection: Connection, signal: AbortSignal): Promise<Result<OpenTable>> {
    const opened = await this.#openExisting(connection);
    if (!opened.ok) return opened;
    if (opened.value !== "old") return success(opened.value);
    const migrated = await migrate(connection, this.#spec, this.#home, signal);
    if (!migrated.ok) return migrated;
    const again = await this.#openExisting(connection);
    if (!again.ok || again.value !== "old") return again as Result<OpenTable>;
    return { ok: false, failure: damaged(this.#home.uri, "the table is still of an older version") };
  }

  async #openExisting(connection: Connection): Promise<Result<OpenTable | "old">> {
    try {
      const table = await connection.openTable(this.#spec.name);
      const version = readVersion(await table.schema());
      if (version === undefined) {
        return {
          ok: false,
          failure: damaged(this.#home.uri, "the table has no version: another program made it"),
        };
      }
      if (version < this.#spec.version) {
        table.close();
        return success("old");
      }
      this.#open = { table, readOnly: version > this.#spec.version };
      return success(this.#open);
    } catch (error) {
      return { ok: false, failure: damaged(this.#home.uri, error) };
    }
  }

  async #create(signal: AbortSignal): Promise<Result<OpenTable | undefined>> {
    const connection = await this.#home.connect();
    if (!connection.ok) return connection;
    const { name } = this.#spec;
    const made = await this.#lock.run(async () => {
      // Another window may have made it while we waited. What is there is never made anew.
      if (!(await this.#home.hasTable(name))) {
        await connection.value.createEmptyTable(name, versioned(this.#spec), { mode: "create" });
      }
      return this.#openOrMigrate(connection.value, signal);
    }, signal);
    return made.ok ? made.value : made;
  }
}
