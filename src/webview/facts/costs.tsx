import type { VNode } from "preact";
import type { ToolCell } from "../../trace/cells.ts";
import type { TurnModel } from "../../trace/model.ts";
import { cutKey } from "../../trace/posted.ts";
import { Fact, Figures, Section } from "../fact-lines.tsx";
import { count, duration } from "../format.ts";
import { useClock } from "../hooks.ts";
import type { Store } from "../store.ts";
import { costByAgent, costByTool, modelTimes } from "../timeline.ts";

/** Writing that took less than this gives no speed. */
const MEASURABLE_MS = 20;
/** Characters that make a token, roughly. */
const PER_TOKEN = 3.5;

/** Tokens, model times and calls: of the turn, and of each agent where several were at work. */
export function Tokens({ store, turn }: { readonly store: Store; readonly turn: TurnModel }): VNode | null {
  const now = useClock(store, store.running);
  if (turn.inputTokens + turn.outputTokens === 0) return null;
  const times = modelTimes(turn);
  const speed =
    times.generationMs === undefined || times.generationMs < MEASURABLE_MS
      ? undefined
      : `${(turn.outputTokens / (times.generationMs / 1000)).toFixed(1)} / s`;
  const time = (value: number | undefined) =>
    value === undefined || value < 1 ? undefined : duration(value);
  const agents = costByAgent(turn, now);
  return (
    <>
      <Section title="Tokens and times">
        <Fact name="in, all steps" value={count(turn.inputTokens)} />
        <Fact name="out" value={count(turn.outputTokens)} />
        <Fact name="loading" value={time(times.loadMs)} />
        <Fact name="reading prompts" value={time(times.promptMs)} />
        <Fact name="writing" value={time(times.generationMs)} />
        <Fact name="speed" value={speed} />
      </Section>
      {agents.length < 2 ? null : (
        <Section title="Tokens by agent">
          <Figures
            label="Tokens and times by agent"
            heads={["agent", "in", "out", "time", "calls"]}
            rows={agents.map(({ name, input, output, ms, calls }) => [
              name,
              ...[count(input), count(output), duration(ms), count(calls)],
            ])}
          />
        </Section>
      )}
    </>
  );
}

/** What each tool cost: calls, time, and about how many tokens the model was given for them. */
export function ToolCosts({
  store,
  turn,
}: {
  readonly store: Store;
  readonly turn: TurnModel;
}): VNode | null {
  const now = useClock(store, store.running);
  const lengthOf = (cell: ToolCell) =>
    store.shown.cuts.get(cutKey(cell.id, "result"))?.length ?? cell.result?.length ?? 0;
  const tools = costByTool(turn, now, lengthOf);
  if (tools.length === 0) return null;
  return (
    <Section title="Tools used">
      <Figures
        label="What each tool cost"
        heads={["tool", "calls", "time", "≈ tokens"]}
        rows={tools.map(({ name, calls, failed, ms, given }) => [
          name,
          failed === 0 ? count(calls) : `${count(failed)} of ${count(calls)} failed`,
          duration(ms),
          count(given / PER_TOKEN),
        ])}
      />
    </Section>
  );
}
