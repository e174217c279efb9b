import { cutAtGrapheme } from "../agent/text.ts";

/** The longest string the log keeps whole, in UTF-16 units. */
export const LOGGED_STRING_LIMIT = 256 * 1024;

const MAX_DEPTH = 64;

/** How deep the messages of a request lie in its event: event, data, list, message. */
const MESSAGE_DEPTH = 3;

/** Messages that were looked at before: each request of a turn holds those of the request before it, unchanged. */
const seen = new WeakMap<object, Bounded<object>>();

/** A value made fit for the log, and about how many characters it holds. */
export interface Bounded<T> {
  readonly value: T;
  readonly size: number;
}

function boundString(text: string): string {
  if (text.length <= LOGGED_STRING_LIMIT) return text.isWellFormed() ? text : text.toWellFormed();
  const kept = cutAtGrapheme(text, LOGGED_STRING_LIMIT).toWellFormed();
  return `${kept}\n[cut: ${kept.length} of ${text.length} characters kept in the trace]`;
}

/**
 * Makes a value fit for the log: long strings are cut (and say so), lone surrogates are replaced, nesting is bounded.
 * What needs no change is shared with the input, which is never altered.
 */
export function boundForLog<T>(value: T): Bounded<T> {
  let size = 0;
  const visit = (part: unknown, depth: number): unknown => {
    if (typeof part === "string") {
      const text = boundString(part);
      size += text.length;
      return text;
    }
    size += 8;
    if (typeof part !== "object" || part === null) return part;
    if (depth > MAX_DEPTH) return "[cut: nested too deeply]";
    if (Array.isArray(part)) return visitList(part, depth);
    return depth === MESSAGE_DEPTH ? visitMessage(part, depth) : visitRecord(part, depth);
  };
  const visitMessage = (message: object, depth: number): object => {
    const known = seen.get(message);
    if (known !== undefined) {
      size += known.size;
      return known.value;
    }
    const before = size;
    const bounded = { value: visitRecord(message, depth), size: 0 };
    bounded.size = size - before;
    seen.set(message, bounded);
    return bounded.value;
  };
  const visitList = (list: readonly unknown[], depth: number): readonly unknown[] => {
    let copy: unknown[] | undefined;
    list.forEach((item, index) => {
      const next = visit(item, depth + 1);
      if (next !== item) (copy ??= [...list])[index] = next;
    });
    return copy ?? list;
  };
  const visitRecord = (record: object, depth: number): object => {
    let copy: Record<string, unknown> | undefined;
    for (const [key, item] of Object.entries(record)) {
      size += key.length;
      const next = visit(item, depth + 1);
      if (next !== item) (copy ??= { ...record })[key] = next;
    }
    return copy ?? record;
  };
  return { value: visit(value, 0) as T, size };
}
