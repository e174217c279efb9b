import { z } from "zod";
import type { JsonObject } from "../agent/models/types.ts";
import { USER, type GraphAnswer, type GraphLine } from "../agent/memory/types.ts";
import { NO_GRAPH_FACTS } from "../agent/memory/text.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import {
  badArguments,
  failedOutcome,
  memorySource,
  recalledText,
  timedTool,
  type MemoryToolOptions,
} from "./memory-access.ts";
import { shorten } from "./web/page.ts";
import { visibleLine } from "./web/untrusted.ts";

const MAX_NAMES = 20;
/** Lines that are told, of so many that are asked for: some may be another agent's. */
const MAX_TOLD = 20;
const MAX_ASKED = 100;

const names = z.array(z.string().trim().min(1).max(200)).max(MAX_NAMES).default([]);

const parameters = z.object({
  people: names.describe("Their names; the user is user"),
  locations: names.describe("Names of places, projects, things"),
});

type GraphArguments = z.infer<typeof parameters>;

/**
 * The tool `search_knowledge_graph`: what is known of people and places, within two hops. Of relations that belong to
 * an agent only those of the one that asks, as with facts: how a persona stands to somebody is its own.
 */
export function searchKnowledgeGraph(options: MemoryToolOptions): Tool<GraphArguments> {
  return timedTool(
    options,
    {
      name: "search_knowledge_graph",
      aliases: ["knowledge_graph", "search_graph", "query_knowledge_graph"],
      description: "Looks up what is known of people, places and projects, and how they belong together.",
      parameters,
      readOnly: true,
    },
    run,
  );
}

async function run(
  options: MemoryToolOptions,
  { people, locations }: GraphArguments,
  { agent, signal }: ToolContext,
): Promise<ToolOutcome> {
  if (people.length + locations.length === 0) {
    return badArguments("Name at least one of people or locations.");
  }
  const scopes = options.scopes?.();
  const found = await options.memory.graph(
    { people, locations, limit: MAX_ASKED, ...(scopes !== undefined && { scopes }) },
    signal,
  );
  if (!found.ok) return failedOutcome(found.failure);
  const { lines, unknown } = found.value;
  const own = lines.filter(({ relationship: { owner } }) => isKnownTo(agent, owner));
  return outcome({ lines: own.slice(0, MAX_TOLD), unknown });
}

function isKnownTo(agent: string, owner: string): boolean {
  return owner === USER || owner.toLowerCase() === agent.toLowerCase();
}

function outcome({ lines, unknown }: GraphAnswer): ToolOutcome {
  const told = lines.map(({ text }) => visibleLine(text));
  const missing = unknown.map((name) => shorten(visibleLine(name), 80));
  if (told.length > 0 && missing.length > 0) told.push(`Not known: ${missing.join(", ")}.`);
  return {
    ok: true,
    content: recalledText(told, NO_GRAPH_FACTS),
    details: {
      summary: `${lines.length} ${lines.length === 1 ? "fact" : "facts"} given`,
      sources: lines.map(({ relationship, text }) => memorySource(relationship.id, text)),
      data: { lines: lines.map(row), unknown: [...unknown] },
    },
  };
}

function row({ relationship, hops, text }: GraphLine): JsonObject {
  const { id, from, to, type, strength, validFrom, validTo, owner, source } = relationship;
  return {
    ...{ id, text, hops, from, to, type, strength, validFrom, validTo, owner },
    source: { ...source },
  };
}
