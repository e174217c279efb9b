import type { Intent } from "../../agent/memory/port.ts";
import { intentOf } from "../../agent/remember/rules/classify.ts";
import type { ResolvedTime } from "../../agent/time/time-words.ts";
import { resolveTimeWords } from "../../agent/time/time-words.ts";
import { contentWords } from "./words.ts";

/** A stretch of time that a question asks about. */
export interface AskedRange {
  /** Milliseconds since the epoch, both ends included. */
  readonly from: number;
  readonly to: number;
  /** As the question puts it. */
  readonly words: string;
  /**
   * Only what was said or happened then is wanted: "last week". Otherwise it counts for a memory that it fits, as with
   * "in May 2023": of an event people tell before and after it.
   */
  readonly strict: boolean;
}

/** What a question is found to be about. */
export interface Analysis {
  /** The words worth looking for, lower case. */
  readonly words: readonly string[];
  /** Words with a capital, as written: names, and the word that the question begins with. */
  readonly names: readonly string[];
  readonly range?: AskedRange;
  /** What it is after, by the rules that see to it when a turn is remembered. */
  readonly intent: Intent;
}

/** What of a question is analysed, in UTF-16 units. */
const MAX_QUERY = 4_000;
/** What "before" is open to. */
const OPEN_MS = 100 * 365.25 * 86_400_000;
/** Time words that are exact enough to leave everything else out. */
const STRICT_GRAINS: ReadonlySet<string> = new Set(["minute", "part", "day", "week", "month", "span"]);

/** Reads a question: its words, its names, its intent and the time it asks about, counted from `now` in a time zone. */
export function analyze(query: string, now: number, timeZone: string): Analysis {
  const text = query.slice(0, MAX_QUERY);
  const range = askedRange(text, now, timeZone);
  return {
    words: contentWords(text),
    names: names(text),
    intent: intentOf(text),
    ...(range === undefined ? {} : { range }),
  };
}

function names(text: string): string[] {
  return [...new Set(text.match(/\p{Lu}[\p{L}\p{N}_-]+/gu) ?? [])];
}

/**
 * The stretch of time that a question asks about; undefined when it names none, as "when was the dentist?" does. Two
 * ends ("between 3 and 7 May") and an open one ("since May") are one stretch. Beside a full date, relative words count
 * from that date: "last week, as told on 6 November".
 */
function askedRange(text: string, now: number, timeZone: string): AskedRange | undefined {
  const told = resolveTimeWords(text, now, timeZone);
  const dates = told.filter((time) => !isRelative(time));
  const anchor = dates.find(({ grain }) => grain === "day");
  const times = anchor === undefined || dates.length === told.length ? told : again(text, anchor, timeZone);
  const first = times[0];
  if (first === undefined) return undefined;
  const last = times.at(-1) ?? first;
  const open = opened(first, text, now);
  const joined = isPair(first, times[1], text)
    ? { from: first.from, to: Math.max(first.to, times[1]?.to ?? 0) }
    : open;
  const strict =
    anchor === undefined && times.every((time) => isRelative(time) && STRICT_GRAINS.has(time.grain));
  return { ...joined, words: text.slice(first.index, last.index + last.text.length), strict };
}

/** The relative words of a question, counted from a date that it names, and failing them that date. */
function again(text: string, anchor: ResolvedTime, timeZone: string): readonly ResolvedTime[] {
  const relative = resolveTimeWords(text, anchor.from, timeZone).filter(isRelative);
  return relative.length > 0 ? relative : [anchor];
}

function isRelative({ text }: ResolvedTime): boolean {
  return (
    !/\d{4}/.test(text) &&
    /\b(?:last|this|next|ago|yesterday|today|tonight|tomorrow|past|previous)\b/i.test(text)
  );
}

function isPair(one: ResolvedTime, other: ResolvedTime | undefined, text: string): boolean {
  if (other === undefined || other.from < one.from) return false;
  const between = text.slice(one.index + one.text.length, other.index);
  return /^\s*(?:and|to|until|till|through|-|–)\s*$/i.test(between);
}

function opened(
  one: ResolvedTime,
  text: string,
  now: number,
): { readonly from: number; readonly to: number } {
  const before = `${text.slice(Math.max(0, one.index - 20), one.index)}${one.text}`;
  const word = /\b(since|after|before|until|till)\s+(?:the\s+)?(?=\S*$|\S+ )/i
    .exec(before)?.[1]
    ?.toLowerCase();
  const week = /\bweek before\b/i.test(before);
  switch (word) {
    case "since":
      return { from: one.from, to: Math.max(one.to, now) };
    case "after":
      return { from: one.to + 1, to: Math.max(one.to + 1, now) };
    case "before":
      return { from: one.from - (week ? 7 * 86_400_000 : OPEN_MS), to: one.from - 1 };
    case "until":
    case "till":
      return { from: one.from - OPEN_MS, to: one.to };
    default:
      return { from: one.from, to: one.to };
  }
}
