import { scoreParts, signed } from "../../../agent/memory/explain-hit.ts";
import { isJsonList, isJsonObject } from "../../../agent/json.ts";
import type { Json } from "../../../agent/models/types.ts";
import type { ToolDetails } from "../../../agent/tool.ts";
import type { StoryPart } from "./types.ts";
import { moment } from "./words.ts";

const MAX_ROWS = 50;

/** The memories that a search gave, as a table with scores and why; undefined where its details hold none. */
export function memoriesTable(details: ToolDetails | undefined): StoryPart | undefined {
  const hits = [details?.data?.["hits"], details?.data?.["facts"]].flatMap((list) =>
    isJsonList(list) ? list : [],
  );
  const rows = hits.slice(0, MAX_ROWS).flatMap(rowOf);
  if (rows.length === 0) return undefined;
  return { kind: "table", label: "Recalled", head: ["Remembered", "When", "Score", "Why"], rows };
}

function rowOf(hit: Json): readonly (readonly string[])[] {
  if (!isJsonObject(hit)) return [];
  const said = [hit["answer"], hit["text"], hit["question"]].find(
    (text): text is string => typeof text === "string" && text !== "",
  );
  if (said === undefined) return [];
  const { time, score, parts } = hit;
  return [
    [
      said,
      typeof time === "number" ? moment(time).slice(0, 10) : "",
      typeof score === "number" ? score.toFixed(2) : "",
      isJsonObject(parts) ? reasons(parts) : "",
    ],
  ];
}

function reasons(parts: Readonly<Record<string, Json>>): string {
  const numbers = Object.entries(parts).filter(
    (part): part is [string, number] => typeof part[1] === "number",
  );
  return scoreParts(Object.fromEntries(numbers))
    .map(({ label, value }) => `${label} ${signed(value)}`)
    .join(", ");
}
