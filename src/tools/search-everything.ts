import { z } from "zod";
import type { AnyHit } from "../agent/memory/port.ts";
import { dayOf, NO_MEMORIES } from "../agent/memory/text.ts";
import type { JsonObject } from "../agent/models/types.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
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
import { isToldAlready } from "./told-twice.ts";
import { shorten } from "./web/page.ts";
import { visibleLine } from "./web/untrusted.ts";

const RESULTS = 10;
const MAX_RESULTS = 30;
const MAX_LINE = 1_100;

const parameters = z.object({
  query: z.string().trim().min(1).max(2000),
  limit: z.int().min(1).max(MAX_RESULTS).default(RESULTS).meta(UNLISTED),
});

type SearchArguments = z.infer<typeof parameters>;

/** The tool `search`: everything that is remembered, of every kind, in one list. */
export function searchEverything(options: MemoryToolOptions): Tool<SearchArguments> {
  return timedTool(
    options,
    {
      name: "search",
      aliases: ["search_all", "search_everything"],
      description: "Searches all that is remembered: conversations, facts, people, moments, pages, files.",
      parameters,
      readOnly: true,
    },
    run,
  );
}

async function run(
  options: MemoryToolOptions,
  { query, limit }: SearchArguments,
  context: ToolContext,
): Promise<ToolOutcome> {
  const asked = {
    query,
    limit,
    minConfidence: leastConfidence(options),
    ...searchSettings(options, context),
  };
  const found = await options.memory.searchAll(asked, context.signal);
  if (!found.ok) return failedOutcome(found.failure);
  const hits = withoutRepeats(found.value.hits, limit);
  return {
    ok: true,
    content: recalledText(hits.map(line), NO_MEMORIES),
    details: {
      summary: `${hits.length} ${hits.length === 1 ? "result" : "results"} given`,
      sources: hits.map(({ id, uri, text }) => ({
        ...memorySource(id, text),
        ...(uri !== undefined && /^https?:/i.test(uri) && { uri }),
      })),
      data: { query, hits: hits.map(row) },
    },
  };
}

/** The best of what was found, without facts whose own turn is given and says them. */
function withoutRepeats(found: readonly AnyHit[], limit: number): readonly AnyHit[] {
  const turns = found
    .slice(0, limit)
    .flatMap(({ type, saidIn, text }) =>
      type === "episode" && saidIn !== undefined ? [{ turnId: saidIn, line: text }] : [],
    );
  return found.filter((hit) => hit.type === "episode" || !isToldAlready(hit, turns)).slice(0, limit);
}

/** A page says when it was read; the other kinds carry their dates in their text. */
function line({ type, text, time }: AnyHit): string {
  const told = shorten(visibleLine(text), MAX_LINE);
  return type === "resource" ? `[${dayOf(time)}] [read] ${told}` : told;
}

function row({ type, id, text, time, score, parts, uri }: AnyHit): JsonObject {
  return { type, id, text, time, score, ...explained(parts), ...(uri !== undefined && { uri }) };
}
