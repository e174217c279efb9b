import type { VNode } from "preact";
import { scoreParts, signed, whyRecalled } from "./score-parts.ts";

const WIDTH = 84;

/**
 * A score as a bar of its length, divided by what it is made of: the views share the relevance, then comes what was
 * added. The parts are said in words on hover.
 */
export function ScoreBar(props: {
  readonly score: number;
  readonly parts: { readonly [part: string]: number };
  /** Why it was recalled, in a sentence, where that is known; else it is made of the parts. */
  readonly why?: string;
}): VNode {
  const all = scoreParts(props.parts);
  const parts = all.filter(({ value }) => value > 0);
  const views = parts.filter(({ kind }) => kind === "view").reduce((sum, { value }) => sum + value, 0);
  const relevance = props.parts["relevance"] ?? views;
  const shares = parts.map((part) => ({
    ...part,
    share: part.kind === "view" ? (part.value / Math.max(views, 1e-9)) * relevance : part.value,
  }));
  const whole = shares.reduce((sum, { share }) => sum + share, 0);
  const length = Math.max(0, Math.min(1, props.score)) * WIDTH;
  const words = all
    .map(({ label, kind, value }) => `${label} ${kind === "view" ? value.toFixed(2) : signed(value)}`)
    .join(", ");
  return (
    <span
      class="score"
      role="img"
      aria-label={words === "" ? "no parts" : words}
      title={words === "" ? undefined : `${props.why || whyRecalled(props.parts)}\n${words}`}
    >
      {shares.map(({ name, tone, share }) => (
        <i key={name} class={`fill-${tone}`} style={{ width: `${(share / whole) * length}px` }} />
      ))}
    </span>
  );
}
