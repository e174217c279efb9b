import { z } from "zod";
import type { FinishReason } from "../../../../src/agent/models/types.ts";
import type { ShownText, StepReader, StepReading } from "../../../../src/agent/protocol.ts";
import type { Tool, ToolSet } from "../../../../src/agent/tool.ts";
import { argumentsSchema } from "../../../../src/tools/json-schema.ts";

function tool(name: string, parameters: z.ZodType, readOnly: boolean, aliases: readonly string[] = []): Tool {
  return {
    name,
    aliases,
    description: `What ${name} does.`,
    parameters,
    readOnly,
    timeoutMs: 1_000,
    run: () => Promise.resolve({ ok: true, content: "done", details: { summary: "done" } }),
  };
}

/** Makes a set of tools as the registry does. */
export function toolSet(tools: readonly Tool[]): ToolSet {
  return {
    schemas: tools.map((each) => ({
      name: each.name,
      description: each.description,
      parameters: argumentsSchema(each),
    })),
    find: (name) => tools.find((each) => each.name === name || each.aliases?.includes(name)),
  };
}

/** Two tools that read, two that write; arguments of every kind. */
export const TOOLS: ToolSet = toolSet([
  tool("find_tide", z.object({ port: z.string(), days: z.number().int().optional() }), true, ["tide_table"]),
  tool("search_notes", z.object({ query: z.string(), tags: z.array(z.string()).optional() }), true),
  tool("save_note", z.object({ text: z.string(), pinned: z.boolean().optional() }), false),
  tool(
    "book_berth",
    z.object({ harbour: z.string(), length: z.number(), night: z.object({ from: z.string() }).optional() }),
    false,
  ),
]);

export const NO_TOOLS: ToolSet = toolSet([]);

/** Ids in order, as the loop makes them. */
export function counter(): () => string {
  let next = 0;
  return () => {
    next += 1;
    return `id${next}`;
  };
}

/** What a reader gave over one step: all that was shown, by channel, and its reading. */
export interface ReadStep {
  readonly answer: string;
  readonly thinking: string;
  readonly pieces: readonly ShownText[];
  readonly reading: StepReading;
}

/** Feeds pieces of content to a reader and ends it. */
export function readContent(
  reader: StepReader,
  pieces: readonly string[],
  reason: FinishReason | "broken" = "stop",
): ReadStep {
  return readStep(
    reader,
    pieces.map((text) => ({ channel: "answer", text })),
    reason,
  );
}

/** Feeds pieces of content and thinking to a reader and ends it. */
export function readStep(
  reader: StepReader,
  pieces: readonly ShownText[],
  reason: FinishReason | "broken" = "stop",
): ReadStep {
  const shown = pieces.flatMap(({ channel, text }) =>
    channel === "answer" ? [...reader.content(text)] : [...reader.thinking(text)],
  );
  const end = reader.finish(reason);
  const all = [...shown, ...end.shown];
  const joined = (channel: ShownText["channel"]): string =>
    all.flatMap((piece) => (piece.channel === channel ? [piece.text] : [])).join("");
  return { answer: joined("answer"), thinking: joined("thinking"), pieces: all, reading: end.reading };
}

/** Cuts a text at the given places. */
export function chunked(text: string, cuts: readonly number[]): readonly string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  const edges = [0, ...places, text.length];
  return edges
    .slice(1)
    .map((end, index) => text.slice(edges[index], end))
    .filter((piece) => piece !== "");
}
