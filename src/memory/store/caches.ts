import { totalmem } from "node:os";

/** How much the native library may keep in memory, in bytes by its own count. */
export interface CacheBounds {
  /** Of indexes. */
  readonly index: number;
  /** Of what the versions of tables are made of. */
  readonly metadata: number;
}

const MB = 1_024 * 1_024;
/** What an index of 300,000 turns takes: less than what is searched, and each search reads all of it anew. */
const LEAST_INDEX = 1_024 * MB;
const MOST_INDEX = 4_096 * MB;
/** The share of the machine's memory that indexes may take. */
const INDEX_SHARE = 1 / 8;
const METADATA = 64 * MB;

/**
 * The bounds on a machine with so much memory. By itself the library keeps up to seven gigabytes, and with each write
 * something of one more version: a process that runs for weeks would grow all the time. Its count is some ten times
 * what the small entries of versions take, and about right for indexes.
 */
export function cacheBounds(memory = totalmem()): CacheBounds {
  return { index: Math.min(Math.max(memory * INDEX_SHARE, LEAST_INDEX), MOST_INDEX), metadata: METADATA };
}
