import { createContext, Script } from "node:vm";
import { describeError } from "../../../agent/failure.ts";

/** How long one regular expression may look at one text, in milliseconds: some never end. */
const TIMEOUT_MS = 500;

/** Text that is looked at, in UTF-16 units. */
const MAX_TEXT = 200_000;

/** What a text must hold. */
export interface Pattern {
  /** As it was written. */
  readonly source: string;
  /** A regular expression: its body and flags; left out: the words are looked for as they are, whatever their case. */
  readonly regex?: { readonly body: string; readonly flags: string };
}

/** Whether a text holds what is wanted, or why that could not be told. */
export type Found = boolean | { readonly problem: string };

const REGEX = /^\/([\s\S]+)\/([a-z]*)$/u;

/** What is wrong with a pattern as it is written; undefined where nothing is. */
export function patternProblem(text: string): string | undefined {
  const match = REGEX.exec(text.trim());
  if (match === null) return undefined;
  try {
    new RegExp(match[1] ?? "", flagsOf(match[2]));
    return undefined;
  } catch (error) {
    return `is no regular expression that can be read (${describeError(error).slice(0, 200)})`;
  }
}

/** Reads a pattern that has no problem: `/.../flags` is a regular expression, all else is text. */
export function asPattern(text: string): Pattern {
  const match = REGEX.exec(text.trim());
  if (match === null) return { source: text };
  return { source: text.trim(), regex: { body: match[1] ?? "", flags: flagsOf(match[2]) } };
}

/** Looks for a pattern in a text. Bounded in time, whatever the expression. Never throws. */
export function find(pattern: Pattern, text: string): Found {
  const within = text.slice(0, MAX_TEXT);
  if (pattern.regex === undefined) return plain(within).includes(plain(pattern.source));
  const { body, flags } = pattern.regex;
  try {
    // The engine of regular expressions heeds the timeout of a context, and nothing else.
    const found: unknown = new Script("new RegExp(body, flags).test(text)").runInContext(
      createContext({ body, flags, text: within }),
      { timeout: TIMEOUT_MS },
    );
    return found === true;
  } catch {
    return { problem: `${pattern.source} took longer than ${TIMEOUT_MS} ms` };
  }
}

/** With `g` and `y` an expression remembers where it was; without `s` a dot ends at the line. */
function flagsOf(flags = ""): string {
  return flags.replace(/[gy]/gu, "");
}

/** For comparing words: case, and how white space is broken into lines, make no difference. */
function plain(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/gu, " ").trim();
}
