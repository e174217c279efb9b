import type { AgentDefinition } from "../agents/definition.ts";
import { oncePer } from "../once-per.ts";
import { fieldLines, outputSchema } from "./fields.ts";

const AIDES = [
  "Before you answer, go through these points for yourself. They are there to think with; they are no headings of the answer.",
];

const OUTPUT =
  "Your answer is one JSON object and nothing else: no words around it, no code fence. It is valid for this JSON schema:";

/** Said when tools are at an end and the object is still to come. */
export const NOW_THE_OBJECT =
  "Give your answer now: only the JSON object that your instruction describes, with what you have.";

/**
 * What an agent's file says about the form of its answer, for the end of its prompt: the object that it has to give,
 * or the points that it is to think through. Empty where the file says nothing. The same words for the same file.
 */
export function formOf(definition: AgentDefinition | undefined): string {
  return definition === undefined ? "" : wordsOf(definition);
}

const wordsOf = oncePer((definition: AgentDefinition): string => {
  if (definition.structuredOutput) return `${OUTPUT}\n${JSON.stringify(outputSchema(definition))}`;
  const lines = fieldLines(definition);
  return lines.length === 0 ? "" : [...AIDES, ...lines].join("\n");
});

/** What a model is told whose object was not valid. */
export function repairWords(problems: readonly string[]): string {
  return [
    "That is not the JSON object that was asked for:",
    ...problems.map((problem) => `- ${problem}`),
    "Give it again, corrected: only the JSON object.",
  ].join("\n");
}
