import type { VNode } from "preact";
import type { TurnModel } from "../../trace/model.ts";
import { Fact, Section } from "../fact-lines.tsx";
import { count, tokenCount } from "../format.ts";

/** Fuller than this, there is hardly room for another question; percent. */
const NEARLY_FULL = 90;

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
    { name: "history", tone: "prompt", tokens: parts.history },
    { name: "memory, files", tone: "memory", tokens: parts.memory + parts.references },
    { name: "question", tone: "answer", tokens: parts.question },
    { name: "steps of this turn", tone: "thinking", tokens: parts.steps },
  ];
  return all.filter(({ tokens }) => tokens > 0);
}

function share(tokens: number, length: number): number {
  return length === 0 ? 0 : Math.min(100, (tokens / length) * 100);
}

function Gauge(props: {
  readonly parts: readonly ContextPart[];
  readonly used: number;
  readonly length: number;
}): VNode {
  const { parts, used, length } = props;
  const filled = share(used, length);
  return (
    <div
      class={`gauge${parts.length > 0 ? " parts" : ""}${filled > NEARLY_FULL ? " nearly-full" : ""}`}
      role="meter"
      aria-label="Context in use"
      aria-valuemin={0}
      aria-valuemax={length}
      aria-valuenow={Math.min(used, length)}
      aria-valuetext={`${count(used)} of ${count(length)}`}
    >
      {parts.length === 0 ? (
        <i class="fill-tool" style={{ width: `${filled}%` }} />
      ) : (
        parts.map(({ name, tone, tokens }) => (
          <i
            key={name}
            class={`fill-${tone}`}
            title={`${name}: ${tokenCount(tokens)}`}
            style={{ width: `${share(tokens, length)}%` }}
          />
        ))
      )}
    </div>
  );
}

/** How full the context of the latest model call was, and with what. */
export function Context({ turn }: { readonly turn: TurnModel }): VNode | null {
  const { context } = turn;
  if (context === undefined) return null;
  const { used, length } = context;
  if (used === undefined) {
    return (
      <Section title="Context">
        <Fact name="room" value={tokenCount(length)} />
      </Section>
    );
  }
  const parts = turn.budget === undefined ? [] : partsOf(turn.budget.parts);
  const filled = share(used, length);
  return (
    <Section title={`Context · ${count(used)} of ${count(length)}`}>
      <Gauge parts={parts} used={used} length={length} />
      {filled > NEARLY_FULL ? <p class="nearly-full-word">nearly full</p> : null}
      {parts.map(({ name, tone, tokens }) => (
        <div class="fact" key={name}>
          <span>
            <i class={`swatch fill-${tone}`} aria-hidden="true" />
            {name}
          </span>
          <span class="num">{count(tokens)}</span>
        </div>
      ))}
      <Fact name="given in the latest step" value={`${filled.toFixed(filled < 10 ? 1 : 0)} %`} />
      <Fact name="left" value={count(Math.max(0, length - used))} />
    </Section>
  );
}
