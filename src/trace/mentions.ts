import { isJsonObject } from "../agent/json.ts";
import type { Json, JsonObject } from "../agent/models/types.ts";
import { parseLine } from "./parse-line.ts";
import { oneLine } from "./text.ts";

const QUESTION_LENGTH = 160;

/**
 * Some words to be found in texts: as they stand, in any case, as whole words, with any white space between them. Blank
 * words are found nowhere.
 */
export class Mention {
  readonly #words: readonly string[];
  readonly #sought: RegExp;

  constructor(words: string) {
    this.#words = words
      .normalize("NFC")
      .split(/\s+/)
      .filter((word) => word !== "");
    const escaped = this.#words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
    this.#sought = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped.join("\\s+")}(?![\\p{L}\\p{N}_])`, "iu");
  }

  /** Whether a text mentions it. */
  isIn(text: string): boolean {
    return this.#words.length > 0 && this.#sought.test(text.normalize("NFC"));
  }

  /** Whether a line of JSON may hold a text that does: a quick look, which misses none. */
  mayBeIn(json: string): boolean {
    if (this.#words.length === 0) return false;
    const line = folded(json);
    return this.#words.every((word) => line.includes(folded(JSON.stringify(word).slice(1, -1))));
  }
}

/** Text without the differences that a search in any case passes over, and some more. */
function folded(text: string): string {
  return text.normalize("NFC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** A turn that mentions something. */
export interface MentioningTurn {
  readonly sessionId: string;
  readonly turnId: string;
  /** What was asked, on one line. */
  readonly question: string;
  /** Whether memory took it up when it ended. */
  readonly remembered: boolean;
}

function saysIt(value: Json | undefined, mention: Mention): boolean {
  if (typeof value === "string") return mention.isIn(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part: Json) => saysIt(part, mention));
}

/** What of an event is the turn's own: what was asked, thought and said, and what tools were asked for. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  "query.received": ["query", "references"],
  "model.end": ["content", "thinking", "tool_calls"],
  "tool.request": ["arguments"],
  "answer.dialog": ["answer"],
  "sandbox.start": ["scenario"],
  "sandbox.message": ["content"],
  "user.feedback": ["note", "conclave.evidence"],
  "shadow.answer": ["answer"],
  "critique.corrected": ["reason"],
};

/** Gathers the turns that speak of something themselves, from the events of a log in order. */
export class MentionFinder {
  readonly #mention: Mention;
  readonly #questions = new Map<string, string>();
  readonly #found = new Map<string, string>();
  readonly #remembered = new Set<string>();

  constructor(words: string) {
    this.#mention = new Mention(words);
  }

  /** Takes a line of a log. */
  takeLine(line: string): void {
    // Of every turn its question is kept, and whether it was remembered.
    const isOfAll = line.includes('"query.received"') || line.includes('"memory.ingested"');
    if (!isOfAll && !this.#mention.mayBeIn(line)) return;
    const event = parseLine(line);
    if (event !== undefined) this.take(event);
  }

  /** Takes an event. */
  take({ type, sessionId, turnId, data, forgotten }: JsonObject): void {
    if (typeof turnId !== "string" || typeof sessionId !== "string" || !isJsonObject(data)) return;
    if (typeof type !== "string" || forgotten !== undefined) return;
    if (type === "query.received" && typeof data["query"] === "string")
      this.#questions.set(turnId, oneLine(data["query"], QUESTION_LENGTH));
    if (type === "memory.ingested" && Array.isArray(data["conclave.episode_ids"]))
      if (data["conclave.episode_ids"].length > 0) this.#remembered.add(turnId);
    const own = Object.hasOwn(OWN, type) ? (OWN[type] ?? []) : [];
    if (own.some((key) => saysIt(data[key], this.#mention))) this.#found.set(turnId, sessionId);
  }

  /** The turns found so far. */
  turns(): readonly MentioningTurn[] {
    return [...this.#found].map(([turnId, sessionId]) => ({
      sessionId,
      turnId,
      question: this.#questions.get(turnId) ?? "",
      remembered: this.#remembered.has(turnId),
    }));
  }
}
