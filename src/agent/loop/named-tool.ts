import type { StepReading } from "../protocol.ts";
import type { Run } from "./types.ts";
import { useRecalled } from "./use-recalled.ts";

/** An answer that names more tools than this speaks of tools. */
const MOST_NAMED = 2;

const SEARCHED =
  "Memory was searched for you: what was found stands before the question. Answer it now, in words.";

/**
 * An answer that only says which tool it would use, as small models write it: memory is searched for the model, and it
 * answers again, once. False where it is an answer.
 */
export async function searchInstead(
  run: Run,
  { answer, message }: StepReading,
  stepId: string,
): Promise<boolean> {
  const { deps, input } = run;
  const [name] = namedTools(run, answer);
  if (name === undefined || run.met.named > 0 || run.stopped !== undefined || run.protocol === "none")
    return false;
  run.met.named += 1;
  await useRecalled(run, await deps.recall("none"));
  if (run.recalled === undefined) return false;
  const { role, content } = message;
  run.own.push({ role, content }, ...deps.adapter(run.protocol).correction(SEARCHED));
  const text = `${input.model.name} named ${name} and did not call it. It is given what memory holds and asked once more.`;
  deps.emitter.warn("retried", text, undefined, stepId);
  return true;
}

/** Offered tools that an answer names where the question did not; none where it names several. */
function namedTools({ input }: Run, answer: string): readonly string[] {
  const named = input.tools.schemas
    .map(({ name }) => name)
    .filter((name) => name.includes("_") && answer.includes(name) && !input.question.includes(name));
  return named.length > MOST_NAMED ? [] : named;
}
