import type { VNode } from "preact";

/** What an icon stands for; each also stands beside a word. */
export type IconName =
  | "chevron"
  | "thinking"
  | "tool"
  | "memory"
  | "model"
  | "people"
  | "text"
  | "warning"
  | "error"
  | "context"
  | "verdict";

/** Strokes on a field of 16 by 16. A notebook's outputs share no icon font with the panel. */
const STROKES: { readonly [name in IconName]: string } = {
  chevron: "M6 4l4 4-4 4",
  thinking: "M6 10.5a4 4 0 1 1 4 0v1.2H6zM6.5 13.7h3",
  tool: "M13.2 5.2a3.2 3.2 0 0 1-4.3 3l-4.7 4.6-1.5-1.5 4.6-4.7a3.2 3.2 0 0 1 4-4.1L9.4 4.4l2 2z",
  memory:
    "M3.5 4c0-1.1 2-2 4.5-2s4.5.9 4.5 2-2 2-4.5 2-4.5-.9-4.5-2zv8c0 1.1 2 2 4.5 2s4.5-.9 4.5-2V4M3.5 8c0 1.1 2 2 4.5 2s4.5-.9 4.5-2",
  model: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01",
  people:
    "M6 7.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM2 13c.3-2.4 1.9-3.6 4-3.6s3.7 1.2 4 3.6M10.5 7.3a2 2 0 0 0 0-4M11.6 9.6c1.4.4 2.2 1.5 2.4 3.4",
  text: "M3 4h10M3 7h10M3 10h7",
  warning: "M8 2.5l6 11H2zM8 6.5v3.4M8 11.7h.01",
  error: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6 6l4 4M10 6l-4 4",
  context: "M4 3l4 3 4-3M4 13l4-3 4 3M2.5 8h11",
  verdict: "M8 2.5v11M4.5 13.5h7M3 5h10M3 5l-1.5 4h3zM13 5l-1.5 4h3z",
};

/** An icon; it says nothing to a screen reader, because a word stands beside it. */
export function Icon({ name, tone }: { readonly name: IconName; readonly tone?: string }): VNode {
  return (
    <svg class={tone === undefined ? "icon" : `icon tone-${tone}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={STROKES[name]} />
    </svg>
  );
}
