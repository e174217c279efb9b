const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

const number = new Intl.NumberFormat("en-US");
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

/** A duration for people: `18 ms`, `6.1 s`, `41 s`, `2 min 3 s`. */
export function duration(ms: number): string {
  if (ms < 0.5) return "0 ms";
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < MINUTE) return `${Math.round(ms / SECOND)} s`;
  return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`;
}

/** A duration that is still growing: whole seconds, so that it does not flicker. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A count with thousands apart. */
export function count(value: number): string {
  return number.format(Math.round(value));
}

/** A number of tokens: `1 token`, `2,140 tokens`. */
export function tokenCount(value: number): string {
  return `${count(value)} ${Math.round(value) === 1 ? "token" : "tokens"}`;
}

/** A size of memory or file: `5.2 GB`. */
export function bytes(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} GB`;
  if (value >= 1e6) return `${Math.round(value / 1e6)} MB`;
  return `${count(Math.max(1, value / 1e3))} kB`;
}

/** A length of text: `2,140 characters`, `2.1 M characters`. */
export function characters(value: number): string {
  return value >= 1e6 ? `${(value / 1e6).toFixed(1)} M characters` : `${count(value)} characters`;
}

/** Characters of a text that stand on a line; the line cuts it to what there is room for. */
const MAX_LINE = 240;

/** The beginning of a text on one line, without the commonest marks of Markdown. */
export function oneLine(text: string): string {
  return text
    .slice(0, MAX_LINE)
    .replace(/\*\*|__|`/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** A text whose direction of writing is its own: right-to-left words in it don't turn what stands around it. */
export function isolated(text: string): string {
  return text === "" ? "" : `\u2068${text}\u2069`;
}

/** The time of day: `14:02`. */
export function timeOfDay(time: number): string {
  return clock.format(time);
}

/** The day, by a word where there is one: `Today`, `Yesterday`, `12 Mar`. */
export function dayOf(time: number, now: number): string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (time >= today) return "Today";
  if (time >= today - DAY) return "Yesterday";
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? day : dayOfYear).format(time);
}

/** Day and time: `12 Mar, 14:02`. */
export function when(time: number, now: number): string {
  return `${dayOf(time, now)}, ${timeOfDay(time)}`;
}

/** A time that has an end: the moment, the day, or both days: `12 Mar, 14:02`, `12 Mar`, `12 Mar – 3 Apr`. */
export function span(from: number, to: number, now: number): string {
  if (to - from < MINUTE) return when(from, now);
  const [first, last] = [dayOf(from, now), dayOf(to, now)];
  return first === last ? first : `${first} – ${last}`;
}

/** How long ago something was, as short as it can be said: `now`, `5 min`, `3 h`, `2 d`, `5 wk`, `7 mo`, `2 y`. */
export function age(time: number, now: number): string {
  const ms = Math.max(0, now - time);
  if (ms < MINUTE) return "now";
  if (ms < 60 * MINUTE) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / (60 * MINUTE))} h`;
  if (ms < 14 * DAY) return `${Math.floor(ms / DAY)} d`;
  if (ms < 60 * DAY) return `${Math.floor(ms / (7 * DAY))} wk`;
  if (ms < 365 * DAY) return `${Math.floor(ms / (30.4 * DAY))} mo`;
  return `${Math.floor(ms / (365 * DAY))} y`;
}

/** A day with its year: `12 Mar 2026`. */
export function date(time: number): string {
  return dayOfYear.format(time);
}
