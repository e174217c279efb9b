import type { CaseProblem } from "./case/file.ts";

/** A problem of a case's file as compilers word them: where, how bad, what. */
export function problemLine({ file, line, column, severity, message }: CaseProblem): string {
  return `${file}:${line}:${column}: ${severity}: ${message}`;
}

/** A share in whole percent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** A share with its interval. */
export function shareWords({ estimate, low, high }: { estimate: number; low: number; high: number }): string {
  return `${percent(estimate)} (${Math.round(low * 100)}-${percent(high)})`;
}

/** A figure with as many places as are worth reading. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "-";
  // Less than what is shown is nothing, and nothing has no sign.
  if (Math.abs(value) < 0.005) return "0";
  const places = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(places);
}

/** Milliseconds in words. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  return seconds < 120
    ? `${figure(seconds)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
