import type { EventOf, TurnEvent, TurnEventType } from "../../agent/events.ts";

/** What a run took, in the report's names. */
export interface Usage {
  readonly steps: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly prefillMs: number;
  readonly totalMs: number;
  readonly retries: number;
  readonly repairs: number;
}

/** The events of one kind, of the respondent whose answer the user sees. */
export function eventsOf<Type extends TurnEventType>(
  events: readonly TurnEvent[],
  type: Type,
): readonly EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type && event.respondent !== "B");
}

/** What the turns among these events took. Judges and second respondents work after the answer, and don't count. */
export function usageOf(events: readonly TurnEvent[]): Usage {
  const ends = eventsOf(events, "turn.end");
  const before = untilEnds(events);
  const calls = eventsOf(before, "model.end");
  const requests = eventsOf(before, "tool.request");
  const results = eventsOf(before, "tool.result");
  const warnings = eventsOf(before, "warning").map(({ data }) => data.code);
  const outputs = eventsOf(before, "output.structured");
  const mended = requests.filter(
    ({ data }) => (data["conclave.mended"] ?? []).length > 0 || isRecovered(data),
  );
  return {
    steps: sum(ends, ({ data }) => data["conclave.steps"]),
    inputTokens: sum(ends, ({ data }) => data["gen_ai.usage.input_tokens"]),
    outputTokens: sum(ends, ({ data }) => data["gen_ai.usage.output_tokens"]),
    prefillMs: sum(calls, ({ data }) => data["conclave.prompt_ms"]),
    totalMs: sum(ends, ({ data }) => data["conclave.duration_ms"]),
    retries:
      warnings.filter((code) => code === "retried").length +
      sum(results, ({ data }) => Math.max(0, data["conclave.attempts"] - 1)),
    repairs:
      mended.length +
      outputs.filter(({ data }) => data.repaired).length +
      warnings.filter((code) => code === "format_broken").length,
  };
}

/** The events of each turn up to its end. */
function untilEnds(events: readonly TurnEvent[]): readonly TurnEvent[] {
  const over = new Set<string>();
  return events.filter((event) => {
    const isBefore = !over.has(event.turnId);
    if (event.type === "turn.end") over.add(event.turnId);
    return isBefore;
  });
}

function isRecovered(data: EventOf<"tool.request">["data"]): boolean {
  return data["conclave.recovered_from"] !== undefined;
}

function sum<T>(items: readonly T[], figure: (item: T) => number | undefined): number {
  return items.reduce((total, item) => total + (figure(item) ?? 0), 0);
}
