import { cutAtGrapheme } from "../agent/text.ts";

/** A text on one line: runs of white space and control signs become one space; at most `limit` units, then `…`. */
export function oneLine(text: string, limit: number): string {
  const start = text.slice(0, limit * 4).replace(/[\s\p{Cc}]+/gu, " ");
  const line = start.trim().toWellFormed();
  if (line.length <= limit) return text.length > limit * 4 ? `${line}…` : line;
  return `${cutAtGrapheme(line, limit - 1).trimEnd()}…`;
}
