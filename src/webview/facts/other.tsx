import type { VNode } from "preact";
import type { TurnModel } from "../../trace/model.ts";
import { Fact, Section } from "../fact-lines.tsx";
import { count, duration, tokenCount } from "../format.ts";
import { judgingCost } from "../timeline-after.ts";

/** What the second answer cost: it is in none of the turn's own figures. */
export function OtherCost({ turn }: { readonly turn: TurnModel }): VNode | null {
  const { shadow, other } = turn;
  if (shadow === undefined && other === undefined) return null;
  const input = shadow?.inputTokens ?? other?.inputTokens ?? 0;
  const output = shadow?.outputTokens ?? other?.outputTokens ?? 0;
  const ms = shadow?.durationMs;
  const calls = [...(other?.cells.values() ?? [])].filter(({ kind }) => kind === "tool").length;
  return (
    <Section title="Second answer (B)">
      <Fact name="agent" value={shadow?.agent ?? other?.agent} />
      <Fact name="model" value={shadow?.model} />
      <Fact name="in" value={count(input)} />
      <Fact name="out" value={count(output)} />
      <Fact name="steps" value={other === undefined || other.steps === 0 ? undefined : count(other.steps)} />
      <Fact name="tool calls" value={calls === 0 ? undefined : count(calls)} />
      <Fact name="time" value={ms === undefined ? undefined : duration(ms)} />
    </Section>
  );
}

/** What was done for the turn once it was over: what judging and learning cost, in none of the turn's own figures. */
export function AfterCost({ turn }: { readonly turn: TurnModel }): VNode | null {
  const judging = judgingCost(turn);
  const { learned } = turn;
  const tokens =
    (learned?.["gen_ai.usage.input_tokens"] ?? 0) + (learned?.["gen_ai.usage.output_tokens"] ?? 0);
  if (judging.tokens + tokens === 0) return null;
  return (
    <Section title="After the answer">
      <Fact name="judging" value={costWords(judging.tokens, judging.ms)} />
      <Fact name="learning" value={costWords(tokens, learned?.["conclave.duration_ms"] ?? 0)} />
    </Section>
  );
}

function costWords(tokens: number, ms: number): string | undefined {
  if (tokens === 0) return undefined;
  return [tokenCount(tokens), ...(ms > 0 ? [duration(ms)] : [])].join(" · ");
}
