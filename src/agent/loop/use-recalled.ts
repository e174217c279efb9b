import { composed, madeOf } from "../message-parts.ts";
import { NOTHING_ASKED, NOTHING_KNOWN, notSurelyTold, toldMessage, type ToldNote } from "../prompt.ts";
import { holdsQuestionMark } from "../text.ts";
import { chooseNotes } from "./choose-notes.ts";
import { conversation } from "./conversation.ts";
import type { Recalled, Run } from "./types.ts";
import { inQuotes, isLikely, type YesOrNo } from "./yes-or-no.ts";

/** News that is answered at length is better than a request that is not. */
const ASKS: YesOrNo = {
  words: "Does the user ask for information (true) or give it (false)?",
  field: "asks_for_information",
  from: 0.4,
};
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
  if (asks === false) run.own.push(madeOf("user", "note", NOTHING_ASKED));
  run.isShort = asks === false;
  if (asks === false || knows === true) return;
  const { context, referenceTokens, endsWithResult = false, question } = run.input;
  // What was said in this conversation, or is attached, may answer it.
  const isAlone = context.past.messages.length === 0 && referenceTokens === 0;
  const canQuote = isAlone && endsWithResult;
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

/** What the model says before it answers; what is left out it was not asked, or said neither yes nor no to. */
interface Checked {
  /** The user asks for something. */
  readonly asks?: boolean | undefined;
  /** It knows the answer by itself. */
  readonly knows?: boolean | undefined;
}

async function checkQuestion(run: Run): Promise<Checked> {
  const messages = conversation(run);
  const asks = holdsQuestionMark(run.input.question) ? undefined : await isLikely(run, messages, ASKS);
  return asks === false ? { asks } : { asks, knows: await isLikely(run, messages, KNOWN) };
}
