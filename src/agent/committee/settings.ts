/**
 * How a committee works. `sequential`: each hears those before. `blind`: a first round on their own, then an exchange.
 * `ring`: each hears its neighbour. `council`: first answers, an anonymous ranking of each other, a chair.
 * `self-consistency`: one agent, many samples. `single`: one agent, once.
 */
export const STRATEGIES = ["blind", "sequential", "ring", "council", "self-consistency", "single"] as const;
/** How a committee works. */
export type Strategy = (typeof STRATEGIES)[number];

/** How it is judged that all agree: not at all, by a cheap structured call, or by the similarity of embeddings. */
export const AGREEMENT_MODES = ["model", "embedding", "off"] as const;
/** How it is judged that all agree. */
export type AgreementMode = (typeof AGREEMENT_MODES)[number];

/** Most rounds that a committee may have. */
export const MAX_ROUNDS = 5;

/** What a committee goes by. */
export interface CommitteeSettings {
  /** Names of the personas, in the order in which they speak. */
  readonly personas: readonly string[];
  readonly strategy: Strategy;
  /** Rounds of exchange behind the first, independent one count too: 1 is the first alone. 1 to `MAX_ROUNDS`. */
  readonly rounds: number;
  /** Models by the persona's name; over what its file says. */
  readonly models: Readonly<Record<string, string>>;
  /** Name of the agent that sums up. */
  readonly synthesizer: string;
  /** Tool steps of each persona and of the synthesizer; then comes a last call without tools. */
  readonly steps: number;
  /** Samples of `self-consistency`. */
  readonly samples: number;
  readonly agreement: AgreementMode;
  /** A persona that takes longer is left out; seconds. */
  readonly seconds: number;
}

/** The built-in team for engineering. */
export const ENGINEERING_TEAM = ["Skeptic", "Evidence Seeker", "Newcomer's Advocate", "Pragmatist"] as const;
/** The built-in team for personal questions, in the manner of Internal Family Systems. */
export const INNER_TEAM = [
  "Manager",
  "Protector",
  "Inner Child",
  "Inner Critic",
  "Caregiver",
  "Explorer",
] as const;
/** The built-in synthesizer. */
export const SELF = "The Self";

/** The defaults of the product. */
export const DEFAULT_COMMITTEE: CommitteeSettings = {
  personas: ENGINEERING_TEAM,
  strategy: "blind",
  rounds: 1,
  models: {},
  synthesizer: SELF,
  steps: 3,
  samples: 5,
  agreement: "model",
  seconds: 600,
};
