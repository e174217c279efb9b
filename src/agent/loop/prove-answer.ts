import type { StepReading } from "../protocol.ts";
import { cutAtGrapheme } from "../text.ts";
import { nearestNote } from "./nearest-note.ts";
import type { Run } from "./types.ts";
import { NOTHING } from "./use-recalled.ts";
import { isLikely, type YesOrNo } from "./yes-or-no.ts";

/** Notes that are quoted behind an answer that none of them proves. */
const QUOTED = 3;
/** What of a question the model is told once more, in UTF-16 units. */
const MAX_QUESTION = 1_000;

/** Asked apart from the conversation: within it a small model finds most of what it said itself likely. */
function answersQuestion(note: string, question: string): YesOrNo {
  const asked = cutAtGrapheme(question, MAX_QUESTION);
  return {
    name: "answered",
    words: `Note: "${note}"\n\nDoes the note answer the question "${asked}"?`,
    told: "Does the note that it rests on answer the question?",
    from: 0.5,
  };
}

/**
 * Whether an answer that has to rest on notes does not: a small model answers from notes that are about something else,
 * but asked about the note that the answer was taken from it tells the two apart (docs/evidence.md). It is asked once
 * more then, without them, and they are quoted behind what it says.
 */
export async function isUnproven(run: Run, { answer }: StepReading, stepId: string): Promise<boolean> {
  const { mustRestOn: notes, input, deps } = run;
  if (notes === undefined) return false;
  const note = nearestNote(notes, answer, input.question);
  const place = { parentId: stepId, stepId };
  const isProven = await isLikely(run, [], answersQuestion(note?.said ?? "", input.question), place);
  if (isProven !== false) return false;
  run.mustRestOn = undefined;
  run.recalled = undefined;
  run.unproven = notes.slice(0, QUOTED);
  run.own.push(NOTHING);
  const text = `The notes don't prove what ${input.model.name} answered, so it is asked once more, without them.`;
  deps.emitter.warn("retried", text, undefined, stepId);
  return true;
}
