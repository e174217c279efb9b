import { calendarDay, dayNumber } from "./civil.ts";
import {
  DAY_PARTS,
  monthSpan,
  oneDay,
  shifted,
  stretch,
  weekendOf,
  weekOf,
  yearSpan,
  type DayPart,
  type DaySpan,
  type Today,
  type Unit,
} from "./span.ts";

/** Names of months and of weekdays (from Monday), lower case. */
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
const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const NUMBER = `\\d{1,3}|an?|${NUMBERS.slice(1).join("|")}|eleven|twelve|(?:a )?couple(?: of)?|(?:a )?few|several`;
const UNIT = "(days?|weeks?|fortnights?|months?|years?)";
const WEEKDAY = `(${DAYS.join("|")})`;
// "May" and "march" are words of their own: a month has a capital.
const MONTH =
  "([Jj]an(?:uary|\\.)?|[Ff]eb(?:ruary|\\.)?|Mar(?:ch|\\.)?|[Aa]pr(?:il|\\.)?|May|[Jj]une?|[Jj]uly?|Aug(?:ust|\\.)?|[Ss]ept?(?:ember|\\.)?|[Oo]ct(?:ober|\\.)?|[Nn]ov(?:ember|\\.)?|[Dd]ec(?:ember|\\.)?)";
const WHICH = "(last|past|previous|this|next|coming|following)";

/** How words become days. `past`: the sentence tells of what was. */
export interface TimeRule {
  readonly form: RegExp;
  readonly span: (match: RegExpMatchArray, today: Today, past: boolean) => DaySpan | undefined;
}

/** The number that a word or some digits stand for. */
function amountOf(word: string): number {
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

function shiftOf(which: string): number {
  const word = which.toLowerCase();
  return word === "this" ? 0 : word === "next" || word === "coming" || word === "following" ? 1 : -1;
}

function unitOf(word: string): { readonly unit: Unit; readonly times: number } {
  const plain = word.toLowerCase().replace(/s$/, "");
  return plain === "fortnight" ? { unit: "week", times: 2 } : { unit: plain as Unit, times: 1 };
}

function count(amount: string, unit: string): { readonly unit: Unit; readonly amount: number } {
  const { unit: plain, times } = unitOf(unit);
  return { unit: plain, amount: amountOf(amount) * times };
}

/** Month 1..12 by its name or the beginning of it. */
function monthOf(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1;
}

/** The day of a weekday's name: said alone, the nearest in the direction that the sentence goes. */
function weekdayDay(name: string, which: string | undefined, { day }: Today, past: boolean): number {
  const weekday = DAYS.indexOf(name.toLowerCase());
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

function dateSpan(
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

function monthNamed(name: string, which: string | undefined, today: Today, past: boolean): DaySpan {
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

function seasonSpan(name: string, which: string, { day }: Today): DaySpan {
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

function partOf(span: DaySpan, word: string | undefined): DaySpan {
  const part = word?.toLowerCase();
  return part !== undefined && part in DAY_PARTS ? { ...span, grain: "part", part: part as DayPart } : span;
}

const NAMED_DAYS: { readonly [word: string]: number } = {
  today: 0,
  tonight: 0,
  tomorrow: 1,
  tmrw: 1,
  yesterday: -1,
};

/** The forms of English, the longer ones first where they begin alike. */
export const ENGLISH: readonly TimeRule[] = [
  {
    form: /\b(?:the )?day (after tomorrow|before yesterday)\b/giu,
    span: ([, which = ""], { day }) => oneDay(day + (/^after/i.test(which) ? 2 : -2)),
  },
  {
    form: /\b(today|tomorrow|tmrw|yesterday)(?: (?:in the )?(morning|afternoon|evening|night))?\b/giu,
    span: ([, word = "", part], { day }) => partOf(oneDay(day + (NAMED_DAYS[word.toLowerCase()] ?? 0)), part),
  },
  { form: /\btonight\b/giu, span: (_, { day }) => partOf(oneDay(day), "night") },
  { form: /\blast night\b/giu, span: (_, { day }) => partOf(oneDay(day - 1), "night") },
  {
    form: /\bthis (morning|afternoon|evening)\b/giu,
    span: ([, part], { day }) => partOf(oneDay(day), part),
  },
  {
    form: /\b(?:the )?(week|month|year|weekend) (before last|after next)\b/giu,
    span: ([, unit = "", which = ""], today) => named(unit, /^before/i.test(which) ? -2 : 2, today),
  },
  {
    form: new RegExp(`\\b(?:on )?${WEEKDAY},? (?:of )?${WHICH} week\\b`, "giu"),
    span: ([, name = "", which = ""], { day }) => inWeek(day, shiftOf(which), name),
  },
  {
    form: new RegExp(`\\b${WHICH} week,? (?:on )?${WEEKDAY}\\b`, "giu"),
    span: ([, which = "", name = ""], { day }) => inWeek(day, shiftOf(which), name),
  },
  {
    form: new RegExp(`\\b(?:the )?${WHICH} (week|month|year|weekend)\\b(?!-)`, "giu"),
    span: ([, which = "", unit = ""], today) => named(unit, shiftOf(which), today),
  },
  {
    form: new RegExp(
      `\\b(?:(?:in|over|during|for|within) )?(?:the )?(last|past|next|coming) (${NUMBER}) ${UNIT}\\b`,
      "giu",
    ),
    span: ([, which = "", amount = "", unit = ""], { day }) => {
      const counted = count(amount, unit);
      return stretch(day, counted.unit, counted.amount * shiftOf(which));
    },
  },
  {
    form: new RegExp(`\\b(${NUMBER}) ${UNIT} (ago|from now|from today|earlier|before now)\\b`, "giu"),
    span: ([, amount = "", unit = "", way = ""], { day }) => {
      const counted = count(amount, unit);
      return shifted(day, counted.unit, /^from/i.test(way) ? counted.amount : -counted.amount);
    },
  },
  {
    form: new RegExp(`\\bin (?:about |around )?(${NUMBER}) ${UNIT}(?:['’]s? time)?\\b`, "giu"),
    span: ([, amount = "", unit = ""], { day }, past) => {
      const counted = count(amount, unit);
      // "I learnt it in two weeks" tells how long it took.
      return past ? undefined : shifted(day, counted.unit, counted.amount);
    },
  },
  {
    form: new RegExp(`\\b(?:a week from|a week on) ${WEEKDAY}\\b`, "giu"),
    span: ([, name = ""], today) => oneDay(weekdayDay(name, undefined, today, false) + 7),
  },
  {
    form: new RegExp(
      `(?<!\\b(?:every|each|most|any|some) )\\b(?:on |(?:on )?(?:the )?${WHICH} )?${WEEKDAY}(?: (morning|afternoon|evening|night))?\\b`,
      "giu",
    ),
    span: ([, which, name = "", part], today, past) =>
      partOf(oneDay(weekdayDay(name, which, today, past)), part),
  },
  {
    form: new RegExp(
      `\\b(?:on )?(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? (\\d{4}))?(?![\\p{L}\\d])`,
      "gu",
    ),
    span: ([, day = "", month = "", year], today, past) => dateSpan(day, month, year, today, past),
  },
  {
    form: new RegExp(`\\b(?:on )?${MONTH} (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?(?![\\p{L}\\d:])`, "gu"),
    span: ([, month = "", day = "", year], today, past) => dateSpan(day, month, year, today, past),
  },
  {
    form: new RegExp(`\\b(?:in |since |by |until |during )?${MONTH},? (\\d{4})(?!\\d)`, "gu"),
    span: ([, month = "", year = ""]) => ({ ...monthSpan(Number(year), monthOf(month)), full: true }),
  },
  {
    form: new RegExp(
      `\\b(?:in|since|by|until|during) (?:(?:early|mid|late)[ -])?${MONTH}(?![\\p{L}\\d])`,
      "gu",
    ),
    span: ([, month = ""], today, past) => monthNamed(month, undefined, today, past),
  },
  {
    form: new RegExp(`\\b(?:in )?(last|this|next) ${MONTH}(?![\\p{L}\\d])`, "gu"),
    span: ([, which, month = ""], today, past) => monthNamed(month, which, today, past),
  },
  {
    form: /\b(last|this|next) (spring|summer|autumn|fall|winter)\b/giu,
    span: ([, which = "", season = ""], today) => seasonSpan(season, which, today),
  },
  {
    form: /\b(?:in|since|during|until|by|from) (?:the year )?((?:19|20)\d{2})\b(?![-.:/]\d)/giu,
    span: ([, year = ""]) => ({ ...yearSpan(Number(year)), full: true }),
  },
];

function inWeek(day: number, shift: number, weekday: string): DaySpan {
  return oneDay(weekOf(day, shift).first + DAYS.indexOf(weekday.toLowerCase()));
}

function named(unit: string, shift: number, { day }: Today): DaySpan {
  const { year, month } = calendarDay(day);
  const word = unit.toLowerCase();
  if (word === "week") return weekOf(day, shift);
  if (word === "weekend") return weekendOf(day, shift);
  return word === "month" ? monthSpan(year, month + shift) : yearSpan(year + shift);
}
