import { isJsonObject } from "../agent/json.ts";
import type { Json } from "../agent/models/types.ts";
import { parseLine } from "./parse-line.ts";

/** What of an event is text that a user may look for. Prompts are not: they repeat what other turns said. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  "query.received": ["query", "references"],
  "model.end": ["content", "thinking", "tool_calls", "error"],
  "tool.request": ["name", "arguments"],
  "tool.result": ["result", "error"],
  "answer.dialog": ["answer", "conclave.sources"],
  "sandbox.start": ["scenario"],
  "sandbox.message": ["content"],
  "user.feedback": ["note", "conclave.evidence"],
  "reward.event": ["reason"],
  "critique.result": ["feedback", "conclave.raw", "conclave.ungraded"],
  "critique.corrected": ["reason"],
  "pairwise.result": ["feedback", "conclave.raw", "conclave.orders"],
  "shadow.answer": ["answer", "error"],
  "memory.card": ["text"],
  "memory.learned": ["conclave.learned"],
  warning: ["message"],
  "turn.end": ["error"],
};

/** Finds the turns of a log whose texts hold some words, in any case and as parts of words. */
export class TextSearch {
  readonly #words: readonly string[];
  /** As they stand in a line of JSON. */
  readonly #escaped: readonly string[];
  readonly #found = new Map<string, Set<string>>();

  /** @param words in lower case; blank ones are found nowhere */
  constructor(words: readonly string[]) {
    this.#words = words;
    this.#escaped = words.map((word) => JSON.stringify(word).slice(1, -1));
  }

  /** Takes a line of a log. */
  take(line: string): void {
    const folded = line.toLowerCase();
    if (!this.#escaped.some((word) => folded.includes(word))) return;
    const event = parseLine(line);
    const { type, turnId, data, forgotten } = event ?? {};
    if (typeof type !== "string" || typeof turnId !== "string" || !isJsonObject(data)) return;
    if (forgotten !== undefined || !Object.hasOwn(TEXTS, type)) return;
    const texts = (TEXTS[type] ?? []).flatMap((key) => textsOf(data[key])).join("\n");
    for (const word of this.#words) if (texts.includes(word)) this.#note(turnId, word);
  }

  /** The words that were found in a turn so far. */
  of(turnId: string): ReadonlySet<string> {
    return this.#found.get(turnId) ?? new Set();
  }

  #note(turnId: string, word: string): void {
    const known = this.#found.get(turnId) ?? new Set();
    this.#found.set(turnId, known.add(word));
  }
}

/** All strings of a value, in lower case. */
function textsOf(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value.toLowerCase()];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((part: Json) => textsOf(part));
}
