import { z } from "zod";
import { momentLine } from "../agent/memory/text.ts";
import type { MomentPage } from "../agent/memory/types.ts";
import type { Tool, ToolContext, ToolOutcome } from "../agent/tool.ts";
import { UNLISTED } from "./json-schema.ts";
import {
  failedOutcome,
  memorySource,
  recalledText,
  timedTool,
  type MemoryToolOptions,
} from "./memory-access.ts";
import { endArgument, readTimes, timeArgument } from "./memory-dates.ts";
import { visibleLine } from "./web/untrusted.ts";

const GIVEN = 10;
const MAX_GIVEN = 50;

const parameters = z.object({
  from: timeArgument,
  to: endArgument,
  query: z.string().trim().max(2_000).optional(),
  limit: z.int().min(1).max(MAX_GIVEN).default(GIVEN).meta(UNLISTED),
});

type GetMomentsArguments = z.infer<typeof parameters>;

/** The tool `get_moments`: the moments of a time, or those that fit some words, each with its date. */
export function getMoments(options: MemoryToolOptions): Tool<GetMomentsArguments> {
  return timedTool(
    options,
    {
      name: "get_moments",
      aliases: ["get_moment", "list_moments", "search_moments"],
      description: "Gives moments that were kept, of a time or on a subject, with their dates.",
      parameters,
      readOnly: true,
    },
    run,
  );
}

async function run(
  options: MemoryToolOptions,
  { from, to, query, limit }: GetMomentsArguments,
  context: ToolContext,
): Promise<ToolOutcome> {
  const times = readTimes(from, to, options.now());
  if (!times.ok) return failedOutcome(times.failure);
  const scopes = options.scopes?.();
  const found = await options.memory.moments(
    {
      ...times.value,
      limit,
      // Models write an empty text for what they leave out.
      ...(query !== undefined && query !== "" && { query }),
      ...(scopes !== undefined && { scopes }),
    },
    context.signal,
  );
  return found.ok ? outcome(found.value) : failedOutcome(found.failure);
}

function outcome({ moments, total }: MomentPage): ToolOutcome {
  const lines = moments.map(({ moment }) => visibleLine(momentLine(moment)));
  const more = total - moments.length;
  const rest = more > 0 ? `\n${more} more: ask for a shorter time, or with a query.` : "";
  return {
    ok: true,
    content: `${recalledText(lines, "No moments found.")}${rest}`,
    details: {
      summary: `${moments.length} of ${total} moments given`,
      sources: moments.map(({ moment: { id, title, text } }) =>
        memorySource(id, title === "" ? text : title),
      ),
      data: {
        total,
        moments: moments.map(({ moment: { id, title, text, from, to }, score }) => ({
          ...{ id, title, text, from, to, score },
        })),
      },
    },
  };
}
