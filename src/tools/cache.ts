import { LRUCache } from "lru-cache";
import type { Tool, ToolOutcome } from "../agent/tool.ts";

/** How long a result is kept, in milliseconds. */
const KEEP_MS = 5 * 60_000;

/** Results that are kept of one tool, and their text together in UTF-16 units. */
const MAX_RESULTS = 64;
const MAX_CHARACTERS = 2_000_000;

/** How the results of a tool are kept. */
export interface CacheOptions<A> {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** What tells calls apart, such as the address and the engine that is asked. */
  readonly key: (args: A) => string;
}

type Given = Extract<ToolOutcome, { ok: true }>;

interface Kept {
  readonly outcome: Given;
  readonly at: number;
}

/**
 * The same tool, whose results are kept for five minutes: the same call gets the same result, and people are told how
 * old it is. Failures and results without a source are not kept: the next try may do better.
 */
export function cachedTool<A>(tool: Tool<A>, { now, key }: CacheOptions<A>): Tool<A> {
  const results = new LRUCache<string, Kept>({
    max: MAX_RESULTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ outcome }) => outcome.content.length + 1,
    ttl: KEEP_MS,
    ttlResolution: 0,
    perf: { now },
  });
  return {
    ...tool,
    get timeoutMs() {
      return tool.timeoutMs;
    },
    async run(args, context) {
      const asked = key(args);
      const known = results.get(asked);
      if (known !== undefined) return aged(known, now());
      const outcome = await tool.run(args, context);
      if (outcome.ok && (outcome.details.sources?.length ?? 0) > 0) {
        results.set(asked, { outcome, at: now() });
      }
      return outcome;
    },
  };
}

function aged({ outcome, at }: Kept, now: number): ToolOutcome {
  const { summary, data, ...details } = outcome.details;
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  return {
    ...outcome,
    details: {
      ...details,
      summary: `${summary}, kept from ${seconds} s ago`,
      data: { ...data, fromCache: true, ageSeconds: seconds },
    },
  };
}
