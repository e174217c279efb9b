import { z } from "zod";
import type { AnyHit, MemoryHit, MemoryPort, MemorySearch } from "../agent/memory/port.ts";
import { memoryLines, NO_MEMORIES } from "../agent/memory/text.ts";
import type { Json, JsonObject } from "../agent/models/types.ts";
import type { Source, Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { UNLISTED } from "./json-schema.ts";
import {
  explained,
  failedOutcome,
  leastConfidence,
  memorySource,
  recalledText,
  searchSettings,
  timedTool,
  type MemoryToolOptions,
} from "./memory-access.ts";
import { endArgument, readTimes, timeArgument } from "./memory-dates.ts";
import { isToldAlready } from "./told-twice.ts";
import { shorten } from "./web/page.ts";
import { visibleLine } from "./web/untrusted.ts";

const MAX_RESULTS = 20;
/** How much of one memory people are shown in the trace, in UTF-16 units; the memory view has all of it. */
const MAX_SHOWN = 20_000;

const parameters = z.object({
  query: z.string().trim().min(1).max(2000),
  from: timeArgument,
  to: endArgument,
  limit: z.int().min(1).max(MAX_RESULTS).optional().meta(UNLISTED),
});

type SearchMemoryArguments = z.infer<typeof parameters>;

/** The tool `search_memory`: what was asked and answered in earlier turns, and the facts that were learnt from them. */
export function searchMemory(options: MemoryToolOptions): Tool<SearchMemoryArguments> {
  return timedTool(
    options,
    {
      name: "search_memory",
      aliases: ["search_memories", "memory_search", "recall", "recall_memory", "search_memory_store"],
      description:
        "Searches earlier conversations and what is known of the user: decisions, preferences, facts, events.",
      parameters,
      readOnly: true,
    },
    run,
  );
}

async function run(
  options: MemoryToolOptions,
  { query, from, to, limit }: SearchMemoryArguments,
  context: ToolContext,
): Promise<ToolOutcome> {
  const times = readTimes(from, to, options.now());
  if (!times.ok) return failedOutcome(times.failure);
  const asked = {
    query,
    ...times.value,
    ...searchSettings(options, context),
    ...(limit !== undefined && { limit }),
  };
  const given = limit ?? asked.settings.given;
  const [found, facts] = await Promise.all([
    options.memory.search(asked, context.signal),
    knownFacts(options.memory, { ...asked, minConfidence: leastConfidence(options) }, context.signal),
  ]);
  if (!found.ok) return failedOutcome(found.failure);
  const hits = found.value.hits.slice(0, given);
  const lines = memoryLines(hits);
  const turns = hits.map(({ episode }, index) => ({ turnId: episode.turnId, line: lines[index] ?? "" }));
  const more = facts.filter((fact) => !isToldAlready(fact, turns)).slice(0, given);
  return outcome(query, { ...found.value, hits }, more, options.now());
}

/** What is known beside the turns themselves. Without it the search still has its turns. */
async function knownFacts(
  memory: MemoryPort,
  query: Parameters<MemoryPort["searchAll"]>[0],
  signal: AbortSignal,
): Promise<readonly AnyHit[]> {
  const found = await memory.searchAll(
    { ...query, types: ["fact", "relationship"], limit: MAX_RESULTS },
    signal,
  );
  if (!found.ok) return [];
  const known = found.value.hits.filter(({ type }) => type === "fact" || type === "relationship");
  const lines = new Set<string>();
  return known.filter(({ text }) => !lines.has(text) && lines.add(text));
}

function outcome(query: string, search: MemorySearch, facts: readonly AnyHit[], now: number): ToolOutcome {
  const { hits, searched, note, dropped, purified, range } = search;
  const lines = [...memoryLines(hits), ...facts.map(({ text }) => visibleLine(text))];
  const known = facts.length === 0 ? "" : `, ${facts.length} ${facts.length === 1 ? "fact" : "facts"}`;
  return {
    ok: true,
    content: recalledText(lines, NO_MEMORIES),
    details: {
      summary: `${hits.length} of ${searched} memories given${known}`,
      sources: [...hits.map(sourceOf), ...facts.map(({ id, text }) => memorySource(id, text))],
      data: {
        query,
        searched,
        hits: hits.map((hit) => row(hit, now)),
        ...(facts.length > 0 && { facts: facts.map(factRow) }),
        ...(dropped !== undefined && { dropped }),
        ...(purified !== undefined && { purified: { ...purified } }),
        ...(range !== undefined && { range: { ...range } }),
        ...(note !== undefined && { note }),
      },
    },
  };
}

function sourceOf({ episode }: MemoryHit): Source {
  return memorySource(episode.id, episode.question === "" ? episode.answer : episode.question);
}

function factRow({ id, type, text, time: at, score, parts }: AnyHit): Json {
  return { id, type, text, time: at, score, ...explained(parts) };
}

function row({ episode, notes, score, parts }: MemoryHit, now: number): JsonObject {
  const { id, sessionId, turnId, time: at, kind } = episode;
  return {
    ...{ id, sessionId, turnId, kind, time: at, score },
    question: shorten(notes?.edit?.question ?? episode.question, MAX_SHOWN),
    answer: shorten(notes?.edit?.answer ?? episode.answer, MAX_SHOWN),
    ...explained(parts, { notes, now }),
  };
}
