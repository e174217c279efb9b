import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { percent } from "../../trace/check-words.ts";
import type { TurnModel } from "../../trace/model.ts";
import { Fact, Section } from "../fact-lines.tsx";
import { count } from "../format.ts";
import type { Store } from "../store.ts";

function withShare({ tokens, shared }: { readonly tokens: number; readonly shared: number }): string {
  return `${count(shared)} (${percent(shared / Math.max(1, tokens))})`;
}

/** How much of the prompts their server had read already, and what it costs that several speak. */
export function PromptCache({
  store,
  turn,
}: {
  readonly store: Store;
  readonly turn: TurnModel;
}): VNode | null {
  const { loaded } = store.shown;
  useEffect(() => {
    if (loaded && turn.status !== "running") store.prefill.fetch(turn);
  }, [store, turn, loaded, turn.status]);
  const view = store.prefill.get(turn.turnId);
  if (view === undefined || (view.latest === undefined && view.times === undefined)) return null;
  return (
    <Section title="Prompt cache">
      <Fact
        name="shared prefix"
        title="Tokens of the latest prompt that begin as the request before it: the server need not read them again"
        value={view.latest && withShare(view.latest)}
      />
      <Fact
        name="of all prompts"
        title="The same over all requests of the turn that another one came before"
        value={view.prompts > 2 ? withShare(view) : undefined}
      />
      <Fact
        name="prefill, all speakers"
        title="What the first prompts of all speakers cost to read, beside that of one"
        value={view.times === undefined ? undefined : `${view.times.toFixed(1)} × one`}
      />
    </Section>
  );
}
