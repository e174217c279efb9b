const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const number = new Intl.NumberFormat("en-US");

/** A count with thousands apart. */
export function count(value: number): string {
  return number.format(Math.round(value));
}

/** A count and what is counted: `1 turn`, `2 turns`. */
export function counted(value: number, what: string): string {
  return `${count(value)} ${what}${value === 1 ? "" : "s"}`;
}

/** A duration: `18 ms`, `6.1 s`, `2 min 3 s`; empty where it is not known. */
export function duration(ms: number | undefined): string {
  if (ms === undefined || !Number.isFinite(ms)) return "";
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(1)} s`;
  return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`;
}

/** A moment in UTC, the same wherever it is read: `2026-03-20 14:09 UTC`. */
export function moment(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "an unknown time";
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** A size: `812 bytes`, `4.1 kB`, `2.0 MB`. */
export function bytes(value: number): string {
  if (value < 1_000) return counted(value, "byte");
  if (value < 1_000_000) return `${(value / 1_000).toFixed(1)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

/** Token counts of a call: `1,610 in, 212 out`; empty where none is known. */
export function tokens(input: number | undefined, output: number | undefined): string {
  const parts = [
    input === undefined ? "" : `${count(input)} in`,
    output === undefined ? "" : `${count(output)} out`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** What there is of some words, with a dot between. */
export function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}
