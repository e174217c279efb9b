import type { ToldNote } from "../prompt.ts";
import type { Run } from "./types.ts";
import { inQuotes, yesLikelihood, type YesOrNo } from "./yes-or-no.ts";

/** Of which likelihood on a note surely answers the question; the words of one below it are shown as they are. */
const ANSWERS_FROM = 0.75;
/** The same where its words can't be shown in place of an answer: rather one too many than none. */
const HELPS_FROM = 0.65;
/** So likely a note is the right one: of those behind it only newer ones are looked at, which may say that it changed. */
const SURE_FROM = 0.85;
/** What a note may be less likely than the best and still be given beside it, such as the older of two facts. */
const SPREAD = 0.2;
/** So likely a note is near to the question; one that none is near to may be of general knowledge. */
const NEAR_FROM = 0.3;
const MAX_GIVEN = 3;

/** The notes that a question is answered from, and those that are near to it; the most likely first. */
export interface ChosenNotes {
  readonly answering: readonly ToldNote[];
  readonly near: readonly ToldNote[];
}

/**
 * Which notes answer the question. A small model takes whatever stands before a question for its answer; but asked of one
 * note alone, apart from the conversation, it tells which of them answers it far better than the search does
 * (docs/evidence.md). Undefined where it can't say of one.
 *
 * @param canQuote the turn can end with the words of notes that may not answer it
 */
export async function chooseNotes(
  run: Run,
  notes: readonly ToldNote[],
  canQuote: boolean,
): Promise<ChosenNotes | undefined> {
  const looked: { readonly note: ToldNote; readonly likelihood: number }[] = [];
  const from = canQuote ? ANSWERS_FROM : HELPS_FROM;
  let since = -Infinity;
  for (const note of notes) {
    if (note.time <= since) continue;
    const likelihood = await yesLikelihood(run, [], answersQuestion(note, run.input.question, from));
    if (likelihood === undefined) return undefined;
    looked.push({ note, likelihood });
    if (likelihood >= SURE_FROM) since = Math.max(since, note.time);
  }
  looked.sort((one, other) => other.likelihood - one.likelihood);
  const best = looked[0]?.likelihood ?? 0;
  const least = Math.max(HELPS_FROM, best - SPREAD);
  const of = (lowest: number): readonly ToldNote[] =>
    looked
      .filter(({ likelihood }) => likelihood >= lowest)
      .slice(0, MAX_GIVEN)
      .map(({ note }) => note);
  return { answering: best >= from ? of(least) : [], near: of(NEAR_FROM) };
}

function answersQuestion({ id, said }: ToldNote, question: string, from: number): YesOrNo {
  return {
    words: `Note: ${inQuotes(said)}\n\nDoes the note answer the question ${inQuotes(question)}?`,
    told: "Does the note answer the question?",
    from,
    episodeId: id,
  };
}
