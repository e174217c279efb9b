import type { StepForm } from "../protocol.ts";
import { conversation } from "./conversation.ts";
import type { Run } from "./types.ts";
import { isLikely, type YesOrNo } from "./yes-or-no.ts";

const NEEDS_TOOL: YesOrNo = {
  words: "Do you need one of the tools to answer this?",
  field: "needs_tool",
  from: 0.5,
};

/**
 * Whether the first step is to call a tool, by the model's own word: one that chooses between an answer and tools in one
 * object takes a tool for nearly everything (docs/evidence.md). Undefined where it is not asked, or said neither.
 */
export async function formOfStep(run: Run): Promise<StepForm | undefined> {
  const { input, deps, protocol, tape, output } = run;
  const isAsked = input.gated === true && protocol === "constrained" && input.tools.schemas.length > 0;
  if (!isAsked || tape.length > 0 || output !== undefined || (input.askedCalls ?? []).length > 0)
    return undefined;
  const { messages } = deps.adapter(protocol).prepare(conversation(run), input.tools, false);
  const needs = await isLikely(run, messages, NEEDS_TOOL);
  return needs === undefined ? undefined : needs ? "call" : "answer";
}
