import { madeOf } from "../message-parts.ts";
import type { ChatMessage, ToolSchema } from "../models/types.ts";
import { argumentsOf } from "./recovery/shapes.ts";
import { lastThought, sampleArguments, toolList } from "./tool-text.ts";

/** What the model is told of the form, with examples. The examples use a tool that is really there: small models copy. */
export function reactInstructions(schemas: readonly ToolSchema[]): string {
  const [first] = schemas;
  const example =
    first === undefined
      ? ""
      : "Example with a tool:\n" +
        "Thought: I have to look this up.\n" +
        `Action: ${first.name}\nAction Input: ${JSON.stringify(sampleArguments(first))}\n` +
        "(you stop here; the next message brings `Observation:` with the result)\n" +
        "Thought: The result says what I need.\n" +
        "Final Answer: what the result says, in your own words\n\n";
  return (
    "Work in steps. In each message write either\n\n" +
    "Thought: one short sentence on what to do next\n" +
    "Action: the name of one tool\n" +
    "Action Input: its arguments as one JSON object\n\n" +
    "and stop there, or, when you know enough,\n\n" +
    "Thought: one short sentence\n" +
    "Final Answer: your answer to the user\n\n" +
    "One action in a message. Never write an observation yourself.\n\n" +
    `${example}Example without a tool:\n` +
    "Thought: I know this by myself.\nFinal Answer: Two and three make five.\n\n" +
    `Tools:\n${toolList(schemas)}`
  );
}

/** A message as a model under this protocol sees it: its own steps under their labels, results as observations. */
export function reactMessage(message: ChatMessage): readonly ChatMessage[] {
  if (message.role === "tool") return [madeOf("user", "result", `Observation: ${message.content}`)];
  if (message.role !== "assistant") return [message];
  const { content, thinking, toolCalls = [] } = message;
  const said = lastThought(thinking) ?? (toolCalls.length > 0 ? content : "");
  const lines = said === "" ? [] : [`Thought: ${said}`];
  for (const call of toolCalls) {
    const args = argumentsOf(call.arguments, call.name, undefined);
    lines.push(`Action: ${call.name}`, `Action Input: ${JSON.stringify(args)}`);
  }
  if (toolCalls.length === 0) lines.push(`Final Answer: ${content}`);
  return [{ role: "assistant", content: lines.join("\n") }];
}
