import { z } from "zod";
import type { Episode, MemoryPort } from "../agent/memory-port.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";

/** What a note can be. */
export const MEMORY_KINDS = ["preference", "event", "fact", "relationship", "note"] as const;

const MAX_TEXT = 4000;

const parameters = z.object({
  text: z.string().trim().min(1).max(MAX_TEXT).describe("One statement that makes sense on its own"),
  kind: z.enum(MEMORY_KINDS).default("note").describe("What kind of statement it is"),
});

type SaveMemoryArguments = z.infer<typeof parameters>;

/** What `save_memory` is made of. */
export interface SaveMemoryOptions {
  readonly memory: MemoryPort;
  readonly timeoutMs: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Makes the UUID of a new episode. */
  readonly uuid: () => string;
}

/** The tool `save_memory`: notes a statement for later conversations. */
export function saveMemory(options: SaveMemoryOptions): Tool<SaveMemoryArguments> {
  return {
    name: "save_memory",
    aliases: ["remember", "add_memory", "store_memory"],
    description:
      "Saves one statement for later conversations. Use it when the user asks to remember something or states a lasting preference or decision.",
    parameters,
    readOnly: false,
    get timeoutMs() {
      return options.timeoutMs();
    },
    async run({ text, kind }: SaveMemoryArguments, context: ToolContext): Promise<ToolOutcome> {
      const episode = note(text.toWellFormed(), kind, context, options);
      const added = await options.memory.add([episode], context.signal);
      if (!added.ok) return { ...added, retryable: false };
      return {
        ok: true,
        content: `Saved as a ${kind}.`,
        details: {
          summary: `saved: ${kind}`,
          sources: [{ uri: `memory:${episode.id}`, title: kind }],
          data: { id: episode.id, kind, text: episode.answer, time: episode.time },
        },
      };
    },
  };
}

/** A note is an episode without a question; it stands on its own text. */
function note(text: string, kind: string, context: ToolContext, options: SaveMemoryOptions): Episode {
  return {
    id: options.uuid(),
    sessionId: context.sessionId,
    turnId: context.turnId,
    question: "",
    answer: text,
    agent: context.agent,
    respondent: "A",
    model: "",
    time: options.now(),
    kind,
  };
}
