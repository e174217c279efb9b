import { relationText } from "../../agent/memory/text.ts";
import type { ForgetTable } from "../../agent/memory/types.ts";
import { edgesSpec, entitiesSpec, resourcesSpec } from "../graph/tables.ts";
import { momentsSpec } from "../moments/table.ts";
import { EPISODES } from "../store/episodes.ts";
import { dateWords } from "../store/rows.ts";
import type { Row, TableSpec } from "../store/spec.ts";
import { textOf } from "./scan.ts";
import { factsSpec } from "./table.ts";

/** A table as a user knows it: where its rows are, and what of a row says it in a line. */
export interface ShownTable {
  readonly spec: TableSpec;
  /** What `line` reads. */
  readonly columns: readonly string[];
  readonly line: (row: Row) => string;
}

/** Everything there is, by the table a user knows it by. No line is empty: it names what is to be forgotten. */
export const SHOWN: Readonly<Record<ForgetTable, ShownTable>> = {
  episodes: {
    spec: EPISODES,
    columns: ["question", "answer", "time"],
    // What was kept without a question is told by what it says.
    line: (row) => `${dateWords(Number(row["time"]))}: ${firstOf(row, "question", "answer")}`,
  },
  facts: { spec: factsSpec, columns: ["text"], line: (row) => textOf(row, "text") },
  people: { spec: entitiesSpec, columns: ["name"], line: (row) => textOf(row, "name") },
  relationships: {
    spec: edgesSpec,
    columns: ["text", "from_name", "type", "to_name"],
    line: (row) =>
      relationText({
        text: textOf(row, "text"),
        from: textOf(row, "from_name"),
        type: textOf(row, "type"),
        to: textOf(row, "to_name"),
      }),
  },
  resources: { spec: resourcesSpec, columns: ["title", "uri"], line: (row) => firstOf(row, "title", "uri") },
  moments: { spec: momentsSpec, columns: ["title", "body"], line: (row) => firstOf(row, "title", "body") },
};

function firstOf(row: Row, column: string, other: string): string {
  const text = textOf(row, column);
  return text.trim() === "" ? textOf(row, other) : text;
}
