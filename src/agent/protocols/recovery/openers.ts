import { oncePer } from "../../once-per.ts";
import type { Catalogue } from "./catalogue.ts";
import { HARMONY_HEAD } from "./tagged.ts";
import { MAX_TAG, mayOpenTag, readTag } from "./tags.ts";

/** How a text begins that may be a call. `bare`: Python, or a name and its arguments. `fence`: the message begins with a code block that holds one. */
export type Opening = "json" | "fenced-json" | "fence" | "tag" | "bare" | "react";

/** What a place in a text is: the beginning of a call's form, none, or not yet known. */
export type Verdict = Opening | "no" | "maybe";

/** Where in its text a place lies. */
export interface Place {
  /** Nothing but white space stands before it in the message. */
  readonly messageStart: boolean;
  /** Nothing but white space stands before it on its line. */
  readonly lineStart: boolean;
  /** A tag ends right before it. */
  readonly afterTag: boolean;
  /** A sentence ends right before it, without a space. */
  readonly afterSentence: boolean;
}

/** Behind a fence's mark or a label a message begins anew. */
const AT_START: Place = { messageStart: true, lineStart: true, afterTag: false, afterSentence: false };

/** How far ahead is looked to tell a call's form from something else. */
const LOOKAHEAD = 400;
/** A ReAct step may think this long before its action. */
const THOUGHT_LOOKAHEAD = 2_000;
/** No rule looks further than this; what is still open then is no call. */
const MAX_LOOKAHEAD = 2_100;

const NAME = String.raw`[A-Za-z_][\w.:/-]{0,127}`;
const BODY = new RegExp(
  String.raw`^\s*(?:\x60{3}[\w-]{0,20}\s*)?(?:[{[]|<[A-Za-z|｜/]|call:|${NAME}[ \t]*(?:[{(\[<\n]|\x60{3}))`,
);
const BODY_BEGINS = new RegExp(
  String.raw`^\s*(?:\x60{0,2}|\x60{3}[\w-]{0,20}\s*)(?:<|${NAME}[ \t]*\x60{0,2})?$`,
);
const GEMMA = /^call:\s?([A-Za-z_][\w.:-]{0,127})\s{0,4}\{/;
const GEMMA_BEGINS = /^call:\s?[\w.:-]{0,127}\s{0,4}$/;
const HARMONY_WORDS = ["commentary to=", "assistantcommentary to=", "to=functions.", "analysis to="];
/** Nobody writes this by chance: it counts on the line of a thought too whose tokens were lost. */
const HARMONY_ANYWHERE = "assistantcommentary to=functions.";
/** What models put before a call that is all they say; white space and stars don't count. */
const LABELS_OF_CALLS = ["toolcall:", "functioncall:", "json"];
/** A label and the space behind it are shorter than this. */
const MAX_LABEL = 40;
/** The label and the space behind it. */
export const CALL_LABEL =
  /^[*_]{0,2}(?:(?:tool|function)[ _]?call[*_]{0,2}:[*_]{0,2}|json(?=\s{0,8}\{))\s{0,8}/i;
/** The opening line of a fence and the space behind it, or the mark of a code span that holds JSON. */
export const FENCE = /^(?:`{3}[\w-]{0,20}\s+|`(?=[{[]))/;
const FENCE_BEGINS = /^(?:`{0,2}|`{3}[\w-]{0,20}\s*)$/;
const PYTHON = /^\[?\s{0,20}(?:print\s{0,4}\()?\s{0,20}(?!print\s{0,4}\()([A-Za-z_][\w.]{0,127})\s{0,4}\(/;
const PYTHON_BEGINS = /^\[?\s{0,20}(?:print\s{0,4}\(?)?\s{0,20}([A-Za-z_][\w.]{0,127})?\s{0,4}$/;
const NAMED = /^([A-Za-z_]\w{0,127})\s{0,4}(?:\[ARGS\])?\s{0,4}\{/;
const NAMED_BEGINS = /^([A-Za-z_]\w{0,127})\s{0,4}(?:\[A?R?G?S?\]?)?\s{0,4}$/;
const ACTION_BLOCK = /^[*_#>]{0,4}action[ \t]{0,2}\*{0,3}[ \t]{0,2}:[*\s]{0,8}(?:`{3}|\{)/i;
const ACTION_BLOCK_BEGINS = /^[*_#>]{0,4}action[ \t]{0,2}\*{0,3}[ \t]{0,2}:[*\s]{0,8}`{0,2}$/i;
const ACTION =
  /^[*_#>]{0,4}action[ \t]{0,2}\*{0,3}[ \t]{0,2}:[*`"' \t]{0,6}([A-Za-z_][\w.:/-]{0,127})[*`"' \t\r]{0,6}\n\s{0,8}[*_#>]{0,4}action[ _]?input/i;
const ACTION_BEGINS =
  /^[*_#>]{0,4}action[ \t]{0,2}\*{0,3}[ \t]{0,2}:[*`"' \t]{0,6}(?:[A-Za-z_][\w.:/-]{0,127}(?:[*`"' \t\r]{0,6}(?:\n\s{0,8}[*_#>]{0,4}[acinoptu _]{0,12})?)?)?$/i;
/** A label without its colon. */
const LABEL_BEGINS = /^[*_#>]{0,4}([a-z]{0,8})[ \t]{0,2}\*{0,3}[ \t]{0,2}$/i;
/** With what the forms of words begin that are looked for: most lines begin otherwise, and need no closer look. */
const FIRST_OF_LABELS = "*_tTfFjJ";
const FIRST_OF_REACT = "*_#>aAtT";
const THOUGHT = /^[*_#>]{0,4}thought[ \t]{0,2}\*{0,3}[ \t]{0,2}:/i;
const ACTION_LATER = /\n\s{0,8}[*_#>]{0,4}action[ \t]{0,2}\*{0,3}[ \t]{0,2}:/i;

/**
 * Tells whether a call's form begins at `at`. With `ended` no more text will come and the verdict is final.
 *
 * However the text is cut into chunks the outcome is the same: every proper beginning of what a rule takes is "maybe",
 * and what is "no" stays "no" whatever follows. Whoever adds a rule adds both halves.
 */
export function probe(text: string, at: number, place: Place, ended: boolean, catalogue: Catalogue): Verdict {
  const verdict = verdictAt(text, at, place, catalogue);
  const isFinal = ended || text.length - at >= MAX_LOOKAHEAD;
  return verdict === "maybe" && isFinal ? "no" : verdict;
}

function verdictAt(text: string, at: number, place: Place, catalogue: Catalogue): Verdict {
  const char = text.charAt(at);
  if (char === "<") return tagVerdict(text, at, catalogue);
  if (char === "[") return bracketVerdict(text, at, place, catalogue);
  if (char === "{") return place.lineStart ? "json" : "no";
  if (char === "`") return fenceVerdict(text, at, place, catalogue);
  if (place.lineStart || place.afterTag) return wordVerdict(text, at, place, catalogue);
  return place.afterSentence ? harmonyWordVerdict(text, at, [HARMONY_ANYWHERE]) : "no";
}

function tagVerdict(text: string, at: number, catalogue: Catalogue): Verdict {
  const tag = readTag(text, at);
  if (tag === undefined) {
    const partial = text.slice(at, at + MAX_TAG);
    return !partial.includes(">") && mayOpenTag(partial, catalogue.names) ? "maybe" : "no";
  }
  if (tag.name === "channel" || tag.name === "start") return harmonyVerdict(text, at);
  const isToolTag = catalogue.names.includes(tag.name);
  if (tag.role !== "open" && !isToolTag) return "no";
  const isNaming = isToolTag || tag.value !== undefined;
  return bodyVerdict(text, tag.end, isNaming);
}

function bodyVerdict(text: string, at: number, isNaming: boolean): Verdict {
  const slice = text.slice(at, at + LOOKAHEAD);
  if (isNaming) {
    if (/^\s*(?:[{<]|`{3})/.test(slice)) return "tag";
    return slice.length < LOOKAHEAD && /^\s*`{0,2}$/.test(slice) ? "maybe" : "no";
  }
  if (BODY.test(slice)) return "tag";
  return slice.length < LOOKAHEAD && BODY_BEGINS.test(slice) ? "maybe" : "no";
}

function harmonyVerdict(text: string, at: number): Verdict {
  const slice = text.slice(at, at + LOOKAHEAD);
  const header = slice.split("{", 1)[0] ?? "";
  const [beforeMessage = "", ...more] = header.split("<|message|>");
  if (more.length > 0 && !beforeMessage.includes("to=")) return "no";
  if (/[.!?]\s/.test(header) || header.length >= LOOKAHEAD) return "no";
  if (header.length === slice.length) return "maybe";
  return HARMONY_HEAD.test(slice) ? "tag" : "no";
}

function bracketVerdict(text: string, at: number, place: Place, catalogue: Catalogue): Verdict {
  const tag = readTag(text, at);
  if (tag?.role === "open") return bodyVerdict(text, tag.end, false);
  const slice = text.slice(at, at + LOOKAHEAD);
  if (place.lineStart) {
    if (/^\[\s{0,40}\{/.test(slice)) return "json";
    if (/^\[\s{0,40}$/.test(slice)) return "maybe";
    const python = pythonVerdict(slice, catalogue);
    if (python !== "no") return python;
  }
  return mayOpenTag(slice.slice(0, MAX_TAG), []) ? "maybe" : "no";
}

function pythonVerdict(slice: string, catalogue: Catalogue): Verdict {
  const whole = PYTHON.exec(slice);
  if (whole !== null) return pythonNames(catalogue).includes(whole[1] ?? "") ? "bare" : "no";
  const begins = PYTHON_BEGINS.exec(slice);
  if (begins === null || slice.length >= LOOKAHEAD) return "no";
  const word = begins[1] ?? "";
  return ["print", ...pythonNames(catalogue)].some((name) => name.startsWith(word)) ? "maybe" : "no";
}

const pythonNames = oncePer(({ names }: Catalogue) =>
  names.flatMap((name) => [name, `default_api.${name}`, `functions.${name}`]),
);

/** A message that begins with a tool's name and its arguments: Python, or JSON with the marks around it lost. */
function bareVerdict(slice: string, catalogue: Catalogue): Verdict {
  const named = NAMED.exec(slice);
  if (named !== null) return catalogue.names.includes(named[1] ?? "") ? "bare" : "no";
  const python = pythonVerdict(slice, catalogue);
  if (python !== "no") return python;
  const word = NAMED_BEGINS.exec(slice)?.[1];
  if (word === undefined || slice.length >= LOOKAHEAD) return "no";
  return catalogue.names.some((name) => name.startsWith(word)) ? "maybe" : "no";
}

function fenceVerdict(text: string, at: number, place: Place, catalogue: Catalogue): Verdict {
  const slice = text.slice(at, at + LOOKAHEAD);
  const mark = FENCE.exec(slice);
  if (!place.lineStart) return "no";
  if (FENCE_BEGINS.test(slice)) return "maybe";
  // Amid prose a code span is spoken of, a block on lines of its own may be meant.
  if (mark === null || (!place.messageStart && !mark[0].startsWith("```"))) return "no";
  const inner = at + mark[0].length;
  const verdict = text.charAt(inner) === "`" ? "no" : verdictAt(text, inner, AT_START, catalogue);
  if (verdict === "maybe" || verdict === "no") return verdict;
  return verdict === "json" ? "fenced-json" : "fence";
}

function wordVerdict(text: string, at: number, place: Place, catalogue: Catalogue): Verdict {
  const slice = text.slice(at, at + LOOKAHEAD);
  const first = text.charAt(at);
  const gemma = first === "c" ? GEMMA.exec(slice) : null;
  if (gemma !== null) return catalogue.find(gemma[1] ?? "") === undefined ? "no" : "tag";
  if (first === "c" && ("call:".startsWith(slice) || GEMMA_BEGINS.test(slice))) return "maybe";
  const harmony = harmonyWordVerdict(text, at, HARMONY_WORDS);
  if (harmony !== "no") return harmony;
  const mayBeLabel = place.messageStart && FIRST_OF_LABELS.includes(first);
  const label = mayBeLabel ? labelVerdict(text, at, catalogue) : "no";
  if (label !== "no") return label;
  const bare = place.messageStart ? bareVerdict(slice, catalogue) : "no";
  const mayBeReact = bare === "no" && place.lineStart && FIRST_OF_REACT.includes(first);
  return mayBeReact ? reactVerdict(text, at, place) : bare;
}

function harmonyWordVerdict(text: string, at: number, all: readonly string[]): Verdict {
  let verdict: Verdict = "no";
  for (const words of all) {
    if (text.startsWith(words, at)) return harmonyVerdict(text, at);
    if (words.startsWith(text.slice(at, at + words.length))) verdict = "maybe";
  }
  return verdict;
}

/** `Tool call: {...}`: what stands behind the label decides. */
function labelVerdict(text: string, at: number, catalogue: Catalogue): Verdict {
  const slice = text.slice(at, at + MAX_LABEL);
  const label = CALL_LABEL.exec(slice)?.[0];
  if (label === undefined) {
    const plain = slice.replace(/[*_\s]/g, "").toLowerCase();
    const mayBe = slice.length < MAX_LABEL && LABELS_OF_CALLS.some((whole) => whole.startsWith(plain));
    return mayBe ? "maybe" : "no";
  }
  const inner = at + label.length;
  if (inner >= text.length) return "maybe";
  const verdict = verdictAt(text, inner, AT_START, catalogue);
  return verdict === "maybe" || verdict === "no" ? verdict : "fence";
}

function reactVerdict(text: string, at: number, place: Place): Verdict {
  const slice = text.slice(at, at + LOOKAHEAD);
  if (ACTION.test(slice)) return "react";
  if (slice.length < LOOKAHEAD && ACTION_BEGINS.test(slice)) return "maybe";
  if (place.messageStart && ACTION_BLOCK.test(slice)) return "react";
  if (place.messageStart && ACTION_BLOCK_BEGINS.test(slice)) return "maybe";
  const label = LABEL_BEGINS.exec(slice)?.[1]?.toLowerCase();
  if (label !== undefined && "action".startsWith(label)) return "maybe";
  if (!place.messageStart) return "no";
  if (label !== undefined && "thought".startsWith(label)) return "maybe";
  if (!THOUGHT.test(slice)) return "no";
  const long = text.slice(at, at + THOUGHT_LOOKAHEAD);
  if (ACTION_LATER.test(long)) return "react";
  return long.length < THOUGHT_LOOKAHEAD ? "maybe" : "no";
}
