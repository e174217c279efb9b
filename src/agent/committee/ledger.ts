import type { LoopOutcome, TurnUsage } from "../loop/types.ts";
import type { Source } from "../tool.ts";

/** Sources that are kept of a committee's turn. */
const MAX_SOURCES = 100;

/** What all agents of a committee used and found, so far. */
export interface Ledger {
  add(outcome: Pick<LoopOutcome, "usage" | "steps" | "sources">): void;
  /** Input and output tokens together. */
  tokens(): number;
  usage(): TurnUsage;
  steps(): number;
  /** Each address once, in the order in which they came up. */
  sources(): readonly Source[];
}

/** An empty ledger. */
export function createLedger(): Ledger {
  let input: number | undefined;
  let output: number | undefined;
  let steps = 0;
  const sources = new Map<string, Source>();
  return {
    add: (outcome) => {
      const { inputTokens, outputTokens } = outcome.usage;
      if (inputTokens !== undefined) input = (input ?? 0) + inputTokens;
      if (outputTokens !== undefined) output = (output ?? 0) + outputTokens;
      steps += outcome.steps;
      for (const source of outcome.sources) {
        if (sources.size < MAX_SOURCES && !sources.has(source.uri)) sources.set(source.uri, source);
      }
    },
    tokens: () => (input ?? 0) + (output ?? 0),
    usage: () => ({
      ...(input !== undefined && { inputTokens: input }),
      ...(output !== undefined && { outputTokens: output }),
    }),
    steps: () => steps,
    sources: () => [...sources.values()],
  };
}
