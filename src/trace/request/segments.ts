import type { ChatMessage, MessagePart, PartSource } from "../../agent/models/types.ts";

/** Where a piece of a request came from; `history`: earlier turns; `reply`: what the model itself said in this turn. */
export type SegmentSource = PartSource | "history" | "reply";

/** A piece of a message's content. */
export interface Segment {
  readonly source: SegmentSource;
  /** Where it begins in the content, and how long it is: UTF-16 units. */
  readonly start: number;
  readonly length: number;
}

const SOURCES: ReadonlySet<unknown> = new Set<PartSource>([
  ...(["rules", "project_rules", "trust", "tools", "summary", "memory", "references"] as const),
  ...(["question", "others", "task", "persona", "form", "result", "note"] as const),
]);

/** Pieces of one message at most; what comes after them is counted to the last one. */
const MAX_SEGMENTS = 64;

/**
 * The pieces of each message of a request, by where they came from, in order: they always make up the whole content. A
 * message that does not say it, or says what can't be (logs are untrusted, and older ones don't tell), is one piece by
 * its role and place. `question` is what the turn was asked, where that is known.
 */
export function segmentsOf(messages: readonly ChatMessage[], question = ""): readonly (readonly Segment[])[] {
  const parts = messages.map(partsOf);
  const asked = questionAt(messages, parts, question);
  return messages.map((message, index) => {
    const own = parts[index];
    // A protocol tells the results of earlier turns in words too: they are history all the same.
    const isPast = index < asked && own?.every((part) => part.source === "result") === true;
    if (own !== undefined && !isPast) return tiled(own);
    const source = sourceOf(message, index, asked, messages, parts);
    return [{ source, start: 0, length: message.content.length }];
  });
}

/** What a message says of its content, when that can be. */
function partsOf(message: ChatMessage): readonly MessagePart[] | undefined {
  if (message.role !== "system" && message.role !== "user") return undefined;
  const parts: unknown = message.parts;
  if (!Array.isArray(parts) || parts.length === 0) return undefined;
  const checked = parts.filter(isPart);
  if (checked.length !== parts.length) return undefined;
  const length = checked.reduce((sum, part) => sum + part.length, 0);
  return length === message.content.length ? checked : undefined;
}

function isPart(value: unknown): value is MessagePart {
  if (typeof value !== "object" || value === null) return false;
  const { source, length } = value as { readonly source?: unknown; readonly length?: unknown };
  return SOURCES.has(source) && Number.isInteger(length) && (length as number) >= 0;
}

function tiled(parts: readonly MessagePart[]): readonly Segment[] {
  const segments: Segment[] = [];
  let start = 0;
  for (const { source, length } of parts) {
    const last = segments.at(-1);
    if (last !== undefined && segments.length >= MAX_SEGMENTS)
      segments[segments.length - 1] = { ...last, length: last.length + length };
    else segments.push({ source, start, length });
    start += length;
  }
  return segments;
}

/** Which message holds the question; -1 when none does. */
function questionAt(
  messages: readonly ChatMessage[],
  parts: readonly (readonly MessagePart[] | undefined)[],
  question: string,
): number {
  const told = parts.findLastIndex((own) => own?.some(({ source }) => source === "question") === true);
  if (told >= 0) return told;
  const asked = question.trim();
  const held =
    asked === ""
      ? -1
      : messages.findLastIndex(({ role, content }) => role === "user" && content.includes(asked));
  return held >= 0 ? held : messages.findLastIndex(({ role }) => role === "user");
}

function sourceOf(
  { role }: ChatMessage,
  index: number,
  asked: number,
  messages: readonly ChatMessage[],
  parts: readonly (readonly MessagePart[] | undefined)[],
): SegmentSource {
  if (role === "system") return "rules";
  if (index === asked) return "question";
  if (index < asked) {
    // What is put into a model's mouth behind a summary belongs to it.
    const before = parts[index - 1]?.some(({ source }) => source === "summary") === true;
    return before && role === "assistant" && messages[index + 1]?.role !== "tool" ? "summary" : "history";
  }
  if (role === "assistant") return "reply";
  return role === "tool" ? "result" : "note";
}
