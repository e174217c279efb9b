import { isJsonList, isJsonObject } from "../json.ts";
import type { Json, JsonObject } from "../models/types.ts";
import { closestName } from "./closest.ts";
import { KNOWN_FIELDS } from "./fields.ts";
import { shown, type Path } from "./yaml-tree.ts";

/** Takes something to be said about a value, or about the name of a field. */
export type Note = (
  severity: "error" | "warning",
  path: Path,
  message: string,
  about?: "key" | "value",
) => void;

const LISTS = ["tools", "required", "family", "traits", "interests", "relationships", "model"];
const YES = /^(?:true|yes|on)$/iu;
const NO = /^(?:false|no|off)$/iu;

/**
 * Puts fields in order as they are written by people: numbers and truth values are read where they are wanted, a word
 * stands for a list of one, and what is not known is named with what is nearest to it. Notes whatever it takes leniently.
 *
 * @param value the fields, each scalar the text that was written
 */
export function tidyFields(value: JsonObject, note: Note): JsonObject {
  checkNames(value, [], note);
  const tidied = new Map<string, Json>();
  for (const [name, inner] of Object.entries(value)) {
    const field = tidyField(name, inner, note);
    if (field !== undefined) tidied.set(name, field);
  }
  return Object.fromEntries(tidied);
}

function tidyField(name: string, value: Json, note: Note): Json | undefined {
  if (LISTS.includes(name)) return tidyList(name, value, note);
  switch (name) {
    case "type":
      if (value !== "object")
        note(
          "warning",
          ["type"],
          "`type` at the top can only be `object`; it is not used. Do you mean `kind`?",
        );
      return undefined;
    case "temperature":
      return fraction(value, ["temperature"], note);
    case "limits":
      return isJsonObject(value)
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, whole(inner)]))
        : value;
    case "structured_output":
      return truth(value);
    case "think":
      return truth(typeof value === "string" ? value.toLowerCase() : value);
    case "properties":
      return value;
    case "prompt":
      return value;
    default:
      return asText(value, [name], note);
  }
}

function tidyList(name: string, value: Json, note: Note): Json {
  if (typeof value === "string") {
    const items = name === "tools" ? commaList(value) : value.trim() === "" ? [] : [value];
    if (name !== "model")
      note(
        "warning",
        [name],
        `\`${name}\` is a list; this is read as a list of ${items.length}. Write [${shown(items.join(", "))}].`,
      );
    return items.map((item, at) => tidyItem(name, item, [name, at], note));
  }
  if (!isJsonList(value)) return value;
  return value.map((item, at) => tidyItem(name, item, [name, at], note));
}

function tidyItem(list: string, item: Json, path: Path, note: Note): Json {
  switch (list) {
    case "tools":
      return typeof item === "string" ? { name: item } : item;
    case "interests":
      if (typeof item === "string") return { name: item };
      return withFraction(item, "score", path, note);
    case "relationships":
      return withFraction(item, "strength", path, note);
    case "family":
      if (isJsonObject(item) && typeof item["relation"] === "string" && typeof item["name"] === "string")
        return `${item["relation"]}: ${item["name"]}`;
      return asText(item, path, note);
    default:
      return asText(item, path, note);
  }
}

/** Names in one text, with commas between them that don't stand in brackets. */
export function commaList(text: string): readonly string[] {
  const parts = text.replace(/^\s*\[|\]\s*$/gu, "").match(/(?:\([^()]*\)|[^,(]|\()+/gu) ?? [];
  return parts.map((part) => part.trim().replace(/^(["'])(.*)\1$/u, "$2")).filter((part) => part !== "");
}

/** YAML makes a field of `a: b` where a text is meant; the text is put together again. */
function asText(value: Json, path: Path, note: Note): Json {
  if (!isJsonObject(value)) return value;
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0 || typeof entry[1] !== "string") return value;
  const text = `${entry[0]}: ${entry[1]}`;
  note(
    "warning",
    path,
    `A text is wanted here, and YAML takes a colon for a field; it is read as text. Quote the value: ${shown(JSON.stringify(text))}`,
  );
  return text;
}

function withFraction(item: Json, key: string, path: Path, note: Note): Json {
  const value = isJsonObject(item) ? item[key] : undefined;
  if (!isJsonObject(item) || value === undefined) return item;
  return { ...item, [key]: fraction(value, [...path, key], note) };
}

/** A number, also with a comma in place of the point, which is said. */
function fraction(value: Json, path: Path, note: Note): Json {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (/^[+-]?\d+,\d+$/u.test(text)) {
    const read = text.replace(",", ".");
    note(
      "warning",
      path,
      `\`${shown(text)}\` is read as ${read}. Write ${read}: YAML's numbers have a point.`,
    );
    return Number(read);
  }
  return plainNumber(text) ?? value;
}

function whole(value: Json): Json {
  return typeof value === "string" ? (plainNumber(value.trim()) ?? value) : value;
}

function plainNumber(text: string): number | undefined {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/iu.test(text) ? Number(text) : undefined;
}

function truth(value: Json): Json {
  if (typeof value !== "string") return value;
  return YES.test(value) ? true : NO.test(value) ? false : value;
}

function checkNames(value: Json, path: Path, note: Note): void {
  if (isJsonList(value)) {
    for (const [at, item] of value.entries()) checkNames(item, [...path, at], note);
    return;
  }
  if (!isJsonObject(value)) return;
  const known = KNOWN_FIELDS[path.map((part) => (typeof part === "number" ? "*" : part)).join(".")];
  if (known === undefined) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!known.includes(name)) note("warning", [...path, name], unknownField(name, known), "key");
    else checkNames(inner, [...path, name], note);
  }
}

function unknownField(name: string, known: readonly string[]): string {
  const near = closestName(name, known);
  const hint =
    near === undefined
      ? `Known are ${known.filter((one) => one !== "$schema").join(", ")}.`
      : `Did you mean \`${near}\`?`;
  return `There is no field \`${shown(name)}\`, and it is not used. ${hint}`;
}
