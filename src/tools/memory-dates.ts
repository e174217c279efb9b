import { z } from "zod";
import { failed, success, type Result } from "../agent/failure.ts";
import { resolveTimeWords } from "../agent/time/time-words.ts";

const ISO = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;
const HOUR_AND_MORE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** The argument of a tool that limits it to a time, at its end. */
export const endArgument = z.string().trim().max(100).optional();
/** The same at its beginning. What is said of its form holds for both. */
export const timeArgument = endArgument.describe("Such as 2026-05-08");

/** Both ends of a time as a model writes it, included; milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Which stretch of time a search is limited to; an end that is left out is open. */
export interface AskedTimes {
  readonly from?: number;
  readonly to?: number;
}

function isBlank(text: string | undefined): text is undefined | "" {
  return text === undefined || text.trim() === "";
}

/**
 * Reads `from` and `to` of a search: dates such as `2026-05-08`, `2026-05` or `2026`, instants, or words such as
 * "last week", in the time zone of this machine. `to` includes the whole of its day, month or week. A blank text counts
 * as left out: models write one. The failure says what can't be read.
 */
export function readTimes(from: string | undefined, to: string | undefined, now: number): Result<AskedTimes> {
  const first = isBlank(from) ? undefined : readTime(from, now);
  const last = isBlank(to) ? undefined : readTime(to, now);
  for (const [asked, read, name] of [
    [from, first, "from"],
    [to, last, "to"],
  ] as const) {
    if (!isBlank(asked) && read === undefined) {
      return failed(
        "tool_arguments",
        `"${asked.slice(0, 80)}" is no time that ${name} can be. Give a date such as 2026-05-08, or words such as "last week".`,
      );
    }
  }
  const isTurned = first !== undefined && last !== undefined && first.from > last.to;
  const [early, late] = isTurned ? [last, first] : [first, last];
  return success({
    ...(early !== undefined && { from: early.from }),
    ...(late !== undefined && { to: late.to }),
  });
}

/** A time as a model writes it, as `readTimes` reads them; undefined when it can't be read. */
export function readTime(text: string, now: number): Span | undefined {
  const asked = text.trim();
  const iso = ISO.exec(asked);
  if (iso !== null) return isoSpan(iso);
  if (HOUR_AND_MORE.test(asked)) {
    const time = Date.parse(asked.replace(" ", "T"));
    return Number.isNaN(time) ? undefined : { from: time, to: time };
  }
  return resolveTimeWords(asked, now)[0];
}

function isoSpan([, year = "", month, day]: RegExpExecArray): Span | undefined {
  const [y, m, d] = [Number(year), Number(month ?? 1), Number(day ?? 1)];
  const begin = new Date(y, m - 1, d);
  begin.setFullYear(y);
  if (begin.getMonth() !== m - 1 || begin.getDate() !== d) return undefined;
  const end = new Date(begin);
  if (day !== undefined) end.setDate(d + 1);
  else if (month !== undefined) end.setMonth(m);
  else end.setFullYear(y + 1);
  return { from: begin.getTime(), to: end.getTime() - 1 };
}
