import { isJsonObject } from "../json.ts";
import type { Json, JsonObject } from "../models/types.ts";
import { jsonExtent } from "../protocols/recovery/json-cursor.ts";
import type { Written } from "./parse-text.ts";

/** Brackets that may begin the last object. */
const MAX_LOOKS = 50;
/** How an object begins that is meant as JSON; other brackets are signs in prose. */
const OBJECT = /^\{\s*(?:["'“]|\w+\s*:|$)/u;

/** The object that a judge's words end with. */
export interface JudgedObject {
  /** Its fields, names in lower case; absent where it is not quite JSON. */
  readonly fields?: JsonObject;
  /** As it was written. */
  readonly text: string;
  /** Where it begins. */
  readonly start: number;
}

/**
 * The JSON object that ends a text, alone, in a code fence or behind prose; `unclosed` where one begins that never
 * ends: then nothing behind its beginning is a result. What stands within another object or its texts is never looked
 * at. An object behind prose that the judged texts hold word by word is a quotation.
 */
export function objectAtEnd({ text, material }: Written): JudgedObject | "unclosed" | undefined {
  const end = endOf(text);
  let start = text.indexOf("{");
  for (let looks = 0; start >= 0 && start < end; looks += 1) {
    if (looks === MAX_LOOKS) return "unclosed";
    let next = start + 1;
    if (OBJECT.test(text.slice(start, start + 100))) {
      const extent = jsonExtent(text, start);
      if (!extent.closed) return "unclosed";
      if (extent.end === end) return objectOf(text, start, end, material);
      next = extent.end;
    }
    start = text.indexOf("{", next);
  }
  return undefined;
}

/** Where an object must end that ends the text: before a mark of the model's, and a fence's end. */
function endOf(text: string): number {
  const trimmed = text.trimEnd();
  const mark = /(?:<\/s>|<\|[^|<>\n]{1,30}\|>)$/u.exec(trimmed.slice(-40))?.[0] ?? "";
  const plain = trimmed.slice(0, trimmed.length - mark.length).trimEnd();
  return plain.endsWith("```") ? plain.slice(0, -3).trimEnd().length : plain.length;
}

/** What stands before an object, the opening of its fence left out. */
function proseBefore(text: string, start: number): string {
  const before = text.slice(0, start).trim();
  const opening = /```\w{0,20}$/u.exec(before.slice(-30))?.[0] ?? "";
  return before.slice(0, before.length - opening.length).trim();
}

function objectOf(
  text: string,
  start: number,
  end: number,
  material: readonly string[],
): JudgedObject | undefined {
  const written = text.slice(start, end);
  if (proseBefore(text, start) !== "" && material.some((one) => one.includes(written))) return undefined;
  const value = parsed(written);
  const fields = isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]))
    : undefined;
  return { text: written, start, ...(fields && { fields }) };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** What a judge wrote beside its result. */
export function feedbackIn({ fields, text, start }: JudgedObject, whole: string): string {
  for (const name of ["feedback", "reason", "reasoning", "explanation", "comment"]) {
    const said = fields?.[name];
    if (typeof said === "string" && said.trim() !== "") return said.trim();
  }
  const before = proseBefore(whole, start);
  return fields === undefined && before === "" ? text : before;
}
