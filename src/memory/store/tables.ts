import type { TableHome } from "./home.ts";
import type { TableSpec } from "./spec.ts";
import type { StoreTable } from "./table.ts";

/** A store that hands out its tables. */
export interface Tables extends TableHome {
  /** A table, the same object for the same name; opens nothing. */
  table(spec: TableSpec): StoreTable;
  /** Has a table that was dropped be forgotten, so that it is made anew when asked for again. */
  release(name: string): void;
}
