import { calendarDay, dayNumber } from "./civil.ts";
import {
  DAY_PARTS,
  monthSpan,
  oneDay,
  weekendOf,
  weekOf,
  yearSpan,
  type DayPart,
  type DaySpan,
  type Today,
  type Unit,
} from "./span.ts";

/** Names of months, lower case. */
const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
/** Names of weekdays from Monday, lower case. */
export const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** A number of units, in digits or words. */
export const NUMBER = `\\d{1,3}|an?|${NUMBERS.slice(1).join("|")}|eleven|twelve|(?:a )?couple(?: of)?|(?:a )?few|several`;
/** The units that spans are counted in. */
export const UNIT = "(days?|weeks?|fortnights?|months?|years?)";
/** A weekday. */
export const WEEKDAY = `(${DAYS.join("|")})`;
/** A month; "May" and "march" are words of their own: it has a capital. */
export const MONTH =
  "([Jj]an(?:uary|\\.)?|[Ff]eb(?:ruary|\\.)?|Mar(?:ch|\\.)?|[Aa]pr(?:il|\\.)?|May|[Jj]une?|[Jj]uly?|Aug(?:ust|\\.)?|[Ss]ept?(?:ember|\\.)?|[Oo]ct(?:ober|\\.)?|[Nn]ov(?:ember|\\.)?|[Dd]ec(?:ember|\\.)?)";
/** Which one of its kind. */
export const WHICH = "(last|past|previous|this|next|coming|following)";

/** How words become days. `past`: the sentence tells of what was. */
export interface TimeRule {
  readonly form: RegExp;
  readonly span: (match: RegExpMatchArray, today: Today, past: boolean) => DaySpan | undefined;
}

/** The number that a word or some digits stand for. */
export function amountOf(word: string): number {
  const plain = word
    .toLowerCase()
    .replace(/^a (?=couple|few)/, "")
    .replace(/ of$/, "");
  if (/^\d+$/.test(plain)) return Number(plain);
  if (plain === "couple") return 2;
  if (plain === "few" || plain === "several") return 3;
  if (plain === "eleven" || plain === "twelve") return plain === "eleven" ? 11 : 12;
  return Math.max(1, NUMBERS.indexOf(plain));
}

/** How many units away "last", "this" and "next" are. */
export function shiftOf(which: string): number {
  const word = which.toLowerCase();
  return word === "this" ? 0 : word === "next" || word === "coming" || word === "following" ? 1 : -1;
}

function unitOf(word: string): { readonly unit: Unit; readonly times: number } {
  const plain = word.toLowerCase().replace(/s$/, "");
  return plain === "fortnight" ? { unit: "week", times: 2 } : { unit: plain as Unit, times: 1 };
}

/** A number of units, fortnights as weeks. */
export function count(amount: string, unit: string): { readonly unit: Unit; readonly amount: number } {
  const { unit: plain, times } = unitOf(unit);
  return { unit: plain, amount: amountOf(amount) * times };
}

/** Month 1..12 by its name or the beginning of it. */
export function monthOf(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1;
}

/** The day of a weekday's name: said alone, the nearest in the direction that the sentence goes. */
export function weekdayDay(name: string, which: string | undefined, today: Today, past: boolean): number {
  return dayOfWeek(DAYS.indexOf(name.toLowerCase()), which, today, past);
}

/** The same for a weekday by its number from Monday. */
export function dayOfWeek(weekday: number, which: string | undefined, { day }: Today, past: boolean): number {
  const ahead = (weekday - calendarDay(day).weekday + 7) % 7;
  const word = which?.toLowerCase();
  if (word === "next" || word === "following") return weekOf(day, 1).first + weekday;
  if (word === "this") return weekOf(day).first + weekday;
  if (word === "last" || word === "past" || word === "previous" || past)
    return day + (ahead === 0 ? -7 : ahead - 7);
  return day + (ahead === 0 && word === "coming" ? 7 : ahead);
}

/** A date without a year: the nearest in the direction that the sentence goes. */
function yearFor(today: Today, past: boolean, dayIn: (year: number) => number): number {
  const { year } = calendarDay(today.day);
  if (past) return dayIn(year) <= today.day ? year : year - 1;
  return dayIn(year) >= today.day ? year : year + 1;
}

/** A date, whose year may be left out; nothing for one that there isn't. */
export function dateSpan(
  day: string,
  month: string,
  year: string | undefined,
  today: Today,
  past: boolean,
): DaySpan | undefined {
  const date = Number(day);
  const number = monthOf(month);
  const told = year === undefined ? yearFor(today, past, (y) => dayNumber(y, number, date)) : Number(year);
  const { last, first } = monthSpan(told, number);
  if (date < 1 || first + date - 1 > last) return undefined;
  return { ...oneDay(first + date - 1), ...(year !== undefined && { full: true as const }) };
}

/** A month by its name, in the year that is meant. */
export function monthNamed(name: string, which: string | undefined, today: Today, past: boolean): DaySpan {
  const month = monthOf(name);
  const word = which?.toLowerCase();
  const { year, month: now } = calendarDay(today.day);
  if (word === "this") return monthSpan(year, month);
  const before = past || word === "last" || word === "past" || word === "previous";
  if (before) return monthSpan(month < now || (month === now && word === undefined) ? year : year - 1, month);
  return monthSpan(month > now || (month === now && word === undefined) ? year : year + 1, month);
}

/** Seasons as the north has them; winter is told by the year it begins in. */
const SEASONS: { readonly [season: string]: number } = {
  spring: 3,
  summer: 6,
  autumn: 9,
  fall: 9,
  winter: 12,
};

/** The last, this or the next season. */
export function seasonSpan(name: string, which: string, { day }: Today): DaySpan {
  const first = SEASONS[name.toLowerCase()] ?? 3;
  const spanIn = (year: number): DaySpan => ({
    first: dayNumber(year, first, 1),
    last: dayNumber(year, first + 3, 1) - 1,
    grain: "season",
  });
  const { year } = calendarDay(day);
  const around = [-2, -1, 0, 1, 2].map((shift) => spanIn(year + shift));
  const shift = shiftOf(which);
  if (shift < 0) return around.findLast(({ last }) => last < day) ?? spanIn(year - 1);
  if (shift > 0) return around.find((span) => span.first > day) ?? spanIn(year + 1);
  return around.find(({ last }) => last >= day) ?? spanIn(year);
}

/** The part of a day, where one is named. */
export function partOf(span: DaySpan, word: string | undefined): DaySpan {
  const part = word?.toLowerCase();
  return part !== undefined && part in DAY_PARTS ? { ...span, grain: "part", part: part as DayPart } : span;
}

/** A weekday of the week that is so many weeks away. */
export function inWeek(day: number, shift: number, weekday: string): DaySpan {
  return oneDay(weekOf(day, shift).first + DAYS.indexOf(weekday.toLowerCase()));
}

/** A week, weekend, month or year that is so many of them away. */
export function named(unit: string, shift: number, { day }: Today): DaySpan {
  const { year, month } = calendarDay(day);
  const word = unit.toLowerCase();
  if (word === "week") return weekOf(day, shift);
  if (word === "weekend") return weekendOf(day, shift);
  return word === "month" ? monthSpan(year, month + shift) : yearSpan(year + shift);
}
