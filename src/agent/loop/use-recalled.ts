import { composed, madeOf } from "../message-parts.ts";
import { NOTHING_ASKED, NOTHING_KNOWN, notSurelyTold, toldMessage, type ToldNote } from "../prompt.ts";
import { holdsQuestionMark } from "../text.ts";
import { chooseNotes } from "./choose-notes.ts";
import { conversation } from "./conversation.ts";
import type { Recalled, Run } from "./types.ts";
import { inQuotes, isLikely, yesLikelihood, type YesOrNo } from "./yes-or-no.ts";

/** News that is answered at length is better than a request that is not. */
const ASKS: YesOrNo = {
  words: "Does the user ask for information (true) or give it (false)?",
  field: "asks_for_information",
  from: 0.4,
};
/** Something that is less likely asked than this may be news all the same: it is not answered with what was told before. */
const SURELY_ASKS_FROM = 0.5;
/** What a small model finds barely likelier than not it often doesn't know. */
const KNOWN: YesOrNo = { words: "Do you know the answer for sure?", field: "i_know", from: 0.6 };
/**
 * The same apart from the conversation, for what no note answers: what it is sure of then is general knowledge, the more
 * so the less near the notes are.
 */
function sureOf(question: string, isNear: boolean): YesOrNo {
  const words = KNOWN.words;
  return { words: `Question: ${inQuotes(question)}\n\n${words}`, told: words, from: isNear ? 0.85 : 0.75 };
}

/**
 * Puts what was recalled before the question. A small model makes an answer up where nothing stands there; but asked for
 * one word alone it knows whether it is asked anything at all, whether it knows the answer by itself, and which of the
 * notes answers the question (docs/evidence.md). Only those are given to it. Where none surely does, those that come near
 * are the answer as they are; where none comes near, and it is not sure by itself, that is the answer: told to say so, it
 * makes something up.
 */
export async function useRecalled(run: Run, recalled: Recalled | undefined): Promise<void> {
  if (recalled === undefined) return;
  const { message, told } = recalled;
  if (told === undefined) run.recalled = message;
  else if (run.tape.length > 0) give(run, recalled, told);
  else await giveWhatAnswers(run, recalled, told);
}

async function giveWhatAnswers(run: Run, recalled: Recalled, told: readonly ToldNote[]): Promise<void> {
  const { asks, knows } = await checkQuestion(run);
  run.isShort = asks < ASKS.from;
  if (run.isShort) run.own.push(madeOf("user", "note", NOTHING_ASKED));
  if (run.isShort || knows === true) return;
  const { context, referenceTokens, endsWithResult = false, question } = run.input;
  // What was said in this conversation, or is attached, may answer it.
  const isAlone = context.past.messages.length === 0 && referenceTokens === 0;
  const canQuote = isAlone && endsWithResult && asks >= SURELY_ASKS_FROM;
  const chosen = knows === undefined ? undefined : await chooseNotes(run, told, canQuote);
  give(run, recalled, chosen?.answering ?? told);
  if (chosen === undefined) return;
  run.told = chosen.answering;
  run.isShort = run.told.length > 0;
  if (run.told.length > 0 || !isAlone) return;
  if ((await isLikely(run, [], sureOf(question, chosen.near.length > 0))) !== false) return;
  if (canQuote) run.answer = notSurelyTold(chosen.near);
  else run.own.push(madeOf("user", "note", NOTHING_KNOWN));
}

/** Has notes, and what else was recalled, stand before the question. */
function give(run: Run, { message }: Recalled, notes: readonly ToldNote[]): void {
  const given = [message, toldMessage(notes)].filter((one) => one !== undefined);
  const pieces = given.map(({ content }) => ({ source: "memory" as const, text: content }));
  run.recalled = pieces.length === 0 ? undefined : composed("user", pieces);
}

/** What the model says before it answers. */
interface Checked {
  /** How likely the user asks for something, from 0 to 1. */
  readonly asks: number;
  /** It knows the answer by itself; undefined where it was not asked, or said neither. */
  readonly knows: boolean | undefined;
}

async function checkQuestion(run: Run): Promise<Checked> {
  const messages = conversation(run);
  const asks = holdsQuestionMark(run.input.question) ? 1 : ((await yesLikelihood(run, messages, ASKS)) ?? 1);
  return { asks, knows: asks < ASKS.from ? undefined : await isLikely(run, messages, KNOWN) };
}
