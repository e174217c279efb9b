import type { Json } from "../models/types.ts";
import { isJsonObject } from "../json.ts";

/** Results shorter than this, in UTF-16 units, are given again: a note would be as long. */
const SHORT = 300;

/** Calls that are kept of one run. */
const MAX_CALLS = 200;

/** The same text for the same call: the name, and the arguments with the fields of objects in one order. */
export function callKey(name: string, args: Json): string {
  return `${name} ${JSON.stringify(sorted(args))}`;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

/**
 * What was given in one run of the loop for calls that only read. The same call again gets a note that points to the
 * result above instead of the whole text once more. Whatever may change what is read, or takes a result out of the
 * prompt, empties it.
 */
export class GivenResults {
  readonly #ids = new Map<string, string>();

  /** The note for a call that was answered before; nothing for a new one. */
  noteFor(key: string): string | undefined {
    const id = this.#ids.get(key);
    if (id === undefined) return undefined;
    return `[the same call was made before in this turn: its result stands above (call ${id}) and still holds; use that one]`;
  }

  /** Keeps that a call was answered in full. */
  keep(key: string, callId: string, content: string): void {
    if (content.length < SHORT || this.#ids.size >= MAX_CALLS) return;
    this.#ids.set(key, callId);
  }

  /** From now on every call is run anew. */
  clear(): void {
    this.#ids.clear();
  }
}
