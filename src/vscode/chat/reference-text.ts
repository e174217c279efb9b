import type { Reference } from "../../agent/events.ts";

/** References that fit, and what had to be left out, in words. */
export interface FittedReferences {
  readonly references: readonly Reference[];
  readonly notes: readonly string[];
}

/** Characters per token at most: what is cut here could not have fitted whatever the tokenizer. */
const CHARS_PER_TOKEN = 4;

/**
 * How many characters of attached files can fit a context of so many tokens at all. What they really may take beside
 * conversation and tools is for the engine to say; this keeps a huge file out of memory and log.
 */
export function referenceBudget(contextLength: number): number {
  return contextLength * CHARS_PER_TOKEN;
}

/** Cuts text at the end of a line, or, where one line is longer than the room, between two characters. */
function cutAt(text: string, room: number): string {
  const head = text.slice(0, room);
  const line = head.lastIndexOf("\n");
  if (line > room / 2) return head.slice(0, line + 1);
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
}

/**
 * Cuts references to a budget of characters. Each may use what the smaller ones leave over, so that a short selection
 * is never cut for the sake of a long file. The same file given twice counts once.
 */
export function fitReferences(references: readonly Reference[], budget: number): FittedReferences {
  const unique = references.filter((one, at) => references.findIndex((other) => same(one, other)) === at);
  const shares = new Map<Reference, number>();
  let room = budget;
  const bySize = unique.toSorted((a, b) => a.text.length - b.text.length);
  for (const [at, reference] of bySize.entries()) {
    const share = Math.min(reference.text.length, Math.floor(room / (bySize.length - at)));
    shares.set(reference, share);
    room -= share;
  }
  const notes: string[] = [];
  const fitted = unique.map((reference) => {
    const share = shares.get(reference) ?? 0;
    if (share >= reference.text.length) return reference;
    const text = cutAt(reference.text, share);
    notes.push(
      `${reference.label}: only the first ${text.length} of ${reference.text.length} characters fit the context.`,
    );
    return { ...reference, text };
  });
  return { references: fitted, notes };
}

function same(a: Reference, b: Reference): boolean {
  return a.uri === b.uri && a.label === b.label && a.text === b.text;
}

/** Whether text is that of a binary file: it holds a NUL among its first characters. */
export function looksBinary(text: string): boolean {
  return text.slice(0, 8_000).includes("\0");
}
