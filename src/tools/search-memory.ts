import { z } from "zod";
import { success, type Result } from "../agent/failure.ts";
import type { MemoryHit, MemoryPort, MemorySearch } from "../agent/memory-port.ts";
import type { JsonObject } from "../agent/models/types.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { shorten } from "./web/page.ts";
import { visibleLine } from "./web/untrusted.ts";

/** How many memories are given unless the model asks for more or fewer. */
export const MEMORY_RESULTS = 5;
const MAX_RESULTS = 20;
/** How much of one memory the model is given; all of it is in the details. */
const MAX_QUESTION = 300;
const MAX_ANSWER = 700;
/** How many turns of the conversation are left out, the latest first; no conversation in a prompt has more. */
const MAX_HELD = 1000;

const parameters = z.object({
  query: z.string().trim().min(1).max(2000).describe("What to look for, in words that the memory may hold"),
  limit: z.int().min(1).max(MAX_RESULTS).default(MEMORY_RESULTS).describe("At most this many memories"),
});

type SearchMemoryArguments = z.infer<typeof parameters>;

/** The tool `search_memory`: what was asked, answered and noted in earlier turns. */
export function searchMemory(memory: MemoryPort, timeoutMs: () => number): Tool<SearchMemoryArguments> {
  return {
    name: "search_memory",
    aliases: ["search_memories", "memory_search", "recall"],
    description:
      "Searches what was said and noted in earlier conversations: decisions, preferences, facts. Use it when the question refers to the past.",
    parameters,
    readOnly: true,
    get timeoutMs() {
      return timeoutMs();
    },
    async run({ query, limit }: SearchMemoryArguments, context: ToolContext): Promise<ToolOutcome> {
      const found = await search(memory, query, limit, context);
      if (!found.ok) return { ...found, retryable: false };
      return outcome(query, found.value);
    },
  };
}

/**
 * The running turn is left out: its question would be found as the best match for itself. So are the turns that the
 * conversation already holds: the model has them before its eyes.
 */
async function search(
  memory: MemoryPort,
  query: string,
  limit: number,
  { turnId, heldTurnIds = [], signal }: ToolContext,
): Promise<Result<MemorySearch>> {
  const held = heldTurnIds.slice(-MAX_HELD);
  const found = await memory.search({ query, limit, excludeTurnIds: [turnId, ...held] }, signal);
  if (!found.ok) return found;
  return success({ ...found.value, hits: found.value.hits.slice(0, limit) });
}

function outcome(query: string, { hits, searched, note }: MemorySearch): ToolOutcome {
  const lines = hits.length === 0 ? ["No relevant memories found."] : hits.map(memoryLine);
  return {
    ok: true,
    content: note === undefined ? lines.join("\n") : `${lines.join("\n")}\n(${note})`,
    details: {
      summary: `${hits.length} of ${searched} memories given`,
      sources: hits.map(({ episode }) => ({
        uri: `memory:${episode.id}`,
        title: shorten(visibleLine(episode.question === "" ? episode.answer : episode.question), 80),
      })),
      data: { query, searched, hits: hits.map(row), ...(note !== undefined && { note }) },
    },
  };
}

/** `[date] [session] text`; the session's short form is enough to tell conversations apart. */
function memoryLine({ episode }: MemoryHit): string {
  const date = new Date(episode.time).toISOString().slice(0, 10);
  const answer = shorten(visibleLine(episode.answer), MAX_ANSWER);
  const text =
    episode.kind === "turn" && episode.question !== ""
      ? `Asked: ${shorten(visibleLine(episode.question), MAX_QUESTION)} Answered: ${answer}`
      : `Noted (${episode.kind}): ${answer}`;
  return `[${date}] [${episode.sessionId.slice(0, 8)}] ${text}`;
}

function row({ episode, score, parts }: MemoryHit): JsonObject {
  const { id, sessionId, question, answer, time, kind } = episode;
  return { id, sessionId, question, answer, time, kind, score, parts: definedParts(parts) };
}

function definedParts(parts: MemoryHit["parts"]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
