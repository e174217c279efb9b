import type { TurnEvent } from "../../agent/events.ts";
import { boundedValue, mayBeUnbounded } from "../bounded.ts";
import { oneLine } from "../text.ts";
import { parseEvent, parseSessionLine, type SessionLine } from "../event-schema.ts";

/*
 * A line of a file that anyone may have made. What it can do is bounded before it is parsed: its length by the reader
 * of lines, its parts here, so that no line keeps the window waiting.
 */

/** The longest line that is read, in bytes. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** Shorter lines are parsed without counting their parts. */
const SHORT = 64 * 1024;
/** Commas and brackets of a longer line. */
const MAX_PARTS = 60_000;
/** The last moment that a date can name, in milliseconds since the epoch. */
const LAST_TIME = 8.64e15;
/** No figure is larger: sums of many still are numbers. */
const MAX_FIGURE = 1e15;
const MAX_NAME = 200;
/** A kind that is not known is named in a note with so many signs of its name. */
const MAX_NAMED = 60;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Why a line is passed over; `silent` is for what others keep in such a file. */
export type LineProblem =
  "too_long" | "too_many_parts" | "not_json" | "conflict" | "unknown_type" | "not_an_event" | "silent";

/** What a line of a file is. */
export type ForeignLine =
  | { readonly kind: "session"; readonly session: SessionLine }
  | { readonly kind: "event"; readonly event: TurnEvent; readonly mended: boolean }
  | { readonly kind: "problem"; readonly problem: LineProblem; readonly detail?: string };

const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/;
/** Numbers that may be beyond all measure: with an exponent, or with very many digits. */
const LARGE_NUMBER = /\d[eE]|\d{16}/;

function problem(which: LineProblem, detail?: string): ForeignLine {
  return { kind: "problem", problem: which, ...(detail === undefined ? {} : { detail }) };
}

/** Whether a JSON text has so many parts that parsing it would be felt. */
export function hasTooManyParts(text: string): boolean {
  if (text.length < SHORT) return false;
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === COMMA || unit === OPEN_LIST || unit === OPEN_OBJECT) parts += 1;
  }
  // Commas of a long text are no parts: such a line is counted without its strings, which takes longer.
  return parts > MAX_PARTS && partsOutsideStrings(text) > MAX_PARTS;
}

function partsOutsideStrings(text: string): number {
  let parts = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isInString && sign === "\\") at += 1;
    else if (sign === '"') isInString = !isInString;
    else if (!isInString && (sign === "," || sign === "[" || sign === "{")) parts += 1;
  }
  return parts;
}

/** A key of this name would change what an object is, once somebody copies it. */
const PROTO = "__proto__";
const MAY_HOLD_PROTO = /__proto__|\\u005[fF]/;

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Takes keys that change objects, and numbers that nobody can add up, out of values; their nesting is bounded already. */
class Tamer {
  /** Whether a number was set right. */
  mended = false;

  tame(value: unknown): unknown {
    if (typeof value === "number") return this.number(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.tame(item));
    const entries = Object.entries(value).filter(([key]) => key !== PROTO);
    return Object.fromEntries(entries.map(([key, inner]) => [key, this.tame(inner)]));
  }

  private number(value: number): number {
    const within = Math.max(-MAX_FIGURE, Math.min(MAX_FIGURE, value));
    this.mended ||= within !== value;
    return within;
  }
}

/** An event that every view can draw: its time is a time, and its names are names. */
function drawable(event: TurnEvent): TurnEvent | undefined {
  const { time, agent, respondent } = event;
  const isTime = time >= 0 && time <= LAST_TIME;
  if (isTime && agent.length <= MAX_NAME && respondent.length <= MAX_NAME) return undefined;
  return {
    ...event,
    time: isTime ? time : 0,
    agent: agent.slice(0, MAX_NAME),
    respondent: respondent.slice(0, MAX_NAME),
  };
}

/**
 * Reads a line that anyone may have made. Never throws. An event is within the bounds of our own log; `mended` says that
 * its time, its names or its figures were beyond them.
 */
export function readForeignLine(text: string | undefined): ForeignLine {
  if (text === undefined) return problem("too_long");
  if (hasTooManyParts(text)) return problem("too_many_parts");
  const json = parse(text);
  if (json === undefined) return problem(CONFLICT.test(text) ? "conflict" : "not_json");
  const bounded = mayBeUnbounded(text) ? boundedValue(json.value) : json.value;
  const isWild = MAY_HOLD_PROTO.test(text) || LARGE_NUMBER.test(text);
  const tamer = new Tamer();
  const whole = isWild ? tamer.tame(bounded) : bounded;
  const session = parseSessionLine(whole);
  if (session !== undefined) return { kind: "session", session };
  const parsed = parseEvent(whole);
  if ("problem" in parsed) return notAnEvent(whole, parsed);
  const mended = drawable(parsed.event);
  return { kind: "event", event: mended ?? parsed.event, mended: mended !== undefined || tamer.mended };
}

function notAnEvent(value: unknown, { problem: detail, unknownType }: NotAnEvent): ForeignLine {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  // The notebook keeps lines of its own in a trace; they say nothing of what happened.
  if (typeof type === "string" && type.startsWith("notebook.")) return problem("silent");
  if (!unknownType) return problem("not_an_event", detail);
  return problem("unknown_type", typeof type === "string" ? oneLine(type, MAX_NAMED) : detail);
}

interface NotAnEvent {
  readonly problem: string;
  readonly unknownType: boolean;
}
