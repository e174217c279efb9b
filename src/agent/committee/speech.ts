import { cutAtGrapheme } from "../text.ts";
import { nothingNew } from "./similarity.ts";

/** Lines from the start in which the position may stand, and from the end for the word on a change of it. */
const POSITION_LINES = 3;
const CHANGE_LINES = 4;

/** Longest reason that is kept, in UTF-16 units. */
const MAX_REASON = 1_000;

/** What stands around a marked line in Markdown. */
const DECORATION = String.raw`[\s>*_#\x60"'-]*`;

const POSITION = new RegExp(
  String.raw`^${DECORATION}(?:my\s+|final\s+)?position${DECORATION}[:：]${DECORATION}(.+)$`,
  "iu",
);
const CHANGED = new RegExp(
  String.raw`^${DECORATION}(?:my\s+)?position\s+(?:has\s+|was\s+)?changed\b[\s*_,:：-]*(?:because|since|as)?[\s*_,:：-]*(.*)$`,
  "iu",
);
const KEPT = new RegExp(
  String.raw`^${DECORATION}(?:my\s+)?position\s+(?:is\s+|has\s+|was\s+)?(?:kept|unchanged|not\s+changed|(?:stays|remains)\b.*)`,
  "iu",
);
/** What models fill in behind "changed because" when nothing changed. */
const NO_REASON = /^(?:n\/?a|no|none|nothing|not changed|unchanged|it (?:has|did) not|-)?[\s.*_]*$/iu;

/** What one answer of a member says of its position. */
export interface ReadSpeech {
  /** The answer without the line on a change; empty when it says nothing else. */
  readonly answer: string;
  /** The position in one line where it gave one, else the answer. */
  readonly view: string;
  /** What it says itself of a change; absent where it says nothing. */
  readonly change?: { readonly changed: boolean; readonly reason?: string };
}

/** Reads the lines that members are asked for, leniently: models decorate them, or leave them out. */
export function readSpeech(text: string): ReadSpeech {
  const lines = text.split("\n");
  const filled = [...lines.keys()].filter((at) => lines[at]?.trim() !== "");
  const marked = filled.slice(-CHANGE_LINES).find((at) => isMark(lines[at] ?? ""));
  const rest = marked === undefined ? lines : lines.slice(0, marked);
  const stated = filled
    .slice(0, POSITION_LINES)
    .filter((at) => at < rest.length)
    .map((at) => POSITION.exec(rest[at] ?? "")?.[1])
    .find((view) => view !== undefined && /[\p{L}\p{N}]/u.test(view));
  const answer = rest.join("\n").trim();
  const view = (stated ?? answer).replace(/[\s*_]+$/u, "").trim();
  if (marked === undefined) return { answer, view };
  return { answer, view, change: readChange(lines.slice(marked).join("\n")) };
}

/** Whether a member's position differs from its earlier one, by its own word or, without one, by its text. */
export function hasChanged(speech: ReadSpeech, before: ReadSpeech): boolean {
  if (speech.change !== undefined) return speech.change.changed;
  const stated = speech.view !== speech.answer || speech.answer.length <= 120;
  return stated && !nothingNew(speech.view, before.view);
}

function isMark(line: string): boolean {
  return KEPT.test(line) || CHANGED.test(line);
}

function readChange(text: string): { readonly changed: boolean; readonly reason?: string } {
  const [first = "", ...others] = text.split("\n");
  if (KEPT.test(first)) return { changed: false };
  const reason = [CHANGED.exec(first)?.[1] ?? "", ...others].join("\n").replace(/^[\s*_]+|[\s*_]+$/gu, "");
  if (NO_REASON.test(reason)) {
    const denied = /\p{L}/u.test(reason);
    return { changed: !denied };
  }
  return { changed: true, reason: cutAtGrapheme(reason, MAX_REASON) };
}

const VOTE = new RegExp(
  String.raw`^${DECORATION}(?:final\s+)?answer${DECORATION}[:：]${DECORATION}(.+)$`,
  "iu",
);

/** What a sample votes for: its last line `Answer: ...`, else all it says. */
export function readVote(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const found = lines.slice(-CHANGE_LINES).map((line) => VOTE.exec(line)?.[1]);
  const vote = found.reverse().find((one) => one !== undefined && /[\p{L}\p{N}]/u.test(one));
  return (vote ?? text).replace(/[\s*_]+$/u, "").trim();
}
