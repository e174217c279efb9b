import type { VNode } from "preact";
import type { MemoryScore } from "../../trace/panel-memory.ts";
import { scoreParts, signed, whyRecalled, type About, type ScorePart } from "../score-parts.ts";

/** Why an episode was recalled: one sentence, then what its value is made of, part by part. */
export function WhyRecalled(props: {
  readonly score: MemoryScore;
  readonly about: About;
  /** What was said of it when it was recalled; else the sentence is made of the parts. */
  readonly sentence?: string;
}): VNode {
  const { score, about, sentence = "" } = props;
  const parts = scoreParts(score.parts, about);
  const views = parts.filter(({ kind }) => kind === "view");
  const added = parts.filter(({ kind }) => kind === "added");
  const relevance = score.parts["relevance"];
  return (
    <section class="why" aria-label="Why recalled">
      <h3>Why recalled</h3>
      <p>{sentence === "" ? whyRecalled(score.parts, about) : sentence}</p>
      <dl class="why-parts">
        {views.map((part) => (
          <Part key={part.name} part={part} />
        ))}
        {relevance === undefined ? null : <Whole name="relevance" value={relevance} />}
        {added.map((part) => (
          <Part key={part.name} part={part} />
        ))}
        <Whole name="value" value={score.value} />
      </dl>
    </section>
  );
}

function Part({ part }: { readonly part: ScorePart }): VNode {
  const { label, value, tone, kind, says } = part;
  return (
    <div>
      <dt>{says === undefined ? label : `${label}: ${says}`}</dt>
      <dd>
        <span class="why-bar" aria-hidden="true">
          <i
            class={value < 0 ? "fill-waiting" : `fill-${tone}`}
            style={{ width: `${Math.min(1, Math.abs(value)) * 100}%` }}
          />
        </span>
        <span class="num">{kind === "view" ? value.toFixed(2) : signed(value)}</span>
      </dd>
    </div>
  );
}

function Whole({ name, value }: { readonly name: string; readonly value: number }): VNode {
  return (
    <div class="whole">
      <dt>{name}</dt>
      <dd>
        <span />
        <span class="num">{value.toFixed(2)}</span>
      </dd>
    </div>
  );
}
