import type { ImplicitSign, RewardSource } from "../events-judged.ts";

/**
 * What feedback is worth. What was said counts whole. What is only concluded from what somebody did is weaker, and less
 * the more other reasons there may be for it: who asks again may just be curious, who copies may want to show how wrong
 * it is; who contradicts, or puts the code into a file, means it.
 */
export const WORTH: { readonly [Kind in RewardSource["kind"]]: number } = {
  thumbs: 1,
  applied: 0.4,
  copied: 0.25,
  asked_again: -0.25,
  contradicted: -0.5,
};

/** Something that was said or done, and the event that tells of it. */
export interface Sign {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly event: string;
}

/** What was said of an answer, or concluded; `none` takes back what was before. */
export interface Opinion extends Sign {
  readonly rating: "up" | "down" | "none";
}

/** What feedback on an answer comes to. */
export interface Reward {
  /** Within [-1, 1]; 0 where all was taken back. */
  readonly reward: number;
  /** In words, for people: `thumbed down`, `copied and applied`, `taken back`. */
  readonly reason: string;
  readonly sources: readonly RewardSource[];
}

const WORDS: { readonly [Sign in ImplicitSign]: string } = {
  applied: "applied",
  copied: "copied",
  asked_again: "asked again",
  contradicted: "contradicted",
};

/**
 * The worth of all feedback on one answer. What was said stands alone: what was concluded counts only where nothing was
 * said, or what was said was taken back. Each sign counts once, however often it was given.
 */
export function rewardOf(opinion: Opinion | undefined, signs: ReadonlyMap<ImplicitSign, Opinion>): Reward {
  if (opinion !== undefined && opinion.rating !== "none") {
    const { rating, time, event } = opinion;
    const worth = rating === "up" ? WORTH.thumbs : -WORTH.thumbs;
    return { reward: worth, reason: `thumbed ${rating}`, sources: [{ kind: "thumbs", worth, time, event }] };
  }
  const sources = [...signs]
    .filter(([, { rating }]) => rating !== "none")
    .map(([kind, { time, event }]): RewardSource => ({ kind, worth: WORTH[kind], time, event }))
    .sort((a, b) => a.time - b.time || a.kind.localeCompare(b.kind));
  const sum = sources.reduce((total, { worth }) => total + worth, 0);
  const words = sources.flatMap(({ kind }) => (kind === "thumbs" ? [] : [WORDS[kind]]));
  return {
    reward: Math.max(-1, Math.min(1, sum)),
    reason: words.length === 0 ? "taken back" : words.join(" and "),
    sources,
  };
}
