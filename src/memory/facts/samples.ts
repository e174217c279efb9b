import type { ForgetPreview, ForgetTable } from "../../agent/memory/types.ts";
import { cutAtGrapheme } from "../../agent/text.ts";
import { oneLine } from "./bounds.ts";

/** Most samples of what would go. */
export const MAX_SAMPLES = 20;
/** Longest sample, in UTF-16 units. */
const MAX_TEXT = 160;

/** A table's rows that would go: how many, and one line of each of the first. */
export interface Going {
  readonly count: number;
  readonly texts: readonly string[];
}

/** The counts, and samples of every table that has some: each its share, what one leaves free goes to the others. */
export function previewOf(going: Readonly<Record<ForgetTable, Going>>): ForgetPreview {
  const tables = Object.entries(going) as [ForgetTable, Going][];
  const taken = new Map<ForgetTable, number>(tables.map(([table]) => [table, 0]));
  let left = MAX_SAMPLES;
  let open = tables.filter(([, { texts }]) => texts.length > 0);
  while (left > 0 && open.length > 0) {
    for (const [table] of open.slice(0, left)) {
      taken.set(table, (taken.get(table) ?? 0) + 1);
      left -= 1;
    }
    open = open.filter(([table, { texts }]) => (taken.get(table) ?? 0) < texts.length);
  }
  return {
    counts: {
      episodes: going.episodes.count,
      facts: going.facts.count,
      people: going.people.count,
      relationships: going.relationships.count,
      resources: going.resources.count,
      ...(going.moments.count > 0 && { moments: going.moments.count }),
    },
    samples: tables.flatMap(([table, { texts }]) =>
      texts.slice(0, taken.get(table)).map((text) => ({ table, text: sample(text) })),
    ),
  };
}

function sample(text: string): string {
  const line = oneLine(text);
  const cut = cutAtGrapheme(line, MAX_TEXT);
  return cut.length < line.length ? `${cut.trimEnd()} ...` : line;
}
