import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type * as LanceDb from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import { describeError, failed, success } from "../../agent/failure.ts";
import { cacheBounds, type CacheBounds } from "./caches.ts";
import type { Library } from "./home.ts";
import { StoreLock } from "./lock.ts";
import type { Machine } from "./platform.ts";
import { checkMachine, loadFailure, thisMachine } from "./platform.ts";
import type { TableSpec } from "./spec.ts";
import { StoreTable } from "./table.ts";
import type { Tables } from "./tables.ts";
import type { VectorSink } from "./vector-row.ts";
import { Vectors } from "./vectors.ts";

/** Fewer threads than this have been seen to wait for each other. */
const LEAST_THREADS = 4;

/** Where the store is and what it runs on. */
export interface DatabaseOptions {
  /** A folder, or the address of an object store such as `s3://bucket/prefix`. */
  readonly uri: string;
  readonly machine?: Machine;
  /** How the native library is loaded. */
  readonly load?: () => Promise<Library>;
  /** Endpoint, region and keys of an object store; what is left out is taken from the environment. */
  readonly storageOptions?: Readonly<Record<string, string>>;
  /** How much the library may keep in memory; left out: what befits the machine. */
  readonly caches?: CacheBounds;
  /** Takes one line about what was done to the store beyond what was asked, such as the name of a backup. */
  readonly onNote?: (line: string) => void;
}

/** One store: opens lazily, loads the native library on first use, and hands out its tables. */
export class Database implements Tables {
  readonly uri: string;
  readonly lock: StoreLock;
  /** The folder of a store on this machine; undefined for an object store. */
  readonly folder: string | undefined;
  readonly #options: DatabaseOptions;
  readonly #machine: Machine;
  readonly #tables = new Map<string, StoreTable>();
  #library: Library | undefined;
  #connection: Promise<Result<LanceDb.Connection>> | undefined;
  /** Close what was open before the last renewal. */
  #retired: (() => void)[] = [];

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.folder = folderOf(options.uri);
    this.uri = this.folder ?? options.uri;
    this.lock = this.lockNamed("store.lock");
    this.#machine = options.machine ?? thisMachine();
  }

  /** The native library; the failure `memory_unavailable` where it can't run. */
  async loadLibrary(): Promise<Result<Library>> {
    if (this.#library !== undefined) return success(this.#library);
    const machine = checkMachine(this.#machine);
    if (!machine.ok) return machine;
    // On a machine of two cores the library takes one thread by itself, and then never ends making the full-text index
    // of a large table. It reads this when it begins its first work.
    process.env.LANCE_CPU_THREADS ??= String(Math.max(LEAST_THREADS, availableParallelism()));
    try {
      this.#library = await (this.#options.load ?? (() => import("@lancedb/lancedb")))();
      return success(this.#library);
    } catch (error) {
      return loadFailure(this.#machine, describeError(error));
    }
  }

  /** A table, the same object for the same name; opens nothing. */
  table(spec: TableSpec): StoreTable {
    const known = this.#tables.get(spec.name);
    if (known !== undefined) return known;
    const table = new StoreTable(this, spec);
    this.#tables.set(spec.name, table);
    return table;
  }

  /** The tables that were asked for so far. */
  tables(): readonly StoreTable[] {
    return [...this.#tables.values()];
  }

  /** Has a table that was dropped be forgotten, so that it is made anew when asked for again. */
  release(name: string): void {
    this.#tables.get(name)?.close();
    this.#tables.delete(name);
  }

  /** A lock with a name of its own, for read-modify-writes. */
  lockNamed(name: string): StoreLock {
    return this.folder === undefined
      ? StoreLock.ofTable(this.uri, () => this.connect(), `held_${name.replaceAll(/\W/g, "_")}`)
      : StoreLock.ofFolder(this.folder, name);
  }

  /** A lock for work that may take long and that the store's own commit check keeps from harm between machines. */
  upkeepNamed(name: string): StoreLock {
    return this.folder === undefined ? StoreLock.ofProcess(this.uri) : StoreLock.ofFolder(this.folder, name);
  }

  /** The names of all tables there are. Rejects when the store can't be listed. */
  async tableNames(): Promise<readonly string[]> {
    if (this.folder !== undefined && !existsSync(this.folder)) return [];
    const connection = await this.connect();
    if (!connection.ok) throw new Error(connection.failure.message);
    const names: string[] = [];
    for (;;) {
      const page = await connection.value.tableNames([], {
        limit: 1_000,
        ...(names.length === 0 ? {} : { startAfter: names[names.length - 1] ?? "" }),
      });
      names.push(...page);
      if (page.length < 1_000) return names;
    }
  }

  /** Whether there is anything of a table: a folder without versions and rows is what a kill in its making leaves. */
  async hasTable(name: string): Promise<boolean> {
    if (this.folder === undefined) return (await this.tableNames()).includes(name);
    const folder = join(this.folder, `${name}.lance`);
    const parts = await Promise.all(
      ["_versions", "data"].map((part) => readdir(join(folder, part)).catch(() => [])),
    );
    return parts.flat().length > 0;
  }

  /** The connection, made on first use. */
  async connect(): Promise<Result<LanceDb.Connection>> {
    this.#connection ??= this.#connect();
    const connection = await this.#connection;
    if (!connection.ok) this.#connection = undefined;
    return connection;
  }

  /** Where migrations put embeddings. */
  vectorSink(): VectorSink {
    return new Vectors(this);
  }

  /** Tells of something that was done to the store. */
  note(line: string): void {
    this.#options.onNote?.(line);
  }

  /**
   * Has the tables be opened by a new connection when they are next asked for: one whose caches hold nothing yet. What
   * reads and writes now goes on with the old one, which is closed with the next renewal.
   */
  renew(): void {
    for (const close of this.#retired) close();
    const connection = this.#connection;
    this.#connection = undefined;
    this.#retired = [...this.#tables.values()].map((table) => table.retire());
    this.#retired.push(() => closeOf(connection));
  }

  /** Lets go of the store; what still reads from it fails. */
  close(): void {
    this.#tables.forEach((table) => table.close());
    closeOf(this.#connection);
    this.#connection = undefined;
    for (const close of this.#retired) close();
    this.#retired = [];
  }

  async #connect(): Promise<Result<LanceDb.Connection>> {
    const library = await this.loadLibrary();
    if (!library.ok) return library;
    try {
      if (this.folder !== undefined && !existsSync(this.folder)) {
        await mkdir(this.folder, { recursive: true });
      }
      const { storageOptions, caches = cacheBounds() } = this.#options;
      // With any other interval a handle never sees what other windows have written. The session has to stand among
      // the options: as a parameter of its own it is taken and never used.
      const session = new library.value.Session(
        BigInt(Math.round(caches.index)),
        BigInt(Math.round(caches.metadata)),
      );
      return success(
        await library.value.connect(this.uri, {
          ...{ readConsistencyInterval: 0, session },
          ...(storageOptions === undefined ? {} : { storageOptions: { ...storageOptions } }),
        }),
      );
    } catch (error) {
      return failed("memory_unavailable", `The memory store can't be used: ${this.uri}`, {
        cause: describeError(error),
      });
    }
  }
}

function closeOf(connection: Promise<Result<LanceDb.Connection>> | undefined): void {
  void connection?.then((made) => {
    if (made.ok) made.value.close();
  });
}

function folderOf(uri: string): string | undefined {
  if (uri.startsWith("file://")) return fileURLToPath(uri);
  // A relative path that begins with "db" would be taken for a cloud address.
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(uri) ? undefined : resolve(uri);
}
