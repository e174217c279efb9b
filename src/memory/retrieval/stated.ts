import type { Episode } from "../../agent/memory/port.ts";
import { sentencesOf } from "../../agent/remember/said.ts";

/** What of a text is looked at, in UTF-16 units. */
const MAX_TEXT = 1_000;
/** Statements of this length say enough, in characters. */
const LONG = 170;
/** The speaker's name at the beginning of a transcript's line is no statement. */
const LABEL = /^\s*\p{L}[\p{L}\p{N} .'’_-]{0,39}:\s/u;

/** How much a turn states, and how much of it only asks: 0..1 each. */
export interface Stated {
  readonly stated: number;
  readonly asking: number;
}

/**
 * How much a turn states, and how much of its sentences only ask: who looks for what was said wants what states it,
 * and a question holds the same words. Of a turn that was answered the answer counts, of another what was said.
 */
export function statedIn({ question, answer }: Pick<Episode, "question" | "answer">): Stated {
  const text = (answer.trim() === "" ? question.replace(LABEL, "") : answer).slice(0, MAX_TEXT);
  const sentences = sentencesOf(text);
  if (sentences.length === 0) return { stated: 0, asking: 0 };
  const asking = sentences.filter(({ isQuestion }) => isQuestion).length;
  const length = sentences.reduce((sum, { text: own, isQuestion }) => sum + (isQuestion ? 0 : own.length), 0);
  return { stated: Math.min(1, length / LONG), asking: asking / sentences.length };
}
