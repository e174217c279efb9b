import type { UsageData } from "./event-base.ts";

/** Tokens of a model's calls, as events tell them; what its server did not say is left out. */
export function usageData(usage: {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}): UsageData {
  const { inputTokens, outputTokens } = usage;
  return {
    ...(inputTokens !== undefined && { "gen_ai.usage.input_tokens": inputTokens }),
    ...(outputTokens !== undefined && { "gen_ai.usage.output_tokens": outputTokens }),
  };
}
