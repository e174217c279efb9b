import type { ToldNote } from "../prompt.ts";
import type { Run } from "./types.ts";
import { inQuotes, yesLikelihood, type YesOrNo } from "./yes-or-no.ts";

/** Of which likelihood on a note is taken for one that answers the question. */
const ANSWERS_FROM = 0.65;
/** So likely a note is the right one: of those behind it only newer ones are looked at, which may say that it changed. */
const SURE_FROM = 0.85;
/** What a note may be less likely than the best and still be given beside it, such as the older of two facts. */
const SPREAD = 0.2;
const MAX_GIVEN = 3;

/** The notes that a question is answered from, and those that come nearest where none does. */
export interface ChosenNotes {
  readonly answering: readonly ToldNote[];
  /** The most likely first. */
  readonly nearest: readonly ToldNote[];
}

/**
 * Which notes answer the question. A small model takes whatever stands before a question for its answer; but asked of one
 * note alone, apart from the conversation, it tells which of them answers it far better than the search does
 * (docs/evidence.md). Undefined where it can't say of one.
 */
export async function chooseNotes(run: Run, notes: readonly ToldNote[]): Promise<ChosenNotes | undefined> {
  const looked: { readonly note: ToldNote; readonly likelihood: number }[] = [];
  let since = -Infinity;
  for (const note of notes) {
    if (note.time <= since) continue;
    const likelihood = await yesLikelihood(run, [], answersQuestion(note, run.input.question));
    if (likelihood === undefined) return undefined;
    looked.push({ note, likelihood });
    if (likelihood >= SURE_FROM) since = Math.max(since, note.time);
  }
  looked.sort((one, other) => other.likelihood - one.likelihood);
  const from = Math.max(ANSWERS_FROM, (looked[0]?.likelihood ?? 0) - SPREAD);
  const given = looked.filter(({ likelihood }) => likelihood >= from).slice(0, MAX_GIVEN);
  return { answering: given.map(({ note }) => note), nearest: looked.map(({ note }) => note) };
}

function answersQuestion({ id, said }: ToldNote, question: string): YesOrNo {
  return {
    words: `Note: ${inQuotes(said)}\n\nDoes the note answer the question ${inQuotes(question)}?`,
    told: "Does the note answer the question?",
    from: ANSWERS_FROM,
    episodeId: id,
  };
}
