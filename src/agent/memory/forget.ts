import type { TurnId } from "./moments.ts";
import type { MemoryTable } from "./tables.ts";

/** The tables that are forgotten from. */
export type ForgetTable = MemoryTable;

/** How many rows of each table; moments are left out where there are none. */
export type ForgetCounts = { readonly [T in Exclude<MemoryTable, "moments">]: number } & {
  readonly moments?: number;
};

/** What is to be forgotten. */
export type ForgetWhat =
  /** Rows of one table. With an episode goes all that was drawn from its turn. */
  | { readonly by: "ids"; readonly table: ForgetTable; readonly ids: readonly string[] }
  /** Everything that mentions a person, a place or any words. */
  | { readonly by: "about"; readonly about: string; readonly scopes?: readonly string[] }
  | { readonly by: "turns"; readonly turnIds: readonly string[] }
  | { readonly by: "session"; readonly sessionId: string }
  | { readonly by: "everything" };

/** What would go, so that a question can name it. */
export interface ForgetPreview {
  readonly counts: ForgetCounts;
  /** Some of it, one line each, at most 20. */
  readonly samples: readonly { readonly table: ForgetTable; readonly text: string }[];
}

/** What went. */
export interface Forgotten {
  readonly removed: number;
  readonly counts: ForgetCounts;
  /** The turns whose text went: the session logs keep a tombstone in its place. */
  readonly turns: readonly TurnId[];
}

/** Some lines of an export. */
export interface ExportPage {
  /** One JSON object each, with `table` and the row. */
  readonly lines: readonly string[];
  /** Where the next page begins; absent at the end. */
  readonly next?: string;
}

/** What an import added. */
export interface Imported {
  readonly added: number;
  /** Were there already. */
  readonly known: number;
  readonly bad: readonly { readonly line: number; readonly reason: string }[];
}
