import { calendarDay } from "./civil.ts";
import { amountOf, count, DAYS, named, NUMBER, WEEKDAY, weekdayDay, type TimeRule } from "./english-words.ts";
import { monthSpan, oneDay, shifted, type DaySpan, type Today } from "./span.ts";

const MINUTES_OF_DAY = 24 * 60;
const HOURS = `(?:(half an|${NUMBER}) (hours?|minutes?|mins?)(?: and a half)?|(${NUMBER}) and a half (hours?))`;
/** What is told as near at hand: "is in two hours". Of "runs in two minutes" nobody knows whether it tells how long. */
const AHEAD =
  "(?<=\\b(?:is|are|be|'s|’s|[’']re|begins?|starts?|leaves?|leave|arrives?|departs?|lands?|meet|due|back|again|call|over|up) )";

/** So many hours or minutes from now. */
function minutesAway(match: RegExpMatchArray, { day, minute }: Today, sign: 1 | -1): DaySpan | undefined {
  const [, amount = match[3] ?? "", unit = match[4] ?? ""] = match;
  const more = /and a half/i.test(match[0]) ? 0.5 : 0;
  const number = /^half/i.test(amount) ? 0.5 : amountOf(amount) + more;
  const away = Math.round(number * (/^h/i.test(unit) ? 60 : 1));
  const at = minute + sign * away;
  const days = Math.floor(at / MINUTES_OF_DAY);
  return { ...oneDay(day + days), grain: "minute", minute: at - days * MINUTES_OF_DAY };
}

/** Years, months and weeks with a half: a year and a half is eighteen months. */
function halves(amount: string, unit: string, { day }: Today): DaySpan {
  const number = amountOf(amount);
  const { unit: plain } = count("1", unit);
  if (plain === "year") return shifted(day, "month", -(number * 12 + 6));
  if (plain === "month") return shifted(day, "week", -Math.round((number * 30 + 15) / 7));
  return shifted(day, "day", -Math.round((number + 0.5) * 7));
}

/** A day by its number alone: of this month, or of the nearest in the direction that the sentence goes. */
function dayOfMonth(date: number, { day }: Today, past: boolean, weekday?: string): DaySpan | undefined {
  const { year, month } = calendarDay(day);
  for (let step = 0; step < 12; step += 1) {
    const { first, last } = monthSpan(year, month + (past ? -step : step));
    const at = first + date - 1;
    if (date < 1 || at > last || (past ? at > day : at < day)) continue;
    if (weekday === undefined || DAYS[calendarDay(at).weekday] === weekday.toLowerCase()) return oneDay(at);
  }
  return undefined;
}

/** Forms that go beyond whole units: hours, halves, ends of units, days by their number. */
export const ENGLISH_DETAILS: readonly TimeRule[] = [
  {
    form: new RegExp(`\\b${HOURS} (?:ago|before now)\\b`, "giu"),
    span: (match, today) => minutesAway(match, today, -1),
  },
  {
    form: new RegExp(`\\b${HOURS} from now\\b`, "giu"),
    span: (match, today) => minutesAway(match, today, 1),
  },
  {
    form: new RegExp(`${AHEAD}in (?:about |around )?${HOURS}(?:['’]s? time)?\\b`, "giu"),
    span: (match, today, past) => (past ? undefined : minutesAway(match, today, 1)),
  },
  {
    form: new RegExp(`\\b(${NUMBER}) and a half (weeks?|months?|years?) ago\\b`, "giu"),
    span: ([, amount = "", unit = ""], today) => halves(amount, unit, today),
  },
  {
    form: /\b(a|an|one) (week|month|year) and a half ago\b/giu,
    span: ([, amount = "", unit = ""], today) => halves(amount, unit, today),
  },
  { form: /\bhalf a year ago\b/giu, span: (_, { day }) => shifted(day, "month", -6) },
  {
    form: /(?<=\b(?:end|beginning|start|middle|rest) of )(?:the|this) (week|weekend|month|year)\b(?!-)/giu,
    span: ([, unit = ""], today) => named(unit, 0, today),
  },
  {
    form: /\b(?:the )?night before last\b/giu,
    span: (_, { day }) => ({ ...oneDay(day - 2), grain: "part", part: "night" }),
  },
  {
    form: new RegExp(`\\b(?:on )?(?:the )?${WEEKDAY} after next\\b`, "giu"),
    span: ([, name = ""], today) => oneDay(weekdayDay(name, "coming", today, false) + 7),
  },
  {
    form: new RegExp(`\\b(?:on )?(?:the )?${WEEKDAY} before last\\b`, "giu"),
    span: ([, name = ""], today) => oneDay(weekdayDay(name, "last", today, true) - 7),
  },
  {
    form: new RegExp(`(?<!\\b(?:every|each) )\\b(?:on )?${WEEKDAY} week\\b`, "giu"),
    span: ([, name = ""], today) => oneDay(weekdayDay(name, "coming", today, false) + 7),
  },
  {
    form: new RegExp(`\\b(?:on )?${WEEKDAY},? the (\\d{1,2})(?:st|nd|rd|th)\\b(?! of)`, "giu"),
    span: ([, weekday = "", date = ""], today, past) => dayOfMonth(Number(date), today, past, weekday),
  },
  {
    form: /(?<=\b(?:on|by|until|till|since|before|after|from) )the (\d{1,2})(?:st|nd|rd|th)(?=\s*(?:[.,;:!?)]|$)| (?:at|and|to|because|so|we|i|with|in the (?:morning|afternoon|evening))\b)/giu,
    span: ([, date = ""], today, past) => dayOfMonth(Number(date), today, past),
  },
];
