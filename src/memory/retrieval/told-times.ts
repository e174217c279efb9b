import { intentOf } from "../../agent/remember/rules/classify.ts";
import { saidIn, sentencesOf } from "../../agent/remember/said.ts";
import type { ResolvedTime } from "../../agent/time/time-words.ts";
import { resolveTimeWords } from "../../agent/time/time-words.ts";
import type { AskedRange } from "./analyze.ts";

/** What of a text is looked through for time words, in UTF-16 units. */
const MAX_TEXT = 4_000;
/** What a time that an answer tells of counts beside one that the user told of. */
const ANSWERED = 0.5;
/** Somebody's words of another moment: "last week" in them is not counted from now. */
const QUOTED =
  /"[^"\n]{1,1000}"|“[^”\n]{1,1000}”|„[^“”\n]{1,1000}[“”]|«[^»\n]{1,1000}»|「[^」\n]{1,1000}」/gu;
/** An answer that tells what was said before. */
const REPORTS =
  /\b(?:you|i|we) (?:have |had |also |just |once |already |earlier )*(?:said|told|mentioned|asked|wrote|noted|shared|talked|spoke)\b|\baccording to (?:you|my|our)\b|\b(?:du|ihr|sie) (?:hast|habt|haben|sagtest|sagten|erwähntest)\b|\b(?:tu|vous) (?:m['’])?(?:as|avez) (?:dit|mentionné|demandé)\b|\b(?:me )?(?:dijiste|contaste|mencionaste|preguntaste)\b/iu;
/** A request for what was said, that needs no question mark. */
const REQUEST =
  /^\W*(?:(?:please|and|so|now|ok|okay|hey|can you|could you|bitte)[\s,]+)*(?:tell|remind|show|list|give|summari[sz]e|recap|recall|find|search|look up|erinner\p{L}*|zeig\p{L}*|sag\p{L}*|rappelle\p{L}*|montre\p{L}*|dis|recuérda\p{L}*|muéstra\p{L}*|dime)\b/iu;

/** A turn: when it was said, what the user said, and what was answered. */
export interface ToldTurn {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly question: string;
  readonly answer: string;
}

/**
 * How well a turn fits the time a question asks about, 0..1: 1 when it was said then, else how much of a time that its
 * words tell of lies within it. Relative words count from the moment they were said: told on 18 April, "last month" is
 * March.
 *
 * Who asks about a time tells nothing of it, and neither does who quotes: only what the user states counts in full.
 * What an answer tells of counts half, and only what lies ahead or has its date: "last week" in an answer repeats what
 * was told before, and stands in a turn that tells nothing of that week.
 */
export function timeFit(
  { from, to }: Pick<AskedRange, "from" | "to">,
  { time, question, answer }: ToldTurn,
  timeZone: string,
): number {
  if (wasSaidThen({ from, to }, time)) return 1;
  const part = (told: ResolvedTime): number => {
    const common = Math.min(told.to, to) - Math.max(told.from, from) + 1;
    return common > 0 ? common / (told.to - told.from + 1) : 0;
  };
  const asked = statedTimes(saidIn(question.slice(0, MAX_TEXT)), time, timeZone);
  const answered = statedTimes(answer.slice(0, MAX_TEXT), time, timeZone, REPORTS).filter(
    (told) => told.to >= time || /\d{4}/.test(told.text),
  );
  return Math.max(0, ...asked.map(part), ...answered.map((told) => ANSWERED * part(told)));
}

/** The times that a text states, and neither asks about nor quotes. */
function statedTimes(text: string, said: number, timeZone: string, beside?: RegExp): readonly ResolvedTime[] {
  const own = text.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
  const times = resolveTimeWords(own, said, timeZone);
  if (times.length === 0) return times;
  const sentences = sentencesOf(own, MAX_TEXT);
  return times.filter(({ index, text: words }) => {
    const sentence = sentences.findLast((each) => each.index <= index);
    if (sentence === undefined) return true;
    if (beside?.test(sentence.text) === true && !/\d{4}/.test(words)) return false;
    return !asks(sentence) || isToldBeside(sentence.text, index - sentence.index, words);
  });
}

function asks({ text, isQuestion }: { readonly text: string; readonly isQuestion: boolean }): boolean {
  return isQuestion || REQUEST.test(text) || intentOf(text) === "fact";
}

/** "We moved last week, remember?": a clause of a question that states something of its own before it asks. */
function isToldBeside(sentence: string, index: number, words: string): boolean {
  const from = Math.max(-1, ...[...sentence.slice(0, index).matchAll(/[,;:–—]/gu)].map((sign) => sign.index));
  const end = sentence.slice(index + words.length).search(/[,;:–—]/u);
  if (end < 0) return false;
  const clause = sentence.slice(from + 1, index + words.length + end);
  const rest = clause.replace(words, " ").match(/\p{L}+/gu) ?? [];
  return rest.length > 1 && !asks({ text: clause.trim(), isQuestion: false });
}

/** Whether something was said within a range. */
export function wasSaidThen({ from, to }: Pick<AskedRange, "from" | "to">, time: number): boolean {
  return time >= from && time <= to;
}
