import type { Asked } from "./ask-model.ts";
import { failure, type Failure } from "../failure.ts";
import { endLoop } from "./end.ts";
import { longestOutput } from "./fitting-request.ts";
import type { LoopOutcome, Run } from "./types.ts";
import type { StepReading } from "../protocol.ts";
import { fallBack, lessThinking } from "./recover.ts";

/** Corrections of unusable output in one turn, before another protocol is tried. */
const MAX_CORRECTIONS = 2;

/** The setting of the limit of output tokens. */
const OUTPUT_SETTING = "conclave.maxOutputTokens";

const ASK_AGAIN = "Your last message held no answer. Answer the question now, in words.";

/** Tells the model that its output can't be used; after some tries the next protocol gets its chance. */
export async function correct(
  run: Run,
  reading: StepReading,
  broken: string,
  stepId: string,
): Promise<LoopOutcome | undefined> {
  const { emitter, adapter } = run.deps;
  run.met.broken += 1;
  run.steps += 1;
  emitter.warn(
    "format_broken",
    `The output of ${run.input.model.name} could not be read: ${broken}`,
    undefined,
    stepId,
  );
  if (run.met.broken <= MAX_CORRECTIONS) {
    const { role, content } = reading.message;
    if (content !== "") run.own.push({ role, content });
    run.own.push(...adapter(run.protocol).correction(broken));
    return undefined;
  }
  if (reading.answer.trim() !== "") return endLoop(run, "answered", reading.answer);
  if (await fallBack(run, broken, stepId, false)) return undefined;
  const message = `${run.input.model.name} gave output that can't be read, three times. Try another model.`;
  return endLoop(
    run,
    "failed",
    "",
    failure("invalid_format", message, { action: "select_model", cause: broken }),
  );
}

/**
 * An empty answer: asks once more, with less thinking, then gives up in clear words. A model that only calls where it
 * was to answer is asked without tools: that costs the server's cached prompt, and so it is the last resort.
 */
export function askAgain(run: Run, asked: Asked, stepId: string): LoopOutcome | undefined {
  const { emitter, adapter } = run.deps;
  const { name } = run.input.model;
  if (run.stopped !== undefined && asked.reading.calls.length > 0 && run.met.insisted === 0) {
    run.met.insisted += 1;
    const message = `${name} called a tool where it was to answer. It is asked once more, without tools.`;
    emitter.warn("retried", message, undefined, stepId);
    return undefined;
  }
  run.met.empty += 1;
  if (run.met.empty > 1 || run.met.insisted > 0) return endLoop(run, "failed", "", emptyAnswer(run, asked));
  emitter.warn("retried", `${name} ended without an answer. It is asked once more.`, undefined, stepId);
  run.own.push(...adapter(run.protocol).correction(asked.reading.broken ?? ASK_AGAIN));
  if (asked.reading.thinking !== "") run.think = lessThinking(run.think);
  return undefined;
}

function emptyAnswer(run: Run, { reading, finish }: Asked): Failure {
  const { model } = run.input;
  if (run.stopped !== undefined) {
    const wanted = reading.calls.map((call) => call.name).join(", ");
    const instead = wanted === "" ? "" : ` and asked for ${wanted} again`;
    const message = `${model.name} gave no answer${instead}. ${run.stopped.message}`;
    return failure("empty_answer", message, { action: "retry" });
  }
  if (finish === "length") {
    const message = `${model.name} used up its ${longestOutput(run)} output tokens without an answer. Turn thinking off or raise the limit.`;
    return failure("empty_answer", message, { action: "open_settings", target: OUTPUT_SETTING });
  }
  const how = reading.thinking === "" ? "gave an empty answer" : "thought but gave no answer";
  return failure("empty_answer", `${model.name} ${how}, twice. Ask again, or try another model.`, {
    action: "retry",
  });
}
