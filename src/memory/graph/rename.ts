import type { StoredEdge } from "./tables.ts";

/** A relation whose sentences have a name in place of another, whole words only. */
export function withName(edge: StoredEdge, before: string, after: string): StoredEdge {
  return {
    ...edge,
    text: renamed(edge.text, before, after),
    told: edge.told.map((each) => ({ ...each, text: renamed(each.text, before, after) })),
  };
}

function renamed(text: string, before: string, after: string): string {
  if (before === after || before === "") return text;
  const escaped = before.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "giu"), () => after);
}
