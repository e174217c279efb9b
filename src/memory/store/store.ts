import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type * as LanceDb from "@lancedb/lancedb";
import type { Failure, Result } from "../../agent/failure.ts";
import { describeError, failed, success } from "../../agent/failure.ts";
import { shortCause } from "../process/causes.ts";
import { StoreLock } from "./lock.ts";
import type { Machine } from "./platform.ts";
import { checkMachine, loadFailure, thisMachine } from "./platform.ts";
import { readVersion, STORE_VERSION, storeSchema, TABLE } from "./rows.ts";

/** The native library, loaded on first use. */
export type Library = typeof LanceDb;

/** An open table and what may be done with it. */
export interface OpenTable {
  readonly table: LanceDb.Table;
  /** True for a table of a newer version: it is read, never written. */
  readonly readOnly: boolean;
}

/** Where the store is and what it runs on. */
export interface StoreOptions {
  readonly folder: string;
  readonly machine?: Machine;
  /** How the native library is loaded. */
  readonly load?: () => Promise<Library>;
}

/** Opens the table of a store once and keeps it. */
export class StoreHandle {
  readonly folder: string;
  readonly lock: StoreLock;
  readonly #machine: Machine;
  readonly #load: () => Promise<Library>;
  #library: Library | undefined;
  #connection: LanceDb.Connection | undefined;
  #open: OpenTable | undefined;

  constructor(options: StoreOptions) {
    // A relative path that begins with "db" would be taken for a cloud address.
    this.folder = resolve(options.folder);
    this.lock = new StoreLock(this.folder);
    this.#machine = options.machine ?? thisMachine();
    this.#load = options.load ?? (() => import("@lancedb/lancedb"));
  }

  /** The native library; the failure `memory_unavailable` where it can't run. */
  async library(): Promise<Result<Library>> {
    if (this.#library !== undefined) return success(this.#library);
    const machine = checkMachine(this.#machine);
    if (!machine.ok) return machine;
    try {
      this.#library = await this.#load();
      return success(this.#library);
    } catch (error) {
      return loadFailure(this.#machine, describeError(error));
    }
  }

  /** The table, or undefined while nothing has been remembered yet. */
  async read(signal: AbortSignal): Promise<Result<OpenTable | undefined>> {
    if (this.#open !== undefined && existsSync(this.#tableFolder)) return success(this.#open);
    this.reopen();
    const connection = await this.#connect();
    if (!connection.ok) return connection;
    if (!(await this.#hasTable())) return success(undefined);
    const opened = await this.#openExisting(connection.value);
    if (opened.ok) return opened;
    // Another window may be in the middle of making the table: it holds the lock while it does.
    const again = await this.lock.run(() => this.#openExisting(connection.value), signal);
    return again.ok ? again.value : opened;
  }

  /** The table for writing, made if need be. A table of a newer version is refused. */
  async write(signal: AbortSignal): Promise<Result<LanceDb.Table>> {
    let opened = await this.read(signal);
    if (opened.ok && opened.value === undefined) opened = await this.#create(signal);
    if (!opened.ok) return opened;
    if (opened.value === undefined || opened.value.readOnly) {
      return failed(
        "memory_unavailable",
        "This memory was written by a newer version of Conclave: it can be read, but not changed. Update the extension.",
      );
    }
    return success(opened.value.table);
  }

  /** Has the next call open the table anew; what still reads from the old handle may end. */
  reopen(): void {
    this.#open = undefined;
  }

  /** Lets go of the store; what still reads from it fails. */
  close(): void {
    this.#open?.table.close();
    this.#connection?.close();
    this.reopen();
    this.#connection = undefined;
  }

  /** The failure for a table that can't be read; nothing of it is changed. */
  damaged(cause: unknown): Failure {
    return {
      code: "memory_unavailable",
      message: `The memory store in ${this.folder} can't be read. Nothing in it was changed: restore the folder from a backup, or move it away to begin anew.`,
      cause: shortCause(cause),
    };
  }

  get #tableFolder(): string {
    return join(this.folder, `${TABLE}.lance`);
  }

  /** Whether there is anything of a table: a folder without versions and rows is what a kill in its making leaves. */
  async #hasTable(): Promise<boolean> {
    const parts = await Promise.all(
      ["_versions", "data"].map((part) => readdir(join(this.#tableFolder, part)).catch(() => [])),
    );
    return parts.flat().length > 0;
  }

  async #connect(): Promise<Result<LanceDb.Connection>> {
    if (this.#connection !== undefined) return success(this.#connection);
    const library = await this.library();
    if (!library.ok) return library;
    try {
      await mkdir(this.folder, { recursive: true });
      // With any other interval a handle never sees what other windows have written.
      this.#connection = await library.value.connect(this.folder, { readConsistencyInterval: 0 });
      return success(this.#connection);
    } catch (error) {
      return failed("memory_unavailable", `The folder of the memory store can't be used: ${this.folder}`, {
        cause: describeError(error),
      });
    }
  }

  async #openExisting(connection: LanceDb.Connection): Promise<Result<OpenTable>> {
    try {
      const table = await connection.openTable(TABLE);
      const version = readVersion((await table.schema()).metadata);
      if (version === undefined) {
        return { ok: false, failure: this.damaged("the table has no version: another program made it") };
      }
      this.#open = { table, readOnly: version > STORE_VERSION };
      return success(this.#open);
    } catch (error) {
      return { ok: false, failure: this.damaged(error) };
    }
  }

  async #create(signal: AbortSignal): Promise<Result<OpenTable | undefined>> {
    const connection = await this.#connect();
    if (!connection.ok) return connection;
    await mkdir(this.folder, { recursive: true }).catch(() => undefined);
    const made = await this.lock.run(async () => {
      // Another window may have made it while we waited. What is there is never made anew.
      if (!(await this.#hasTable())) {
        await connection.value.createEmptyTable(TABLE, storeSchema(), { mode: "create" });
      }
      return this.#openExisting(connection.value);
    }, signal);
    return made.ok ? made.value : made;
  }
}
