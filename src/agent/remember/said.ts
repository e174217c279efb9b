import { wellFormed } from "../text.ts";

/** The user's words (UTF-16 units) that are read for memory; what is beyond was hardly typed. */
const MAX_SAID = 6_000;

/**
 * What the user said of their own in a question: without fenced code, quoted lines and pasted markup, which are
 * somebody else's words.
 */
export function saidIn(question: string): string {
  return wellFormed(question)
    .slice(0, MAX_SAID * 4)
    .replace(/(```|~~~)[\s\S]*?(?:\1|$)/gu, "\n")
    .replace(/^\s*>.*$/gmu, "")
    .replace(/<(\w{1,40})\b[^>]{0,500}>[\s\S]*?<\/\1>/gu, "\n")
    .replace(/[^\S\n]+/gu, " ")
    .replace(/\n\s*\n+/gu, "\n")
    .trim()
    .slice(0, MAX_SAID);
}

/** A sentence of a text, with where it begins (UTF-16 units). */
export interface Sentence {
  readonly text: string;
  readonly index: number;
  readonly isQuestion: boolean;
}

const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });

/** The sentences of a text, at most `limit`. */
export function sentencesOf(text: string, limit = 40): readonly Sentence[] {
  const sentences: Sentence[] = [];
  for (const { segment, index } of SENTENCES.segment(text)) {
    const trimmed = segment.trim();
    if (trimmed === "") continue;
    if (sentences.length === limit) break;
    sentences.push({
      text: trimmed,
      index: index + segment.indexOf(trimmed),
      isQuestion: /[?？؟]["'”’)\]]*$/u.test(trimmed),
    });
  }
  return sentences;
}
