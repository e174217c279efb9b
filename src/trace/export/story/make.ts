import type { Json } from "../../../agent/models/types.ts";
import type { Cell } from "../../cells.ts";
import type { StoryBlock, StoryPart, StoryTone } from "./types.ts";
import { duration } from "./words.ts";

/** A block without anything in it yet. */
export function block(
  tone: StoryTone,
  title: string,
  rest: Partial<Omit<StoryBlock, "tone" | "title">> = {},
): StoryBlock {
  return { tone, title, summary: "", took: "", parts: [], children: [], ...rest };
}

/** A nested value as indented JSON. */
export function jsonPart(label: string, value: Json): StoryPart {
  return { kind: "text", label, text: JSON.stringify(value, null, 2), json: true };
}

/** How long a cell took; empty while it has no end. */
export function took({ start, end }: Pick<Cell, "start" | "end">): string {
  return end === undefined ? "" : duration(end - start);
}
