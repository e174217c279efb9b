import type { TurnEvent, UsageData } from "../../agent/events.ts";

/** What work cost. */
export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** From its start to its end, waiting included. */
  readonly seconds: number;
}

/** What nobody's work costs. */
export const NOTHING_SPENT: Spent = { inputTokens: 0, outputTokens: 0, seconds: 0 };

/** Tokens in and out together. */
export function tokensOf({ inputTokens, outputTokens }: Spent): number {
  return inputTokens + outputTokens;
}

/** What an event that ends something says of its cost; what it does not say counts as nothing. */
export function spentBy(data: UsageData & { readonly "conclave.duration_ms"?: number }): Spent {
  return {
    inputTokens: data["gen_ai.usage.input_tokens"] ?? 0,
    outputTokens: data["gen_ai.usage.output_tokens"] ?? 0,
    seconds: (data["conclave.duration_ms"] ?? 0) / 1000,
  };
}

/** What each agent of a turn cost, by the id of its span. */
export function costs(events: readonly TurnEvent[]): ReadonlyMap<string, Spent> {
  const spent = new Map<string, Spent>();
  for (const event of events) if (event.type === "agent.end") spent.set(event.id, spentBy(event.data));
  return spent;
}

/** What the answer of a turn cost; undefined where it has not ended. Judges and respondent B come after it. */
export function costOfTurn(events: readonly TurnEvent[]): Spent | undefined {
  const end = events.find((event) => event.type === "turn.end");
  return end && spentBy(end.data);
}
