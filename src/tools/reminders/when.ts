import { failed, success, type Result } from "../../agent/failure.ts";
import { resolveTimeWords, type ResolvedTime } from "../../agent/time/time-words.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A day without a time of day means its morning. */
const MORNING = 9;
/** Nobody is reminded of something in so many years. */
const MAX_YEARS = 10;

const NUMBERS: Readonly<Record<string, number>> = {
  ...{
    a: 1,
    an: 1,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
  },
  ...{ fifteen: 15, twenty: 20, thirty: 30, forty: 40, half: 0.5 },
};
const AMOUNT = `\\d{1,4}(?:\\.\\d)?|${Object.keys(NUMBERS)
  .sort((a, b) => b.length - a.length)
  .join("|")}`;
const UNIT = "minutes?|mins?|hours?|hrs?|days?|weeks?|fortnights?|months?|years?";
const SPAN = new RegExp(
  `^(?:in |after )?(?:about )?(${AMOUNT})(?: an?)? ?(${UNIT})(?:(?: and)? (a half|a quarter|(?:${AMOUNT})(?: an?)? ?(?:minutes?|mins?|hours?)))?(?: from now| time)?$`,
  "i",
);
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)? ?(Z|[+-]\d{2}:?\d{2})?$/i;
const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const CLOCK =
  /^(?:at |by |@ ?)?(?:(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\.?|(\d{1,2}):(\d{2})|(noon|midday|midnight))$/i;
/** Words around a time that say nothing more of it. */
const AROUND =
  /(?<![\p{L}\p{N}])(?:on|at|by|the|in|around|about|please|for|again)(?![\p{L}\p{N}])|[\s,.;:!]+/giu;

/**
 * When a reminder is due, from words such as "tomorrow at 3pm", "in 20 minutes" or "at 15:00", or an ISO date or time,
 * in the time zone of this machine; milliseconds since the epoch. A day alone means nine in the morning. What is past,
 * and what names no one time, is refused with a sentence for the model.
 */
export function readWhen(when: string, now: number): Result<number> {
  const text = when.replace(/\s+/g, " ").trim();
  const at = instantOf(text) ?? spanFrom(text, now) ?? clockAfter(text, now) ?? fromWords(text, now);
  if (at === undefined) return unclear(when, "");
  if (typeof at === "string") return unclear(when, at);
  if (at <= now) return refused(`"${when.slice(0, 80)}" is past. Give a time that is still to come.`);
  if (at > shifted(now, (date) => date.setFullYear(date.getFullYear() + MAX_YEARS)))
    return refused(`"${when.slice(0, 80)}" is more than ${MAX_YEARS} years away.`);
  return success(at);
}

/** An ISO time; without a zone it is this machine's, and a date alone means its morning. */
function instantOf(text: string): number | undefined {
  const date = DATE.exec(text);
  if (date !== null) {
    const [, year, month, day] = date.map(Number);
    return year === undefined || month === undefined || day === undefined
      ? undefined
      : realDay(year, month, day)?.setHours(MORNING);
  }
  const instant = INSTANT.exec(text);
  if (instant === null) return undefined;
  const [, day = "", clock = "", seconds = "", zone = ""] = instant;
  const [year = 0, month = 0, dayOfMonth = 0] = day.split("-").map(Number);
  const time = Date.parse(`${day}T${clock}${seconds === "" ? ":00" : seconds}${zone.toUpperCase()}`);
  return Number.isNaN(time) || realDay(year, month, dayOfMonth) === undefined ? undefined : time;
}

/** 30 February is no day. */
function realDay(year: number, month: number, day: number): Date | undefined {
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && date.getDate() === day ? date : undefined;
}

/** "in 20 minutes", "in an hour and a half", "in two weeks": of longer units the time of day stays. */
function spanFrom(text: string, now: number): number | undefined {
  const match = SPAN.exec(text);
  if (match === null) return undefined;
  const [, amount = "", unit = "", more] = match;
  const count = NUMBERS[amount.toLowerCase()] ?? Number(amount);
  const plain = unit.toLowerCase().replace(/s$/, "");
  const unitMs = plain.startsWith("min") ? MINUTE_MS : plain.startsWith("h") ? HOUR_MS : undefined;
  if (unitMs !== undefined) return now + count * unitMs + moreOf(more, unitMs);
  if (more !== undefined || !Number.isInteger(count)) return undefined;
  return shifted(now, (date) => {
    if (plain === "month") date.setMonth(date.getMonth() + count);
    else if (plain === "year") date.setFullYear(date.getFullYear() + count);
    else date.setDate(date.getDate() + count * (plain === "day" ? 1 : plain === "week" ? 7 : 14));
  });
}

function moreOf(more: string | undefined, unitMs: number): number {
  if (more === undefined) return 0;
  if (/^a (?:half|quarter)$/i.test(more)) return /half/i.test(more) ? unitMs / 2 : unitMs / 4;
  const [amount = "", ...rest] = more.toLowerCase().split(" ");
  const ms = /h(?:ou)?rs?/.test(rest.join(" ")) ? HOUR_MS : MINUTE_MS;
  return (NUMBERS[amount] ?? Number.parseFloat(amount)) * ms;
}

function shifted(now: number, change: (date: Date) => unknown): number {
  const date = new Date(now);
  change(date);
  return date.getTime();
}

/** A time of day alone is the next one. */
function clockAfter(text: string, now: number): number | undefined {
  const match = CLOCK.exec(text);
  if (match === null) return undefined;
  const [, hour12, minutes12 = "0", half = "", hour24, minutes24 = "0", word] = match;
  if (hour12 !== undefined && (Number(hour12) < 1 || Number(hour12) > 12)) return undefined;
  const hour =
    word !== undefined
      ? /midnight/i.test(word)
        ? 0
        : 12
      : hour12 !== undefined
        ? (Number(hour12) % 12) + (half.toLowerCase() === "p" ? 12 : 0)
        : Number(hour24);
  const minute = Number(hour12 !== undefined ? minutes12 : minutes24);
  if (hour > 23 || minute > 59) return undefined;
  const at = shifted(now, (date) => date.setHours(hour, minute, 0, 0));
  return at > now ? at : shifted(at, (date) => date.setDate(date.getDate() + 1));
}

/** Words for one time that leave nothing open; a text says what is missing. */
function fromWords(text: string, now: number): number | string | undefined {
  const [time, other] = resolveTimeWords(text, now);
  if (time === undefined) return undefined;
  if (other !== undefined) return "It names more than one time.";
  const rest = text.slice(0, time.index) + text.slice(time.index + time.text.length);
  if (rest.replace(AROUND, "") !== "") return undefined;
  if (time.grain === "minute") return time.from;
  if (time.grain === "part") return begun(time, now) ? "Give a time of day." : time.from;
  if (time.grain !== "day") return "Give a day, and a time of day if it matters.";
  const morning = shifted(time.from, (date) => date.setHours(MORNING, 0, 0, 0));
  return begun(time, now) ? "Give a time of day." : morning;
}

function begun({ from, to }: ResolvedTime, now: number): boolean {
  return from <= now && now < to;
}

function unclear(when: string, why: string): Result<never> {
  const how =
    why === "" ? 'Give a time such as "tomorrow at 15:00", "in 20 minutes" or 2026-05-08T15:00.' : why;
  return refused(`It is not clear when "${when.slice(0, 80)}" is. ${how}`);
}

function refused(message: string): Result<never> {
  return failed("tool_arguments", message);
}
