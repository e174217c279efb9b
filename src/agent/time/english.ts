import { ENGLISH_DETAILS } from "./english-details.ts";
import {
  count,
  dateSpan,
  inWeek,
  MONTH,
  monthNamed,
  monthOf,
  named,
  NUMBER,
  partOf,
  seasonSpan,
  shiftOf,
  UNIT,
  WEEKDAY,
  weekdayDay,
  WHICH,
  type TimeRule,
} from "./english-words.ts";
import { monthSpan, oneDay, shifted, stretch, yearSpan } from "./span.ts";

const NAMED_DAYS: { readonly [word: string]: number } = {
  today: 0,
  tonight: 0,
  tomorrow: 1,
  tmrw: 1,
  yesterday: -1,
};

/** In a text without any of these there is no form of English. */
export const ENGLISH_PARTS =
  /\d|today|night|tomorrow|tmrw|yesterday|day|week|month|year|hour|minute|\bmins?\b|last|this|next|past|previous|coming|following|january|february|march|april|june|july|august|september|october|november|december|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\b/iu;

/** The forms of English; of two that begin at one place the longer one counts. */
export const ENGLISH: readonly TimeRule[] = [
  ...ENGLISH_DETAILS,
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
      `(?<!\\b(?:every|each|most|any|some|an?) )\\b(?:on |(?:on )?(?:the )?${WHICH} )?${WEEKDAY}(?: (morning|afternoon|evening|night))?\\b(?! (?:is|are) (?:my|our|the|an?)\\b)`,
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
