import type { StepReading } from "../protocol.ts";
import { conversation } from "./conversation.ts";
import type { Run } from "./types.ts";
import { NOTHING } from "./use-recalled.ts";
import { yesLikelihood, type YesOrNo } from "./yes-or-no.ts";

const PROVEN: YesOrNo = { name: "i_told_you", words: "Is that one of the things I told you?" };

/** From which likelihood on an answer counts as proven: a small model finds most of what it said itself likely. */
const PROVEN_FROM = 0.65;

/**
 * Whether an answer that has to rest on the notes does not: a small model answers from notes that are about something
 * else, but asked afterwards it tells the two apart (docs/evidence.md). It is asked once more then, without them.
 */
export async function isUnproven(run: Run, { message }: StepReading, stepId: string): Promise<boolean> {
  if (!run.mustBeProven) return false;
  const { role, content } = message;
  const likelihood = await yesLikelihood(run, [...conversation(run), { role, content }], PROVEN);
  if (likelihood === undefined || likelihood >= PROVEN_FROM) return false;
  run.mustBeProven = false;
  run.recalled = undefined;
  run.own.push(NOTHING);
  const text = `The notes don't prove what ${run.input.model.name} answered, so it is asked once more, without them.`;
  run.deps.emitter.warn("retried", text, undefined, stepId);
  return true;
}
