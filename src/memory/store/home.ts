import type * as LanceDb from "@lancedb/lancedb";
import type { Result } from "../../agent/failure.ts";
import type { StoreLock } from "./lock.ts";
import type { VectorSink } from "./vector-row.ts";

/** The native library. */
export type Library = typeof LanceDb;

/** A store as its tables see it: what they need to open, lock and name themselves. */
export interface TableHome {
  readonly uri: string;
  /** The folder of a store on this machine; undefined for an object store. */
  readonly folder: string | undefined;
  /** The one lock that windows of version 1 know. */
  readonly lock: StoreLock;
  /** A lock with a name of its own, for read-modify-writes. */
  lockNamed(name: string): StoreLock;
  /** A lock for work that may take long and that the store's own commit check keeps from harm between machines. */
  upkeepNamed(name: string): StoreLock;
  /** The native library; the failure `memory_unavailable` where it can't run. */
  loadLibrary(): Promise<Result<Library>>;
  /** The connection, made on first use. */
  connect(): Promise<Result<LanceDb.Connection>>;
  /** The names of all tables there are. Rejects when the store can't be listed. */
  tableNames(): Promise<readonly string[]>;
  /** Whether there is anything of a table. */
  hasTable(name: string): Promise<boolean>;
  /** Where migrations put embeddings. */
  vectorSink(): VectorSink;
  /** Tells of something that was done to the store. */
  note(line: string): void;
}
