import { calendarDay, dayNumber, dayText } from "./civil.ts";

/** How exact a time is told. */
export type Grain = "minute" | "part" | "day" | "week" | "month" | "season" | "year" | "span";

/** The hours of a day that its parts take: from the first hour up to, not including, the last. */
export const DAY_PARTS = {
  morning: [5, 12],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [18, 24],
} as const satisfies { readonly [part: string]: readonly [number, number] };

/** A part of a day. */
export type DayPart = keyof typeof DAY_PARTS;

/** A stretch of whole calendar days, told by their numbers; both ends count. */
export interface DaySpan {
  readonly first: number;
  readonly last: number;
  readonly grain: Grain;
  /** Within the one day: minutes since its midnight. */
  readonly minute?: number;
  readonly part?: DayPart;
  /** The day that was named, where the span is wider than it: "in two weeks". */
  readonly about?: number;
  /** The words name the date in full: there is nothing to write out. */
  readonly full?: true;
  /** The words are of a language that puts nothing before a date. */
  readonly unspaced?: true;
}

/** What relative words are counted from. */
export interface Today {
  /** Number of the day. */
  readonly day: number;
  /** Minutes since midnight. */
  readonly minute: number;
}

/** One day. */
export function oneDay(day: number): DaySpan {
  return { first: day, last: day, grain: "day" };
}

/** The week (Monday to Sunday) that is `shift` weeks after that of a day. */
export function weekOf(day: number, shift = 0): DaySpan {
  const first = day - calendarDay(day).weekday + 7 * shift;
  return { first, last: first + 6, grain: "week" };
}

/** The weekend of the week that is `shift` weeks after that of a day. */
export function weekendOf(day: number, shift = 0): DaySpan {
  const { last } = weekOf(day, shift);
  return { first: last - 1, last, grain: "span" };
}

/** A calendar month; months may overflow into other years. */
export function monthSpan(year: number, month: number): DaySpan {
  return { first: dayNumber(year, month, 1), last: dayNumber(year, month + 1, 1) - 1, grain: "month" };
}

/** A calendar year. */
export function yearSpan(year: number): DaySpan {
  return { first: dayNumber(year, 1, 1), last: dayNumber(year + 1, 1, 1) - 1, grain: "year" };
}

/** Units that spans are counted in. */
export type Unit = "day" | "week" | "month" | "year";

/** `amount` units from a day, as exact as the unit is: "two weeks ago" is the week of that day. */
export function shifted(day: number, unit: Unit, amount: number): DaySpan {
  const { year, month, day: date } = calendarDay(day);
  if (unit === "day") return oneDay(day + amount);
  if (unit === "week") return { ...weekOf(day, amount), about: day + 7 * amount };
  if (unit === "year") return yearSpan(year + amount);
  return { ...monthSpan(year, month + amount), about: sameDay(year, month + amount, date) };
}

/** The same day of another month, or that month's last when it has no such day. */
function sameDay(year: number, month: number, day: number): number {
  const { first, last } = monthSpan(year, month);
  return Math.min(first + day - 1, last);
}

/** The stretch of the last or the next `amount` units, today included. */
export function stretch(day: number, unit: Unit, amount: number): DaySpan {
  const days = { day: 1, week: 7, month: 30, year: 365 }[unit] * amount;
  return days < 0
    ? { first: day + days, last: day, grain: "span" }
    : { first: day, last: day + days, grain: "span" };
}

/** Words that a date follows without a preposition of its own. */
const LEADS =
  /(?:^|[^\p{L}])(since|until|till|on|in|am|le|el|by|from|before|after|of|for|to|through|than|between|and|seit|bis|depuis|desde|hasta)\s$/iu;
const OWN_LEAD = /^(since|until|by|from|during)\s/iu;

/**
 * The time of some words with its date written out, as it stands in a sentence: "on 2026-11-20 at 15:00". A leading
 * "since" or "until" stays, also when it stands before the words.
 */
export function writtenSpan(span: DaySpan, words: string, before: string): string {
  if (span.full === true && span.minute === undefined) return words;
  const [preposition, date] = spanText(span);
  const own = OWN_LEAD.exec(words)?.[1];
  const lead = own ?? LEADS.exec(before)?.[1];
  if (span.unspaced === true) return unspacedText(span, date);
  if (lead === undefined) return `${preposition} ${date}`;
  const told = preposition === "between" ? endFor(lead, span) : date;
  return own === undefined ? told : `${own} ${told}`;
}

/** A date among words without spaces; a week by its days, since "the week of" is English. */
function unspacedText({ grain, first, last }: DaySpan, date: string): string {
  return grain === "week" ? `${dayText(first)}~${dayText(last)}` : date;
}

/** The end of a stretch that a word before it means: "since last spring" is since its first day. */
function endFor(lead: string, { first, last }: DaySpan): string {
  if (/^(?:since|from|before|seit|depuis|desde)$/iu.test(lead)) return dayText(first);
  if (/^(?:until|till|by|after|through|than|bis|hasta)$/iu.test(lead)) return dayText(last);
  return `${dayText(first)} to ${dayText(last)}`;
}

function spanText({ first, last, grain, minute, part, about }: DaySpan): readonly [string, string] {
  if (minute !== undefined) return ["on", `${dayText(first)} at ${clockText(minute)}`];
  if (part !== undefined) return ["on", `${dayText(first)} (${part})`];
  if (grain === "day") return ["on", dayText(first)];
  if (about !== undefined) return ["around", dayText(about)];
  if (grain === "week") return ["in", `the week of ${dayText(first)}`];
  if (grain === "month") return ["in", dayText(first).slice(0, 7)];
  if (grain === "year") return ["in", dayText(first).slice(0, 4)];
  return ["between", `${dayText(first)} and ${dayText(last)}`];
}

function clockText(minute: number): string {
  const hours = Math.floor(minute / 60);
  return `${String(hours).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
