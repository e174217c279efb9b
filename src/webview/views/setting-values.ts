import type { Json } from "../../agent/models/types.ts";
import type { SettingPlace, SettingView } from "../../trace/panel-settings.ts";

const MAX_SHOWN = 80;

/** What stands for a setting at a place: what is written there, else what counts there without it. */
export function valueAt({ written, default: standard }: SettingView, place: SettingPlace): Json {
  const inherited = written.user ?? standard;
  return place === "user" ? inherited : (written.workspace ?? inherited);
}

/** A value on one line, cut. */
export function shownValue(value: Json): string {
  const text = typeof value === "string" ? (value === "" ? "empty" : value) : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}

/** What a field that is typed into shows of a value. */
export function fieldText({ kind }: SettingView, value: Json): string {
  if (kind.type === "json") return JSON.stringify(value, null, 2);
  if (kind.type === "list") return Array.isArray(value) ? value.map(asText).join("\n") : asText(value);
  return asText(value);
}

function asText(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * What was typed as a value. What is no number stays a text: the host says what is wrong with it. Undefined: it is not
 * even JSON.
 */
export function typedValue({ kind }: SettingView, text: string): Json | undefined {
  switch (kind.type) {
    case "number": {
      const trimmed = text.trim();
      if (trimmed === "") return kind.nullable ? null : text;
      const number = Number(trimmed);
      return Number.isFinite(number) ? number : text;
    }
    case "list":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    case "json":
      return parsed(text);
    default:
      return text;
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
