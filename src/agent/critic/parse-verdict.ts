import type { Json } from "../models/types.ts";
import { feedbackIn, objectAtEnd, type JudgedObject } from "./parse-json.ts";
import { isQuoted, tailOf, withoutThinking, type Reading, type Written } from "./parse-text.ts";

/** The place of the better answer, or that neither is better. */
export type Verdict = "A" | "B" | "tie";

const FIELDS = ["winner", "better", "best", "preferred", "preference", "choice", "verdict", "result"];
const SIDE = String.raw`(?:(?:response|answer|assistant)\s+)?(?<side>[ab]|tie|draw|both|neither|equal)`;
const DRESS = "[\\s*_`(\"'“]*";

/** `[RESULT] A`, `[[A]]`. */
const RESULT = new RegExp(String.raw`\[\s*(?:result\s*(?:\]\s*[:=]?|[:=])|\[)${DRESS}${SIDE}$`, "iu");
/** `Winner: A` at the beginning of a line or a sentence. */
const LABELLED = new RegExp(
  String.raw`(?<lead>(?:^|[\n.!?;,])[\s*_#>-]*)(?:(?:the|my|final|overall)\s+){0,3}(?:winner|better|best|verdict|result|preference|choice)(?:\s+(?:answer|response))?[\s*_]*[:=]${DRESS}${SIDE}$`,
  "iu",
);
/** `Response A is better` as a sentence. */
const SENTENCE =
  /(?<lead>(?:^|[\n.!?;,])[\s*_#>-]*(?:(?:so|therefore|thus|hence|overall),?\s+)?)(?:(?:the\s+)?(?:response|answer|assistant)\s+)(?<side>[ab])[\s*_]+(?:wins|is\s+(?:the\s+)?(?:better|best|winner)(?:\s+(?:one|answer|response))?)$/iu;
/** Nothing but a letter. */
const BARE = new RegExp(String.raw`^[\s*_#>-]*${SIDE}$`, "iu");
/** A last sentence by which neither is better, without a "but": nobody wins by it, so that it is read leniently. */
const EVEN =
  /\b(?:both|equally|equal|tie|draw|neither)\b(?:(?!\b(?:but|yet|however|though|although|while)\b)[^.!?\n])*$/iu;

/**
 * Reads from the end of a judge's words which of two answers it found better; nothing where it does not say. The last
 * statement decides, as for grades: `[RESULT] A`, `Winner: B`, "Response A is better.", a JSON object with `winner`, or
 * a letter alone. "Both are good" and the like are a tie.
 */
export function readVerdict(written: Written): Reading<Verdict> | undefined {
  const text = withoutThinking(written.text);
  const object = objectAtEnd({ ...written, text });
  if (object === "unclosed") return undefined;
  if (object !== undefined) {
    const value = verdictIn(object);
    return value === undefined ? undefined : { value, feedback: feedbackIn(object, text) };
  }
  const tail = tailOf(text);
  const match =
    RESULT.exec(tail.text) ??
    LABELLED.exec(tail.text) ??
    SENTENCE.exec(tail.text) ??
    (tail.whole ? BARE.exec(tail.text) : null);
  if (match === null)
    return EVEN.test(tail.text) && !written.cut ? { value: "tie", feedback: text } : undefined;
  if (written.cut && tail.open) return undefined;
  const at = match.index + (match.groups?.["lead"] ?? "").length;
  const value = sideOf(match.groups?.["side"]);
  if (value === undefined || isQuoted(tail.text, at, written.material)) return undefined;
  return { value, feedback: text.slice(0, tail.start) + tail.text.slice(0, at) };
}

function verdictIn({ fields }: JudgedObject): Verdict | undefined {
  if (fields === undefined) return undefined;
  const sides = new Set(FIELDS.filter((name) => name in fields).map((name) => sideOf(fields[name])));
  return sides.size === 1 ? [...sides][0] : undefined;
}

function sideOf(value: Json | undefined): Verdict | undefined {
  if (typeof value !== "string") return undefined;
  const word = /^\s*(?:(?:response|answer|assistant)\s+)?([ab]|tie|draw|both|neither|equal|none)\s*\.?\s*$/iu
    .exec(value)?.[1]
    ?.toUpperCase();
  if (word === undefined) return undefined;
  return word === "A" || word === "B" ? word : "tie";
}
