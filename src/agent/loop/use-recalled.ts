import { madeOf } from "../message-parts.ts";
import { NOTHING_ASKED, NOTHING_KNOWN } from "../prompt.ts";
import { holdsQuestionMark } from "../text.ts";
import { conversation } from "./conversation.ts";
import type { Recalled, Run } from "./types.ts";
import { isLikely, type YesOrNo } from "./yes-or-no.ts";

/** News that is answered at length is better than a request that is not. */
const ASKS: YesOrNo = {
  name: "asks_for_information",
  words: "Does the user ask for information (true) or give it (false)?",
  from: 0.4,
};
/** What a small model finds barely likelier than not it often doesn't know. */
const KNOWN: YesOrNo = { name: "i_know", words: "Do you know the answer for sure?", from: 0.6 };

/**
 * Puts what was recalled before the question. A small model takes whatever stands there for the answer, and makes one up
 * where nothing does; but asked for one word alone it knows whether it is asked anything at all, and whether it knows
 * the answer by itself (docs/evidence.md). These questions begin as the answer's own prompt does, so they cost some tens
 * of tokens each. Notes stand only before a question that it can't answer without them, and what it then answers has to
 * be proven by them (`isUnproven`); where there are none it is told to say that it doesn't know.
 */
export async function useRecalled(run: Run, recalled: Recalled | undefined): Promise<void> {
  if (recalled === undefined) return;
  const { asks, knows } = recalled.isChecked && run.tape.length === 0 ? await checkQuestion(run) : UNCHECKED;
  if (run.deps.signal.aborted) return;
  if (asks === false) run.own.push(madeOf("user", "note", NOTHING_ASKED));
  else if (knows !== true) {
    run.recalled = recalled.message;
    recalled.tell();
  }
  if (knows === false && run.recalled === undefined) run.own.push(NOTHING);
  if (knows === false && run.recalled !== undefined) run.mustRestOn = recalled.notes;
}

/** What stands behind a question that nothing answers. */
export const NOTHING = madeOf("user", "note", NOTHING_KNOWN);

/** What the model says before it answers; what is left out it was not asked, or said neither yes nor no to. */
interface Checked {
  /** The user asks for something. */
  readonly asks?: boolean | undefined;
  /** It knows the answer by itself. */
  readonly knows?: boolean | undefined;
}

const UNCHECKED: Checked = {};

async function checkQuestion(run: Run): Promise<Checked> {
  const messages = conversation(run);
  const place = { parentId: run.deps.emitter.agentId };
  const asks = holdsQuestionMark(run.input.question) ? undefined : await isLikely(run, messages, ASKS, place);
  return asks === false ? { asks } : { asks, knows: await isLikely(run, messages, KNOWN, place) };
}
