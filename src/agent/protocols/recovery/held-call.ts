import { readReact } from "../react-text.ts";
import { isAccepted } from "./accept.ts";
import type { Catalogue } from "./catalogue.ts";
import { CALL_LABEL, type Opening } from "./openers.ts";
import type { CallReading } from "./reading.ts";
import type { RawCall } from "./shapes.ts";
import { readTaggedCalls } from "./tagged.ts";
import { skipTrailer } from "./tags.ts";
import { readBare, readWhole } from "./whole.ts";

/** Of a call's beginning, where a label may stand, in UTF-16 units. */
const LABEL = 40;

/** A piece of text that was held back, because it may be a call. */
export interface HeldText {
  /** Where in the text it begins. */
  readonly from: number;
  readonly opening: Opening;
  /** Nothing stood before it in the message. */
  readonly isFirst: boolean;
}

/** Calls that were read, and where in the text they end. */
export interface ReadCalls {
  readonly calls: readonly RawCall[];
  readonly end: number;
}

/** Reads what was held back by the form it began with; of a ReAct step also the thought before its action. */
export function readHeld(
  text: string,
  { from, opening }: HeldText,
  catalogue: Catalogue,
): { readonly reading: CallReading; readonly thought?: string } {
  if (opening === "tag") return { reading: readTaggedCalls(text, from, catalogue) };
  if (opening === "json" || opening === "bare") return { reading: readBare(text, from, catalogue) };
  if (opening !== "react") return { reading: readWhole(text, from, catalogue) };
  const step = readReact(text.slice(from), catalogue);
  if (step.action.kind === "cut") return { reading: { kind: "cut" } };
  if (step.action.kind !== "call") return { reading: undefined };
  const calls = [step.action.call];
  return { reading: { kind: "calls", calls, end: text.length }, thought: step.thought };
}

/** Whether a form that was cut surely was a call: then it is kept from view. */
export function wasCall({ opening }: HeldText, name: string | undefined, catalogue: Catalogue): boolean {
  if (opening === "tag" || opening === "react") return true;
  return name !== undefined && catalogue.find(name) !== undefined;
}

/** Whether calls that were read are meant to be run, and not only spoken of. */
export function accepts(text: string, held: HeldText, reading: ReadCalls, catalogue: Catalogue): boolean {
  const { from, opening, isFirst } = held;
  if (opening === "react") return true;
  const trailer = skipTrailer(text, reading.end);
  const isLast = trailer.end >= text.length || trailer.inventsResult;
  if (opening === "tag") return isLast || !isMention(text, from, reading.end, trailer.end);
  if (!isLast) return false;
  return isAccepted(reading.calls, isFirst && !isLabeled(text, from), catalogue);
}

/** The end of a paragraph. */
const EMPTY_LINE = /\n[ \t\r]*\n\s*$/;

/**
 * The calls that a message begins with, where a paragraph of prose follows them: some models say then what the call is
 * for. With prose before them too, or right below, they are spoken of.
 *
 * @param text ends where the prose begins
 */
export function leadingCalls(text: string, held: HeldText, catalogue: Catalogue): ReadCalls | undefined {
  if (!held.isFirst || !EMPTY_LINE.test(text) || isLabeled(text, held.from)) return undefined;
  const { reading } = readHeld(text, held, catalogue);
  return reading?.kind === "calls" && isAccepted(reading.calls, false, catalogue) ? reading : undefined;
}

/** A call under a label may as well be shown to the reader. */
function isLabeled(text: string, from: number): boolean {
  return CALL_LABEL.test(text.slice(from, from + LABEL));
}

/** A form in the middle of a line of prose is spoken of, not used. */
function isMention(text: string, from: number, end: number, next: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", from - 1) + 1, from);
  return from > 0 && line.trim() !== "" && !text.slice(end, next).includes("\n");
}
