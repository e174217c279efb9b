import { LRUCache } from "lru-cache";

/** Milliseconds of a day of 24 hours. */
export const DAY_MS = 86_400_000;

/** Formatters are dear to make; nobody has more time zones than this at once. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 16 });

/** The time zone of this machine, such as `Europe/Oslo`. */
export function systemTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function formatter(timeZone: string): Intl.DateTimeFormat {
  let known = formatters.get(timeZone);
  if (known === undefined) {
    known = makeFormatter(timeZone);
    formatters.set(timeZone, known);
  }
  return known;
}

/** A zone that nobody knows is taken for UTC: a date that is hours off beats none. */
function makeFormatter(timeZone: string): Intl.DateTimeFormat {
  const parts = {
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  } as const;
  try {
    return new Intl.DateTimeFormat("en-US", { ...parts, timeZone });
  } catch {
    return new Intl.DateTimeFormat("en-US", { ...parts, timeZone: "UTC" });
  }
}

/**
 * What clocks on the wall show at an instant, as milliseconds since 1970-01-01 00:00 on that wall; so the day is the
 * whole part of it divided by `DAY_MS`.
 */
export function wallTime(instant: number, timeZone: string): number {
  const whole = Math.floor(instant / 1_000) * 1_000;
  const found: Record<string, number> = {};
  for (const { type, value } of formatter(timeZone).formatToParts(whole)) found[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (instant - whole);
}

/** The instant at which clocks on the wall show `wall`; the later side of an hour that a clock change leaves out. */
export function instantOf(wall: number, timeZone: string): number {
  let instant = wall;
  // The offset at the guess may be another one than at the place it leads to: the second look settles it.
  for (let round = 0; round < 2; round += 1) instant += wall - wallTime(instant, timeZone);
  return instant;
}

/** The number of a calendar day, counted from 1970-01-01. Months count from 1; days and months may overflow. */
export function dayNumber(year: number, month: number, day: number): number {
  return Math.floor(Date.UTC(year, month - 1, day) / DAY_MS);
}

/** A calendar day by its number: month from 1, `weekday` from Monday = 0. */
export function calendarDay(day: number): {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
} {
  const date = new Date(day * DAY_MS);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: (date.getUTCDay() + 6) % 7,
  };
}

/** A day such as `2026-11-20`. */
export function dayText(day: number): string {
  const { year, month, day: date } = calendarDay(day);
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
}
