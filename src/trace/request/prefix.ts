import type { ChatMessage } from "../../agent/models/types.ts";
import { oncePer } from "../../agent/once-per.ts";

/** Characters of a message's text that stand before the first difference and behind it, at most. */
const BEFORE = 200;
const AROUND = 1_200;

/** How one request begins like the one before it: a server keeps what it has read of that. */
export interface PrefixDifference {
  /** Messages that are the same from the start, and how many there are. */
  readonly sameMessages: number;
  readonly messages: number;
  /** Characters (UTF-16 units) that are the same from the start, tool calls and thinking included, and how many there are. */
  readonly sameCharacters: number;
  readonly characters: number;
  /** Where they part; absent where the later request only adds to the earlier one. */
  readonly place?: DifferentPlace;
}

/** The first place at which two requests differ. */
export interface DifferentPlace {
  /** The index of the message, from 0; it may be one behind the last where the later request ends earlier. */
  readonly message: number;
  readonly what: "content" | "role" | "thinking" | "tool calls" | "missing";
  /** The text around the place in the earlier and in the later request; empty where there is none. */
  readonly before: string;
  readonly after: string;
  /** How many characters of the text are the same before what is shown of it. */
  readonly skipped: number;
}

/** Compares two requests from their start. Messages that are the same objects are not read. */
export function prefixDifference(
  before: readonly ChatMessage[],
  after: readonly ChatMessage[],
): PrefixDifference {
  const messages = after.length;
  let characters = 0;
  for (const message of after) characters += lengthOf(message);
  let same = 0;
  let sameCharacters = 0;
  for (; same < Math.min(before.length, messages); same += 1) {
    const [one, other] = [before[same], after[same]];
    if (one === undefined || other === undefined) break;
    const place = one === other ? undefined : placeOf(one, other, same);
    if (place !== undefined) {
      const { found, shared } = place;
      return {
        sameMessages: same,
        messages,
        sameCharacters: sameCharacters + shared,
        characters,
        place: found,
      };
    }
    sameCharacters += lengthOf(other);
  }
  const rest = before[same];
  if (rest === undefined) return { sameMessages: same, messages, sameCharacters, characters };
  const place = {
    message: same,
    what: "missing" as const,
    before: rest.content.slice(0, AROUND),
    after: "",
    skipped: 0,
  };
  return { sameMessages: same, messages, sameCharacters, characters, place };
}

/** What of a message a model reads: content, thinking, calls. */
function readOf(message: ChatMessage): readonly (readonly [DifferentPlace["what"], string])[] {
  if (message.role !== "assistant") return [["content", message.content]];
  const { content, thinking = "", toolCalls = [] } = message;
  return [
    ["thinking", thinking],
    ["content", content],
    ["tool calls", toolCalls.length === 0 ? "" : JSON.stringify(toolCalls, null, 1)],
  ];
}

/** Characters of a message that a model reads. */
export const lengthOf = oncePer((message: ChatMessage): number =>
  readOf(message).reduce((sum, [, text]) => sum + text.length, 0),
);

function placeOf(
  one: ChatMessage,
  other: ChatMessage,
  message: number,
): { readonly found: DifferentPlace; readonly shared: number } | undefined {
  if (one.role !== other.role || toolOf(one) !== toolOf(other)) {
    const [before, after] = [one, other].map((each) => `${each.role}: ${each.content}`.slice(0, AROUND));
    const found = { message, what: "role" as const, before: before ?? "", after: after ?? "", skipped: 0 };
    return { found, shared: 0 };
  }
  const later = readOf(other);
  let shared = 0;
  for (const [at, [what, text]] of readOf(one).entries()) {
    const [, new_ = ""] = later[at] ?? [];
    if (text === new_) {
      shared += text.length;
      continue;
    }
    const from = sharedLength(text, new_);
    const shown = around(text, new_, from);
    return { found: { message, what, ...shown }, shared: shared + from };
  }
  return undefined;
}

/** What is shown of two texts that differ from `from` on: where they go on alike, both end at the same place. */
function around(
  one: string,
  other: string,
  from: number,
): Pick<DifferentPlace, "before" | "after" | "skipped"> {
  const skipped = Math.max(0, from - BEFORE);
  const alike = sharedEnd(one.slice(from), other.slice(from));
  const changed = Math.max(one.length, other.length) - from - alike;
  const rest = Math.min(alike, Math.max(0, AROUND - (from - skipped) - changed));
  const cut = (text: string): string =>
    text.slice(skipped, Math.min(skipped + AROUND, text.length - alike + rest)).toWellFormed();
  return { before: cut(one), after: cut(other), skipped };
}

/** How many UTF-16 units two texts end alike with. */
function sharedEnd(one: string, other: string): number {
  let low = 0;
  let high = Math.min(one.length, other.length);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (endsAlike(one, other, low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function endsAlike(one: string, other: string, from: number, to: number): boolean {
  const slice = (text: string): string => text.slice(text.length - to, text.length - from);
  return slice(one) === slice(other);
}

function toolOf(message: ChatMessage): string {
  return message.role === "tool" ? message.toolName : "";
}

/** How many UTF-16 units two texts begin alike with. */
function sharedLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  // Halving first: comparing slices is far quicker than going from unit to unit.
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (one.slice(low, middle) === other.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
