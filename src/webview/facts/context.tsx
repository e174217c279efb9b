import type { VNode } from "preact";
import type { AgentCell } from "../../trace/cells.ts";
import { agentAbove, agentName, cellsInOrder, type TurnModel } from "../../trace/model.ts";
import { Fact, Figures, Section } from "../fact-lines.tsx";
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

/** How full the context of an agent's latest model call was. */
interface Filled {
  readonly agent: AgentCell;
  readonly used: number;
  readonly length: number;
  readonly end: number;
}

/** The latest counted model call of each agent, in order of their first. What a branch took over is not of it. */
function filledBy(turn: TurnModel): readonly Filled[] {
  const found = new Map<string, Filled>();
  for (const cell of cellsInOrder(turn)) {
    if (cell.kind !== "model" || cell.inputTokens === undefined || cell.replays !== undefined) continue;
    const agent = agentAbove(turn, cell);
    if (agent === undefined) continue;
    const { inputTokens: used, contextLength: length, end = 0 } = cell;
    found.set(agentName(agent), { agent, used, length, end });
  }
  return [...found.values()];
}

/** How full the context of the latest model call was, and with what; where several agents spoke, how full theirs were. */
export function Context({ turn }: { readonly turn: TurnModel }): VNode | null {
  const { context } = turn;
  if (context === undefined) return null;
  const all = filledBy(turn);
  const latest = all.reduce<Filled | undefined>(
    (last, one) => (last === undefined || one.end >= last.end ? one : last),
    undefined,
  );
  const used = latest?.used ?? context.used;
  const length = latest?.length ?? context.length;
  if (used === undefined) {
    return (
      <Section title="Context">
        <Fact name="room" value={tokenCount(length)} />
      </Section>
    );
  }
  const budget = latest?.agent.budget ?? (all.length < 2 ? turn.budget : undefined);
  const parts = budget === undefined ? [] : partsOf(budget.parts);
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
      <Fact name="kept for the answer" value={budget && count(budget.parts.answer)} />
      <Fact name="left" value={count(Math.max(0, length - used))} />
      {all.length < 2 || latest === undefined ? null : (
        <>
          <Fact name="latest step of" value={agentName(latest.agent)} />
          <Figures
            label="Context in use by agent, at its latest step"
            heads={["agent", "in use", "of"]}
            rows={all.map((one) => [agentName(one.agent), count(one.used), count(one.length)])}
          />
        </>
      )}
    </Section>
  );
}
