import type { FoundSecret } from "./secret.ts";

const BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
const END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;

/** What a key goes on with where its end was cut off: base64, line ends, and what numbers or quotes lines. */
const BODY = /[A-Za-z0-9+/=\s:,.|>*#-]{0,16384}/y;

/** PuTTY's own form: so many lines of base64. */
const PUTTY = /Private-Lines:[ \t]{0,8}\d{1,4}\s{1,4}([A-Za-z0-9+/=\s]{16,16384})/g;

/** Private keys in PEM, whole blocks; one without an end goes as far as it looks like a key. */
export function privateKeys(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  const ends = [...text.matchAll(END)].map((match) => match.index + match[0].length);
  let next = 0;
  for (const match of text.matchAll(BEGIN)) {
    const start = match.index;
    if (start < (found.at(-1)?.end ?? 0)) continue;
    const body = start + match[0].length;
    while (next < ends.length && (ends[next] ?? 0) < body) next += 1;
    found.push({ start, end: ends[next] ?? cutBody(text, body), kind: "private key" });
  }
  for (const match of text.matchAll(PUTTY)) {
    const end = match.index + match[0].length;
    found.push({ start: end - (match[1]?.length ?? 0), end, kind: "private key" });
  }
  return found;
}

function cutBody(text: string, from: number): number {
  BODY.lastIndex = from;
  return from + (BODY.exec(text)?.[0].length ?? 0);
}
