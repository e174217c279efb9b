import { jsonrepair } from "jsonrepair";
import type { Json } from "../../models/types.ts";

const VALID_ESCAPES = new Set(['"', "\\", "/", "b", "f", "n", "r", "t"]);
const HEX4 = /^[0-9a-fA-F]{4}$/;

/**
 * Reads the JSON that a model wrote, mending what models get wrong. Give it only a located candidate that was not cut
 * off: the mender closes what is open. Numbers that a JavaScript number can't hold keep their digits as strings.
 * `undefined` when it is beyond mending.
 */
export function parseLoose(text: string): Json | undefined {
  const tidied = tidy(text);
  const exact = parseExact(tidied);
  if (exact !== undefined) return exact;
  try {
    return parseExact(tidy(jsonrepair(tidied)));
  } catch {
    return undefined;
  }
}

/** Reads JSON as it stands; `undefined` when it is none. */
function parseExact(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * The same JSON with what is surely meant: control characters inside strings escaped, a backslash before anything
 * that is no escape doubled, numbers beyond a double's digits in quotes. Leaves valid JSON with small numbers as it is.
 */
export function tidy(text: string): string {
  const out: string[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') at = tidyString(text, at, out);
    else if (isDigit(char) || (char === "-" && isDigit(text.charAt(at + 1)))) at = tidyNumber(text, at, out);
    else if (/\w/.test(char)) at = copyWord(text, at, out);
    else {
      out.push(char);
      at += 1;
    }
  }
  return out.join("");
}

function tidyString(text: string, start: number, out: string[]): number {
  out.push('"');
  let at = start + 1;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') {
      out.push('"');
      return at + 1;
    }
    if (char === "\\") {
      const next = text.charAt(at + 1);
      out.push(escapeOf(next, text.slice(at + 2, at + 6)));
      at += 2;
    } else {
      out.push(char < " " ? JSON.stringify(char).slice(1, -1) : char);
      at += 1;
    }
  }
  return at;
}

function escapeOf(char: string, following: string): string {
  if (VALID_ESCAPES.has(char) || (char === "u" && HEX4.test(following))) return `\\${char}`;
  if (char === "'") return char;
  return char === "\n" ? "\\n" : `\\\\${char}`;
}

function tidyNumber(text: string, start: number, out: string[]): number {
  let at = start + 1;
  while (at < text.length && /[\w.+-]/.test(text.charAt(at))) at += 1;
  const token = text.slice(start, at);
  const isInteger = /^-?\d+$/.test(token);
  const value = Number(token);
  const tooBig = isInteger ? !Number.isSafeInteger(value) : Math.abs(value) === Infinity;
  out.push(tooBig ? `"${token}"` : token);
  return at;
}

function copyWord(text: string, start: number, out: string[]): number {
  let at = start + 1;
  while (at < text.length && /\w/.test(text.charAt(at))) at += 1;
  out.push(text.slice(start, at));
  return at;
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9";
}
