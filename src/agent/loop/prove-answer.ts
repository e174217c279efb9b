import type { StepReading } from "../protocol.ts";
import { conversation } from "./conversation.ts";
import type { Run } from "./types.ts";
import { NOTHING } from "./use-recalled.ts";
import { yesOrNo, type YesOrNo } from "./yes-or-no.ts";

const PROVEN: YesOrNo = { name: "proven", words: "Does one of the notes prove this answer?" };

/**
 * Whether an answer that has to rest on the notes does not: a small model answers from notes that are about something
 * else, but asked afterwards it tells the two apart (docs/evidence.md). It is asked once more then, without them.
 */
export async function isUnproven(run: Run, { message }: StepReading, stepId: string): Promise<boolean> {
  if (!run.mustBeProven) return false;
  const { role, content } = message;
  const proven = await yesOrNo(run, [...conversation(run), { role, content }], PROVEN);
  if (proven !== false) return false;
  run.mustBeProven = false;
  run.recalled = undefined;
  run.own.push(NOTHING);
  const text = `The notes don't prove what ${run.input.model.name} answered, so it is asked once more, without them.`;
  run.deps.emitter.warn("retried", text, undefined, stepId);
  return true;
}
