import type { ChatMessage, MessagePart, PartSource } from "./models/types.ts";
import { wellFormed } from "./text.ts";

/** What stands between the pieces of a message. */
const GAP = "\n\n";

/** A message of the system or of the user's side: those that tell where their content came from. */
type OwnMessage = Extract<ChatMessage, { readonly role: "system" | "user" }>;

/** A piece of a prompt, and where it came from. */
export interface SourcedText {
  readonly source: PartSource;
  readonly text: string;
  /** What a small model is told in its place; left out: the same. */
  readonly small?: string;
}

/** A message made of pieces with an empty line between them. */
export function composed(role: OwnMessage["role"], pieces: readonly SourcedText[]): OwnMessage {
  return { role, ...joined(pieces) };
}

/** A message whose content came from one place. */
export function madeOf(role: OwnMessage["role"], source: PartSource, content: string): OwnMessage {
  return { role, content, parts: [{ source, length: content.length }] };
}

/**
 * A message with more pieces behind it, trimmed as a whole; the very same message where they are blank. What the
 * message does not tell of itself is taken for `source`.
 */
export function extended(
  message: OwnMessage,
  pieces: readonly SourcedText[],
  source: PartSource = "question",
): OwnMessage {
  const filled = pieces.filter(({ text }) => text.trim() !== "");
  const last = filled.length - 1;
  if (last < 0) return message;
  const trimmed = filled.map((piece, index) => {
    const begun = index === 0 ? piece.text.trimStart() : piece.text;
    return { source: piece.source, text: wellFormed(index === last ? begun.trimEnd() : begun) };
  });
  const more = joined(trimmed);
  const before = message.parts ?? [{ source, length: message.content.length }];
  return {
    role: message.role,
    content: `${message.content}${GAP}${more.content}`,
    parts: merged([...withGap(before), ...more.parts]),
  };
}

/** The message without where its content came from: as a conversation keeps it. */
export function withoutParts(message: ChatMessage): ChatMessage {
  if (!("parts" in message)) return message;
  const { role, content } = message;
  return { role, content };
}

function joined(pieces: readonly SourcedText[]): {
  readonly content: string;
  readonly parts: readonly MessagePart[];
} {
  const last = pieces.length - 1;
  const parts = pieces.map(({ source, text }, index) => ({
    source,
    length: text.length + (index < last ? GAP.length : 0),
  }));
  return { content: pieces.map(({ text }) => text).join(GAP), parts: merged(parts) };
}

/** What stands between two pieces belongs to the first of them. */
function withGap(parts: readonly MessagePart[]): readonly MessagePart[] {
  const last = parts.at(-1);
  if (last === undefined) return [{ source: "question", length: GAP.length }];
  return [...parts.slice(0, -1), { source: last.source, length: last.length + GAP.length }];
}

/** Neighbours from the same place are one part; empty ones are none. */
function merged(parts: readonly MessagePart[]): readonly MessagePart[] {
  const result: MessagePart[] = [];
  for (const part of parts) {
    const before = result.at(-1);
    if (part.length === 0) continue;
    if (before?.source === part.source)
      result[result.length - 1] = { source: part.source, length: before.length + part.length };
    else result.push(part);
  }
  return result;
}
