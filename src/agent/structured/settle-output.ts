import type { Asked } from "../loop/ask-model.ts";
import { CANCELLED, failure, type Failure } from "../failure.ts";
import { endLoop } from "../loop/end.ts";
import type { LoopOutcome, Run } from "../loop/types.ts";
import type { JsonObject } from "../models/types.ts";
import { lessThinking } from "../loop/recover.ts";
import { runChained } from "./chain.ts";
import { NOW_THE_OBJECT, repairWords } from "./form.ts";
import { isFinal } from "./output-protocol.ts";
import type { OutputState } from "./output-types.ts";
import { readOutput } from "./read-output.ts";

/**
 * Takes what a structured agent said for its output. Valid: the turn ends with it, the chained tool is called first.
 * Not valid: the model is asked for the object alone, and told once what is wrong with it; then the run has failed.
 */
export async function settleOutput(
  run: Run,
  output: OutputState,
  asked: Asked,
  stepId: string,
): Promise<LoopOutcome | undefined> {
  const text = asked.reading.answer;
  const { schema, check } = output.spec;
  const read = readOutput(text, schema, check, asked.finish === "length" ? "cut" : "whole");
  if (read.ok) return accept(run, output, read.value, stepId);
  const wasFinal = isFinal(output, run.protocol);
  output.final = true;
  if (!wasFinal && !read.found) {
    goOn(run, asked, NOW_THE_OBJECT);
    return undefined;
  }
  const problems = asked.finish === "length" ? [...read.problems, cutShort(run)] : read.problems;
  if (output.repaired) return giveUp(run, output, text, problems);
  output.repaired = true;
  const message = `${run.input.model.name} gave no valid object (${shortly(problems)}). It is asked once more.`;
  run.deps.emitter.warn("output_invalid", message, { problems }, stepId);
  goOn(run, asked, repairWords(problems));
  return undefined;
}

/** From now on only the object is wanted: the tools are at an end. */
export function endTools(run: Run, output: OutputState): void {
  if (output.final) return;
  output.final = true;
  run.own.push(...run.deps.adapter(run.protocol).correction(NOW_THE_OBJECT));
}

/** The server can't constrain output to this schema: the model is only told of it. False when it was not constrained. */
export function unconstrain(run: Run, output: OutputState, problem: Failure, stepId: string): boolean {
  if (!isFinal(output, run.protocol) || output.format === undefined) return false;
  output.format = undefined;
  const message = `The output of ${run.input.model.name} can't be constrained to its schema, which is only checked: ${problem.message}`;
  run.deps.emitter.warn("protocol_changed", message, undefined, stepId);
  return true;
}

function goOn(run: Run, { reading }: Asked, words: string): void {
  const { role, content } = reading.message;
  if (content !== "") run.own.push({ role, content });
  run.own.push(...run.deps.adapter(run.protocol).correction(words));
  if (reading.answer.trim() === "" && reading.thinking !== "") run.think = lessThinking(run.think);
}

function shortly(problems: readonly string[]): string {
  return problems.slice(0, 3).join("; ");
}

function cutShort({ input }: Run): string {
  return `it was cut off at the limit of ${input.maxOutputTokens} output tokens: be shorter`;
}

function giveUp(run: Run, { spec }: OutputState, text: string, problems: readonly string[]): LoopOutcome {
  const { emitter } = run.deps;
  const why = shortly(problems);
  const message = `${emitter.origin.agent} gave no object that is valid for its schema, also when told what is wrong: ${why}. Ask again, or try another model.`;
  const error = failure("output_invalid", message, { action: "retry", cause: problems.join("\n") });
  const { schema } = spec;
  emitter.emit("output.structured", { parentId: emitter.agentId }, { schema, repaired: true, error });
  return endLoop(run, "failed", text, error);
}

async function accept(
  run: Run,
  { spec, repaired }: OutputState,
  value: JsonObject,
  stepId: string,
): Promise<LoopOutcome> {
  const { emitter, signal } = run.deps;
  const output = { schema: spec.schema, value, repaired };
  emitter.emit("output.structured", { parentId: emitter.agentId }, output);
  const shown = `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
  const chained = spec.chained && (await runChained(run, spec.chained, value, stepId));
  if (signal.aborted) return { ...endLoop(run, "cancelled", shown, CANCELLED), output };
  return { ...endLoop(run, "answered", shown), output, ...(chained && { chained }) };
}
