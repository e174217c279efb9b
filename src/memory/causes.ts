import { describeError } from "../agent/failure.ts";

/** The text of what was thrown, on one line and short: native libraries put pages of source into theirs. */
export function shortCause(error: unknown): string {
  return oneLine(describeError(error), 1_000);
}

/** A text on one line, cut to a length in UTF-16 units. */
export function oneLine(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 2)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > limit ? `${line.slice(0, limit)}...` : line;
}
