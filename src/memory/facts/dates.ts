import { resolveTimeWords } from "../../agent/time/time-words.ts";

const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const MONTH = MONTHS.join("|");

/** Ways of writing a day or a time of day; each gives the one way in which they are compared. */
const FORMS: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/\b(\d{4}-\d{2}-\d{2})\b/g, (_, day = "") => day],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH}),? (\\d{4})\\b`, "gi"),
    (_, day = "", month = "", year = "") => iso(year, month, day),
  ],
  [
    new RegExp(`\\b(${MONTH}) (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, "gi"),
    (_, month = "", day = "", year = "") => iso(year, month, day),
  ],
  [/\b(\d{1,2}:\d{2})\b(?! ?[ap]\.?m)/gi, (_, clock = "") => clock.padStart(5, "0")],
  [
    /\b(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\b/gi,
    (_, hour = "0", minutes = "00", half = "a") => {
      const told = (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
      return `${String(told).padStart(2, "0")}:${minutes === "" ? "00" : minutes}`;
    },
  ],
];

/** The days and times of day that a text names, in one way of writing, and the text without them. */
export function findDates(text: string): { readonly dates: readonly string[]; readonly rest: string } {
  const dates: string[] = [];
  let rest = text;
  for (const [form, written] of FORMS) {
    rest = rest.replace(form, (...match: unknown[]) => {
      dates.push(written(...match.slice(0, 4).map((part) => (typeof part === "string" ? part : ""))));
      return " ";
    });
  }
  return { dates: [...new Set(dates)], rest };
}

function iso(year: string, month: string, day: string): string {
  const number = MONTHS.indexOf(month.toLowerCase()) + 1;
  return `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** Time words that mean another day when they are read later. */
const RELATIVE =
  /\b(?:today|tonight|tomorrow|yesterday|ago|last|next|this|coming|in \S+ (?:days?|weeks?|months?|years?)|heute|morgen|gestern|demain|hier|aujourd'hui|hoy|ayer|mañana)\b/iu;

/**
 * A text in which words such as "tomorrow" are dates, counted from when it was said (milliseconds since the epoch).
 * Dates that are written out already stay as they are.
 */
export function withoutRelativeTimes(text: string, said: number): string {
  let written = "";
  let at = 0;
  for (const time of resolveTimeWords(text, said)) {
    if (!RELATIVE.test(time.text)) continue;
    const before = text.slice(at, time.index);
    // "on tomorrow" would become "on on 2026-11-20".
    const first = /^\S+ /.exec(time.written)?.[0] ?? "";
    written += first !== "" && before.toLowerCase().endsWith(first) ? before.slice(0, -first.length) : before;
    written += time.written;
    at = time.index + time.text.length;
  }
  return written + text.slice(at);
}
