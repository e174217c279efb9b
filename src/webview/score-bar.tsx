import type { VNode } from "preact";

const WIDTH = 84;
const TONES = ["tool", "thinking", "answer", "memory", "model"];

/** The tone of each part of a score, the same everywhere. */
function toneOf(part: string, index: number): string {
  if (part === "vector") return "tool";
  if (part === "text") return "thinking";
  return TONES[(index + 2) % TONES.length] ?? "model";
}

/** A score as a bar of its length, divided by what it is made of; the parts are said in words on hover. */
export function ScoreBar(props: {
  readonly score: number;
  readonly parts: { readonly [part: string]: number };
}): VNode {
  const parts = Object.entries(props.parts).filter(([, value]) => value > 0);
  const whole = parts.reduce((sum, [, value]) => sum + value, 0);
  const length = Math.max(0, Math.min(1, props.score)) * WIDTH;
  const words = parts.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(", ");
  return (
    <span class="score" role="img" aria-label={words === "" ? "no parts" : words} title={words}>
      {parts.map(([name, value], index) => (
        <i
          key={name}
          class={`fill-${toneOf(name, index)}`}
          style={{ width: `${(value / whole) * length}px` }}
        />
      ))}
    </span>
  );
}
