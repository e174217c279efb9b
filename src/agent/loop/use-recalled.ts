import { madeOf } from "../message-parts.ts";
import type { ChatMessage } from "../models/types.ts";
import { NOTHING_ASKED, NOTHING_KNOWN } from "../prompt.ts";
import { holdsQuestionMark } from "../text.ts";
import { conversation } from "./conversation.ts";
import type { Recalled, RecallCheck, Run } from "./types.ts";
import { yesLikelihood, type YesOrNo } from "./yes-or-no.ts";

const ASKS: YesOrNo = {
  name: "asks_for_information",
  words: "Does the user ask for information (true) or give it (false)?",
};
const KNOWN: YesOrNo = { name: "i_know", words: "Do you know the answer for sure?" };

/** From which likelihood on something is asked: news that is answered at length is better than a request that is not. */
const ASKS_FROM = 0.4;
/** From which likelihood on a small model knows what it says it does; between this and one half it often doesn't. */
const KNOWS_FROM = 0.6;

/**
 * Puts what was recalled before the question. A small model takes whatever stands there for the answer, and makes one up
 * where nothing does; but asked for one word alone it knows whether it is asked anything at all, and whether it knows
 * the answer by itself (docs/evidence.md). These questions begin as the answer's own prompt does, so they cost some tens
 * of tokens each. Notes stand only before a question that it can't answer without them, and what it then answers has to
 * be proven by them (`isUnproven`); where there are none it is told to say that it doesn't know.
 */
export async function useRecalled(run: Run, recalled: Recalled | undefined): Promise<void> {
  if (recalled === undefined) return;
  const check = recalled.isChecked && run.tape.length === 0 ? await checkQuestion(run) : undefined;
  if (run.deps.signal.aborted) return;
  const needsNotes = check?.asks !== false && check?.knows !== true;
  if (needsNotes) run.recalled = recalled.message;
  if (check?.asks === false) run.own.push(madeOf("user", "note", NOTHING_ASKED));
  if (check?.knows === false && run.recalled === undefined) run.own.push(NOTHING);
  run.mustBeProven = check?.knows === false && run.recalled !== undefined;
  recalled.tell(check);
}

/** What stands behind a question that nothing answers. */
export const NOTHING = madeOf("user", "note", NOTHING_KNOWN);

/** Asks the model; nothing where it gave no such word. */
async function checkQuestion(run: Run): Promise<RecallCheck | undefined> {
  const { identity } = run.deps;
  const began = identity.now();
  const before = { input: run.inputTokens ?? 0, output: run.outputTokens ?? 0 };
  const messages = conversation(run);
  const asks = holdsQuestionMark(run.input.question)
    ? undefined
    : await isLikely(run, messages, ASKS, ASKS_FROM);
  const knows = asks === false ? undefined : await isLikely(run, messages, KNOWN, KNOWS_FROM);
  if (asks === undefined && knows === undefined) return undefined;
  return {
    ...(asks !== undefined && { asks }),
    ...(knows !== undefined && { knows }),
    durationMs: identity.now() - began,
    inputTokens: (run.inputTokens ?? 0) - before.input,
    outputTokens: (run.outputTokens ?? 0) - before.output,
  };
}

async function isLikely(
  run: Run,
  messages: readonly ChatMessage[],
  question: YesOrNo,
  from: number,
): Promise<boolean | undefined> {
  const likelihood = await yesLikelihood(run, messages, question);
  return likelihood === undefined ? undefined : likelihood >= from;
}
