import { sharesOf, type ContextShares } from "./settings.ts";

/** The answer has at least so many tokens, or a quarter of a very short context. */
const LEAST_ANSWER = 256;

/** The most that each part of a prompt may take. */
export interface PartLimits {
  /** All of the prompt together; plain estimated tokens, as the other parts are. */
  readonly prompt: number;
  readonly system: number;
  readonly tools: number;
  /** What the history is left with at least, as long as it needs it. */
  readonly history: number;
  readonly memory: number;
  /** Kept free for the answer, in tokens as the server counts them. */
  readonly answer: number;
}

/** What a context is shared out from. */
export interface ContextSize {
  /** In tokens as the server counts them. */
  readonly contextLength: number;
  readonly maxOutputTokens: number;
  /** Tokens that the server counts for one of the plain estimate. */
  readonly calibration: number;
  readonly shares: Partial<ContextShares>;
}

/** Shares out a context. The limits are in plain estimated tokens, so that they compare with what is estimated. */
export function partLimits({ contextLength, maxOutputTokens, calibration, shares }: ContextSize): PartLimits {
  const part = sharesOf(shares);
  const answer = answerTokens(contextLength, maxOutputTokens, part.answer);
  const plain = (tokens: number): number => Math.max(0, Math.floor(tokens / calibration));
  const of = (percent: number): number => plain((contextLength * percent) / 100);
  return {
    prompt: plain(contextLength - answer),
    system: of(part.system),
    tools: of(part.tools),
    history: of(part.history),
    memory: of(part.memory),
    answer,
  };
}

/** Tokens that are kept free for an answer. */
function answerTokens(contextLength: number, maxOutputTokens: number, percent: number): number {
  const least = Math.min(LEAST_ANSWER, Math.floor(contextLength / 4));
  const share = Math.floor((contextLength * percent) / 100);
  return Math.max(0, Math.min(maxOutputTokens, Math.max(least, share)));
}
