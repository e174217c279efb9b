import { runCalls } from "../calls/run-calls.ts";
import { callsContext, noteAnswered } from "../calls/dispatch.ts";
import type { Run } from "../loop/types.ts";
import type { JsonObject } from "../models/types.ts";
import { nearestName } from "../nearest-name.ts";
import { toolMessages } from "../protocols/messages.ts";
import { wellFormed } from "../text.ts";
import type { ChainedResult, OutputSpec } from "./output-types.ts";

/**
 * Calls the chained tool with a structured output, without asking a model. Call and result become messages of the
 * conversation, before the answer. A tool that is not there gives nothing and a warning, one that fails a warning.
 */
export async function runChained(
  run: Run,
  { tool: wanted, tools }: NonNullable<OutputSpec["chained"]>,
  value: JsonObject,
  stepId: string,
): Promise<ChainedResult | undefined> {
  const { emitter, identity, signal } = run.deps;
  const name = tools.find(wanted)?.name;
  if (name === undefined) {
    const known = tools.schemas.map((schema) => schema.name);
    const near = nearestName(wanted, known);
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    const message = `There is no tool ${wanted} that is on, so the output was not handed on.${hint}`;
    emitter.warn("chained_tool", message, { tool: wanted }, stepId);
    return undefined;
  }
  const call = { id: `call_${identity.spanId()}`, name, arguments: value };
  const message = { role: "assistant" as const, content: "", toolCalls: [call] };
  const context = callsContext(run, message, stepId);
  const answered = await runCalls([call], { ...context, tools, chained: true });
  if (signal.aborted) return undefined;
  noteAnswered(run, answered);
  run.kept.push(message, ...toolMessages(answered));
  const [given] = answered;
  const result = wellFormed(given?.content ?? "");
  const problem = given?.failure;
  if (problem === undefined) return { tool: name, result };
  const warning = `The output was given to ${name}, which failed: ${problem.message}`;
  emitter.warn("chained_tool", warning, { tool: name, code: problem.code }, stepId);
  return { tool: name, result, failed: true };
}
