import type { ForgetPreview, ForgetTable, Forgotten, MemoryTable } from "../../../agent/memory/types.ts";
import { oneLine } from "../../../trace/text.ts";

const MAX_NAMED = 12;
const MAX_NAME = 120;

const ONE_AND_MANY: { readonly [T in ForgetTable]: readonly [string, string] } = {
  episodes: ["episode", "episodes"],
  facts: ["fact", "facts"],
  people: ["name", "names"],
  relationships: ["relationship", "relationships"],
  resources: ["resource", "resources"],
  moments: ["moment", "moments"],
};

const TABLES = Object.keys(ONE_AND_MANY) as readonly ForgetTable[];

type Counts = ForgetPreview["counts"];

/** How many that are, over all tables. */
export function totalOf(counts: Counts): number {
  return TABLES.reduce((sum, table) => sum + (counts[table] ?? 0), 0);
}

/** Counts in words: `3 episodes, 1 fact and 2 relationships`. */
export function countsInWords(counts: Counts): string {
  const parts = TABLES.flatMap((table) => {
    const [one, many] = ONE_AND_MANY[table];
    const rows = counts[table] ?? 0;
    return rows === 0 ? [] : [`${rows.toLocaleString("en-US")} ${rows === 1 ? one : many}`];
  });
  const last = parts.pop() ?? "nothing";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

/** What is asked before something is forgotten: it names what goes, and says that it is for good. */
export function forgetQuestion(preview: ForgetPreview): {
  readonly message: string;
  readonly detail: string;
} {
  const named = preview.samples
    .slice(0, MAX_NAMED)
    .map(({ table, text }) => `• ${ONE_AND_MANY[table][0]}: ${oneLine(text, MAX_NAME)}`);
  const more = totalOf(preview.counts) - named.length;
  if (more > 0) named.push(`and ${more.toLocaleString("en-US")} more`);
  const trace =
    preview.counts.episodes > 0 ? " The text of these turns goes from the trace too; a note stays." : "";
  return {
    message: `Forget ${countsInWords(preview.counts)} for good?`,
    detail: `${named.join("\n")}\n\nIt is removed from the disk and can't be brought back.${trace}`,
  };
}

/** So many rows of a table, in words. */
export function rowsInWords(table: MemoryTable, rows: number): string {
  const [one, many] = ONE_AND_MANY[table];
  return `${rows.toLocaleString("en-US")} ${rows === 1 ? one : many}`;
}

/** What is said when it is done. */
export function forgottenInWords({ removed, counts }: Forgotten): string {
  return removed === 0
    ? "Nothing was forgotten: it was gone already."
    : `Forgotten: ${countsInWords(counts)}.`;
}
