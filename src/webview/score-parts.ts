import { scoreParts as tell, type About, type ScorePart as Told } from "../agent/memory/explain-hit.ts";

export { signed, whyRecalled, type About } from "../agent/memory/explain-hit.ts";

/** A part of why something was recalled, with the colour it is drawn in. */
export interface ScorePart extends Told {
  readonly tone: "tool" | "thinking" | "memory" | "answer" | "model";
}

const TONES: { readonly [name: string]: ScorePart["tone"] } = {
  text: "thinking",
  vector: "tool",
  window: "tool",
  rerank: "tool",
  speaker: "answer",
  time: "memory",
  score: "answer",
  verdict: "answer",
  reward: "answer",
  recency: "memory",
  pin: "memory",
};

/** The parts of a score in the order in which they are told; the relevance itself is the sum of the views, and none. */
export function scoreParts(
  parts: { readonly [name: string]: number },
  about: About = {},
): readonly ScorePart[] {
  return tell(parts, about).map((part) => ({
    ...part,
    tone: (Object.hasOwn(TONES, part.name) ? TONES[part.name] : undefined) ?? "model",
  }));
}
