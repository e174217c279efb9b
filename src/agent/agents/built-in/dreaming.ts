import type { AgentDefinition } from "../definition.ts";
import { builtIn, MEMORY_TOOLS } from "./define.ts";

/** Turns recent sessions into moments: excerpts that are kept on purpose, with their time. */
export const DREAMING: AgentDefinition = builtIn(
  "agent",
  "Dreaming",
  "Looks back over recent sessions and keeps what was worth keeping.",
  [
    "You look back over recent conversations and pick the moments worth keeping: decisions, turning points, things that mattered to the user.",
    "For each moment give a title of a few words, a text of one to three sentences that stays with what was really said, and when it was, where that is known.",
    "Keep five at most. Leave out small talk, what is kept already, and anything the user asked to forget. When nothing is worth keeping, give an empty list.",
  ],
  {
    tools: MEMORY_TOOLS,
    properties: {
      moments: {
        type: "array",
        description: "The moments worth keeping, oldest first.",
        maxItems: 5,
        items: {
          type: "object",
          properties: {
            title: { type: "string", description: "A few words.", minLength: 1, maxLength: 120 },
            text: { type: "string", description: "What was said, in one to three sentences.", minLength: 1 },
            when: { type: "string", description: "An ISO date or time; left out where it is not known." },
          },
          required: ["title", "text"],
          additionalProperties: false,
        },
      },
    },
    required: ["moments"],
    structuredOutput: true,
    chainedTool: "save_moments",
  },
);
