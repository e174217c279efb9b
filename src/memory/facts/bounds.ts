import { textTokens } from "../../agent/context.ts";
import type { FactProposal } from "../../agent/memory/types.ts";
import { plainWords } from "./words.ts";

/** A fact has fewer tokens than this. */
export const MAX_FACT_TOKENS = 100;
/** Longest quote that is kept, in UTF-16 units. */
export const MAX_QUOTE = 500;
/** Longest subject, in UTF-16 units. */
const MAX_SUBJECT = 200;

/** Texts that tell a model what to do instead of telling how things are. */
const INSTRUCTIONS: readonly RegExp[] = [
  /^(?:please|always|never|do not|don['’]t|ignore|disregard|forget|respond|answer|reply|act as|pretend|make sure|ensure|you (?:must|should|shall|are|will|need)|the (?:assistant|ai|model) (?:must|should|shall|has to|needs to))\b/i,
  /\b(?:ignore|disregard|override) (?:all|any|the|your|every)? ?(?:previous|prior|above|earlier|other)? ?(?:instructions?|rules|prompts?)\b/i,
  /\b(?:system prompt|previous instructions|developer message)\b/i,
  /\b(?:assistant|ai|model|you) (?:must|should|shall|has to|have to|needs? to) (?:always|never|not|only|respond|answer|reply|use|call|send|do|say|run|ignore)\b/i,
  /<\/?(?:system|tool|instructions?|\|im_)/i,
];

/** Texts that tell of the talk itself, such as "User said ok". */
const TALK =
  /^(?:the )?user (?:just |also )?(?:said|says|asked|asks|is asking|wants? to know|requested|requests|greeted|greets|thanked|thanks|acknowledged|confirmed|agreed|replied|responded|inquired|wants? (?:me|you|the assistant|the ai))\b/i;

/** Texts that tell how the one answer at hand should be, such as "User wants a shorter answer": no lasting wish. */
const THIS_ANSWER =
  /^(?:the )?user (?:would like|wants?|wanted|needs?|needed|prefers?|likes?) (?:it|this|that|the|an?)\b.{0,60}\b(?:shorter|longer|simpler|clearer|more|less|another|different|previous|last|next|second|first)\b.{0,40}\b(?:answer|reply|response|version|text|summary|explanation|wording|one)s?\b|^(?:the )?user (?:wants?|needs?|would like) (?:it|this|that)\b/i;

const FILLERS = new Set(
  `user ok okay thanks thank hi hello hey yes no yeah nope sure please bye goodbye great cool nice welcome sorry lol hmm
  fine good well said says say is was a the it that this an i you`.split(/\s+/),
);

/** Why a proposed fact can't be one whoever says it, in a few words; undefined when it may be. */
export function outOfBounds(proposal: FactProposal): string | undefined {
  const text = proposal.text.trim();
  if (!Number.isFinite(proposal.confidence)) return "its confidence is not a number";
  return textFault(text) ?? (tellsOfTalk(text) ? "tells of the talk, not of a fact" : undefined);
}

function tellsOfTalk(text: string): boolean {
  return TALK.test(text) || THIS_ANSWER.test(text);
}

/** Why a text can't be a fact, in a few words; undefined when it may be. */
export function textFault(text: string): string | undefined {
  if (text.trim() === "") return "empty";
  if (textTokens(text) >= MAX_FACT_TOKENS) return `too long: a fact has fewer than ${MAX_FACT_TOKENS} tokens`;
  if (INSTRUCTIONS.some((form) => form.test(text.trim()))) return "an instruction, not a fact";
  if (plainWords(text).every((word) => FILLERS.has(word))) return "says nothing";
  return undefined;
}

/** A text as it is kept: on one line, whole characters only. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

/** A subject as it is kept. */
export function keptSubject(subject: string): string {
  return oneLine(subject).slice(0, MAX_SUBJECT).toWellFormed();
}
