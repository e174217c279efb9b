import type { VNode } from "preact";
import type { TurnModel } from "../trace/model.ts";
import { Fact, Section } from "./fact-lines.tsx";
import { Agents } from "./facts/agents.tsx";
import { Asked } from "./facts/asked.tsx";
import { Context } from "./facts/context.tsx";
import { Tokens, ToolCosts } from "./facts/costs.tsx";
import { AfterCost, OtherCost } from "./facts/other.tsx";
import { PromptCache } from "./facts/prompt-cache.tsx";
import { Timeline } from "./facts/timeline.tsx";
import { count } from "./format.ts";
import { Kept } from "./kept.tsx";
import type { Store } from "./store.ts";

/** Facts about the chosen turn: when, how much context, how many tokens, what was kept. */
export function Facts({ store }: { readonly store: Store }): VNode {
  const { turn } = store;
  return (
    <aside class="facts" aria-label="Facts about the turn" tabIndex={0}>
      {turn === undefined ? (
        <p class="hint">Facts about a turn stand here: its timeline, its context, its tokens.</p>
      ) : (
        <>
          <Agents store={store} turn={turn} />
          <Timeline store={store} turn={turn} />
          <Asked store={store} turn={turn} />
          <Context turn={turn} />
          <PromptCache store={store} turn={turn} />
          <Tokens store={store} turn={turn} />
          <ToolCosts store={store} turn={turn} />
          <OtherCost turn={turn} />
          <AfterCost turn={turn} />
          <Kept turn={turn} />
          <Offered turn={turn} />
        </>
      )}
    </aside>
  );
}

/** The steps that were had, and the tools that were offered: their names are many, and seldom looked for. */
function Offered({ turn }: { readonly turn: TurnModel }): VNode | null {
  if (turn.steps === 0 && turn.tools.length === 0) return null;
  return (
    <Section title="Steps and tools">
      <Fact name="steps" value={count(turn.steps)} />
      <Fact name="tools by" value={turn.protocol} />
      <Fact name="searches memory" value={turn.recall} />
      {turn.tools.length === 0 ? null : (
        <details class="offered">
          <summary>{count(turn.tools.length)} tools offered</summary>
          <ul>
            {turn.tools.map((tool) => (
              <li key={tool}>{tool}</li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}
