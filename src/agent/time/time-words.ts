import { DAY_MS, instantOf, systemTimeZone, wallTime } from "./civil.ts";
import { ENGLISH, ENGLISH_PARTS } from "./english.ts";
import { OTHER_LANGUAGES, type TimeLanguage } from "./other-languages.ts";
import { DAY_PARTS, writtenSpan, type DayPart, type DaySpan, type Grain, type Today } from "./span.ts";

/** Text (UTF-16 units) that is looked through; time words of a longer one's rest are left. */
const MAX_TEXT = 20_000;

/** Time words of one text that are resolved. */
const MAX_TIMES = 50;

/** A time that words stand for. */
export interface ResolvedTime {
  /** Both ends are included; milliseconds since the epoch. A time of day has `from` equal to `to`. */
  readonly from: number;
  readonly to: number;
  /** The words, and where they begin in the text (UTF-16 units). */
  readonly text: string;
  readonly index: number;
  readonly grain: Grain;
  /** The same with its date written out, such as "on 2026-11-20 at 15:00". */
  readonly written: string;
}

interface Found {
  readonly index: number;
  readonly text: string;
  readonly span: DaySpan;
}

const CLOCK_TIME =
  "(?:(\\d{1,2})(?::(\\d{2}))? ?([ap])(?:m\\b|\\.m\\.)|(\\d{1,2}):(\\d{2})|(noon|midday|midnight))";
const CLOCK_AFTER = new RegExp(`^,? (?:at |around |by |um )?${CLOCK_TIME}`, "iu");
/** Told by the hour alone: "at 3 in the afternoon", "um 15 Uhr", "à 15h30"; beside a part of the day "at 8". */
const HOUR_IN_PART =
  /^,? (?:at |around |by )?(\d{1,2})(?::(\d{2}))?(?: o['’]clock)? in the (morning|afternoon|evening)\b/iu;
const HOUR_OF_24 = /^,? (?:um |à |at )?(\d{1,2}) ?(?:uhr|h)(?: ?(\d{2}))?(?![\p{L}\d])/iu;
const HOUR_BESIDE_PART = /^,? (?:at |around |by |um )(\d{1,2})(?: o['’]clock)?(?!\p{L}|\d|[:.]\d)/iu;
const CLOCK_BEFORE = new RegExp(`(?:\\bat |\\baround |\\bby )?${CLOCK_TIME}(?:,? on)? $`, "iu");

/**
 * The times that the words of a text stand for, in the order they come: "tomorrow at 3pm", "last week", "in two weeks",
 * weekdays, months, dates. Counted from `now` (milliseconds since the epoch) in a time zone such as `Europe/Oslo`; left
 * out: that of this machine. Weeks begin on Monday. English in full; of German, French and Spanish the plain words.
 */
export function resolveTimeWords(
  text: string,
  now: number,
  timeZone: string = systemTimeZone(),
): readonly ResolvedTime[] {
  const wall = wallTime(now, timeZone);
  const day = Math.floor(wall / DAY_MS);
  const today: Today = { day, minute: Math.floor((wall - day * DAY_MS) / 60_000) };
  return find(text.slice(0, MAX_TEXT), today).map(({ index, text: words, span }) => ({
    ...ends(span, timeZone),
    text: words,
    index,
    grain: span.grain,
    written: writtenSpan(span, words, text.slice(Math.max(0, index - 20), index)),
  }));
}

const LANGUAGES: readonly TimeLanguage[] = [{ parts: ENGLISH_PARTS, rules: ENGLISH }, ...OTHER_LANGUAGES];

function find(text: string, today: Today): readonly Found[] {
  const found: Found[] = [];
  // Most texts tell no time: a look for the parts of it takes a hundredth of what all forms take.
  const rules = LANGUAGES.flatMap(({ parts, rules }) => (parts.test(text) ? rules : []));
  for (const { form, span } of rules) {
    for (const match of text.matchAll(form)) {
      const told = span(match, today, tellsOfThePast(text, match.index));
      if (told !== undefined) found.push(withClock(text, { index: match.index, text: match[0], span: told }));
    }
  }
  found.sort((one, other) => one.index - other.index || other.text.length - one.text.length);
  const apart: Found[] = [];
  for (const one of found) {
    const last = apart.at(-1);
    if (last !== undefined && isDayOfDate(last, one, text)) {
      const whole = text.slice(last.index, one.index + one.text.length);
      apart[apart.length - 1] = { index: last.index, text: whole, span: one.span };
      continue;
    }
    if (last === undefined || one.index >= last.index + last.text.length) apart.push(one);
    if (apart.length === MAX_TIMES) break;
  }
  return apart;
}

/** "Saturday 5 December 2026" is one day: its weekday is no Saturday of its own, whatever the sentence tells of. */
function isDayOfDate(day: Found, date: Found, text: string): boolean {
  const between = text.slice(day.index + day.text.length, date.index);
  const isWord = /^(?:on |am |le |el )?\p{L}+$/iu.test(day.text);
  return (
    isWord && day.span.grain === "day" && /\d/u.test(date.text) && /^,? (?:the |den )?\(?$/iu.test(between)
  );
}

/** Whether the sentence around a place tells of what was, by its verbs. */
function tellsOfThePast(text: string, index: number): boolean {
  const before =
    text
      .slice(Math.max(0, index - 200), index)
      .split(/[.!?;\n]\s/u)
      .at(-1)
      // The comma of "on Friday, 6 November" parts no clauses.
      ?.replace(/(?<=\p{L}day),(?= $)/iu, "") ?? "";
  const after = text.slice(index, index + 200).split(/[.!?;\n](?:\s|$)/u)[0] ?? "";
  const clause = /(?:,| and| but) [^,]*$/u.exec(before)?.[0] ?? before;
  if (/\b(?:will|shall|going to|gonna|plan|'ll|wird|werde)\b|’ll\b/iu.test(clause)) return false;
  const past =
    /\b(?:was|were|did|didn['’]t|had|went|met|saw|said|told|came|got|made|bought|took|left|began|ate|found|gave|lost|read|ran|wrote|spoke|talked|broke|flew|hat(?:te)?|war|waren|étai[st]|fui|fue|estuve|tuve|hice|vi)\b|\b(?:habe|hat|haben|bin|sind)\b.*\b\p{L}*ge\p{L}+(?:t|en)\b|\b(?:ai|as|avons|avez|ont)\b \p{L}+|\b\p{L}{2,}(?:[^aeiou\W]|i)ed\b|\b\p{L}{3,}[^e\W]ed\b/iu;
  return past.test(clause) || (before.trim() === "" && past.test(after));
}

/** Takes a time of day that stands beside a day: "tomorrow at 3pm", "3pm tomorrow". */
function withClock(text: string, one: Found): Found {
  const { span, index } = one;
  if (span.grain !== "day" && span.grain !== "part") return one;
  const end = index + one.text.length;
  const after = CLOCK_AFTER.exec(text.slice(end, end + 40));
  const minuteAfter = after && minuteOf(after);
  if (after && minuteAfter !== undefined && minuteAfter !== null) {
    return { index, text: one.text + after[0], span: { ...span, grain: "minute", minute: minuteAfter } };
  }
  const hour = hourAfter(text.slice(end, end + 40), span.part);
  if (hour !== undefined) {
    return { index, text: one.text + hour.text, span: { ...span, grain: "minute", minute: hour.minute } };
  }
  const start = Math.max(0, index - 40);
  const before = CLOCK_BEFORE.exec(text.slice(start, index));
  const minute = before && minuteOf(before);
  if (!before || minute === undefined || minute === null) return one;
  const words = before[0] + one.text;
  return { index: start + before.index, text: words, span: { ...span, grain: "minute", minute } };
}

/** A time of day that is told by the hour alone, after a day or a part of one. */
function hourAfter(
  after: string,
  part: DayPart | undefined,
): { readonly text: string; readonly minute: number } | undefined {
  const told = HOUR_IN_PART.exec(after);
  const beside = told ?? (part === undefined ? null : HOUR_BESIDE_PART.exec(after));
  const match = beside ?? HOUR_OF_24.exec(after);
  if (match === null) return undefined;
  const [text, hours = "", minutes = "0"] = match;
  const [hour, past] = [Number(hours), beside !== null && told === null ? 0 : Number(minutes)];
  const named = told?.[3]?.toLowerCase() ?? part;
  const isHalf = beside !== null && named !== "morning" && hour < 12;
  const minute = (isHalf ? hour + 12 : hour) * 60 + past;
  return hour > 23 || past > 59 || (beside !== null && hour > 12) ? undefined : { text, minute };
}

/** Minutes since midnight, or nothing when there is no such time. */
function minuteOf([, hour, minutes, half, hour24, minutes24, word]: RegExpExecArray): number | undefined {
  if (word !== undefined) return /midnight/i.test(word) ? 0 : 720;
  if (half !== undefined) {
    const told = Number(hour);
    const past = Number(minutes ?? 0);
    if (told < 1 || told > 12 || past > 59) return undefined;
    return ((told % 12) + (half.toLowerCase() === "p" ? 12 : 0)) * 60 + past;
  }
  const [told, past] = [Number(hour24), Number(minutes24)];
  return told > 23 || past > 59 ? undefined : told * 60 + past;
}

function ends({ first, last, minute, part }: DaySpan, timeZone: string): { from: number; to: number } {
  const at = (day: number, minutes: number): number => instantOf(day * DAY_MS + minutes * 60_000, timeZone);
  if (minute !== undefined) return { from: at(first, minute), to: at(first, minute) };
  if (part !== undefined) {
    const [from, to] = DAY_PARTS[part];
    return { from: at(first, from * 60), to: at(first, to * 60) - 1 };
  }
  return { from: at(first, 0), to: at(last + 1, 0) - 1 };
}
