import type { VNode } from "preact";
import type { TurnModel } from "../trace/model.ts";
import { Fact, Section } from "./fact-lines.tsx";
import { count, duration } from "./format.ts";
import { useClock } from "./hooks.ts";
import { Kept } from "./kept.tsx";
import type { Store } from "./store.ts";
import { lanesOf, modelTimes, tokensByAgent, type Bar } from "./timeline.ts";

/** Writing that took less than this gives no speed. */
const MEASURABLE_MS = 20;

/** Facts about the chosen turn: when, how much context, how many tokens, what was kept. */
export function Facts({ store }: { readonly store: Store }): VNode {
  const { turn } = store;
  return (
    <aside class="facts" aria-label="Facts about the turn" tabIndex={0}>
      {turn === undefined ? (
        <p class="hint">Facts about a turn stand here: its timeline, its context, its tokens.</p>
      ) : (
        <>
          <Timeline store={store} turn={turn} />
          <Context turn={turn} />
          <Tokens turn={turn} />
          <ByAgent turn={turn} />
          <About turn={turn} />
          <Kept turn={turn} />
        </>
      )}
    </aside>
  );
}

function Timeline({ store, turn }: { readonly store: Store; readonly turn: TurnModel }): VNode | null {
  const now = useClock(store, store.running);
  const lanes = lanesOf(turn, now);
  if (lanes.length === 0) return null;
  const whole = Math.max(1, (turn.end ?? now) - turn.start);
  const place = (bar: Bar) => {
    const left = Math.min(99, Math.max(0, ((bar.from - turn.start) / whole) * 100));
    const width = Math.min(100 - left, Math.max(0.8, ((bar.to - bar.from) / whole) * 100));
    return { left: `${left}%`, width: `${width}%` };
  };
  return (
    <Section title="Timeline">
      {lanes.map((lane) => (
        <div class="lane" key={lane.name}>
          <span class="ellipsis" title={lane.name}>
            {lane.name}
          </span>
          <span class="lane-bars" aria-hidden="true">
            {lane.bars.map((bar, index) => (
              <i key={index} class={`fill-${bar.tone}`} style={place(bar)} />
            ))}
          </span>
        </div>
      ))}
    </Section>
  );
}

interface ContextPart {
  readonly name: string;
  readonly tone: string;
  readonly tokens: number;
}

/** What fills the context, as far as there is something of it; estimates of the latest model call. */
function partsOf(parts: NonNullable<TurnModel["budget"]>["parts"]): readonly ContextPart[] {
  const all: readonly ContextPart[] = [
    { name: "rules", tone: "model", tokens: parts.system },
    { name: "tools", tone: "tool", tokens: parts.tools },
    { name: "history", tone: "waiting", tokens: parts.history },
    { name: "memory, files", tone: "memory", tokens: parts.memory + parts.references },
    { name: "question", tone: "answer", tokens: parts.question },
    { name: "steps of this turn", tone: "thinking", tokens: parts.steps },
  ];
  return all.filter(({ tokens }) => tokens > 0);
}

function Context({ turn }: { readonly turn: TurnModel }): VNode | null {
  const { context } = turn;
  if (context === undefined) return null;
  const { used, length } = context;
  if (used === undefined) {
    return (
      <Section title="Context">
        <Fact name="room" value={`${count(length)} tokens`} />
      </Section>
    );
  }
  const parts = turn.budget === undefined ? [] : partsOf(turn.budget.parts);
  const share = length === 0 ? 0 : Math.min(100, (used / length) * 100);
  const words = `${count(used)} of ${count(length)}`;
  return (
    <Section title={`Context · ${words}`}>
      <div
        class={`gauge${parts.length > 0 ? " parts" : ""}${share > 90 ? " nearly-full" : ""}`}
        role="meter"
        aria-label="Context in use"
        aria-valuemin={0}
        aria-valuemax={length}
        aria-valuenow={Math.min(used, length)}
        aria-valuetext={words}
      >
        {parts.length === 0 ? (
          <i class="fill-tool" style={{ width: `${share}%` }} />
        ) : (
          parts.map(({ name, tone, tokens }) => (
            <i
              key={name}
              class={`fill-${tone}`}
              style={{ width: `${length === 0 ? 0 : Math.min(100, (tokens / length) * 100)}%` }}
            />
          ))
        )}
      </div>
      {parts.map(({ name, tone, tokens }) => (
        <div class="fact" key={name}>
          <span>
            <i class={`swatch fill-${tone}`} aria-hidden="true" />
            {name}
          </span>
          <span class="num">{count(tokens)}</span>
        </div>
      ))}
      <Fact name="given in the latest step" value={`${share.toFixed(share < 10 ? 1 : 0)} %`} />
      <Fact name="left" value={count(Math.max(0, length - used))} />
    </Section>
  );
}

function Tokens({ turn }: { readonly turn: TurnModel }): VNode | null {
  if (turn.inputTokens + turn.outputTokens === 0) return null;
  const times = modelTimes(turn);
  const speed =
    times.generationMs === undefined || times.generationMs < MEASURABLE_MS
      ? undefined
      : `${(turn.outputTokens / (times.generationMs / 1000)).toFixed(1)} / s`;
  const time = (value: number | undefined) => (value === undefined ? undefined : duration(value));
  return (
    <Section title="Tokens and times">
      <Fact name="in, all steps" value={count(turn.inputTokens)} />
      <Fact name="out" value={count(turn.outputTokens)} />
      <Fact
        name="loading"
        value={times.loadMs !== undefined && times.loadMs >= 1 ? time(times.loadMs) : undefined}
      />
      <Fact name="reading prompts" value={time(times.promptMs)} />
      <Fact name="writing" value={time(times.generationMs)} />
      <Fact name="speed" value={speed} />
    </Section>
  );
}

/** What each agent of a turn was given and wrote. */
function ByAgent({ turn }: { readonly turn: TurnModel }): VNode | null {
  const agents = tokensByAgent(turn);
  if (agents.length === 0) return null;
  return (
    <Section title="Tokens by agent">
      {agents.map(({ name, input, output }) => (
        <Fact key={name} name={name} value={`${count(input)} in / ${count(output)} out`} />
      ))}
    </Section>
  );
}

function About({ turn }: { readonly turn: TurnModel }): VNode | null {
  if (turn.steps === 0 && turn.tools.length === 0) return null;
  return (
    <Section title="Steps and tools">
      <Fact name="steps" value={count(turn.steps)} />
      <Fact name="tools by" value={turn.protocol} />
      {turn.tools.map((tool) => (
        <Fact key={tool} name={tool} value="" />
      ))}
    </Section>
  );
}
