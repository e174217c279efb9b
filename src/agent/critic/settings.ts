/** Which answers the critic looks at by itself: none, some, all, or only those that somebody asks it to. */
export const CRITIC_MODES = ["off", "sampled", "all", "request"] as const;
/** Which answers the critic looks at by itself. */
export type CriticMode = (typeof CRITIC_MODES)[number];

/** How answers are judged; every one is a setting. */
export interface CriticSettings {
  readonly mode: CriticMode;
  /** Share of the answers that are looked at when some are, 0..1. */
  readonly share: number;
  /** The judge; empty: the chat model. */
  readonly model: string;
  /** Name of the rubric; one that names the agent goes before it. */
  readonly rubric: string;
  /** Samples of a grade, 1..5; the median counts. */
  readonly samples: number;
  /** Each persona's answer is graded too, beside the synthesis. */
  readonly personas: boolean;
  /** Which answers a second respondent gives one of its own to, for comparison. */
  readonly shadow: CriticMode;
  /** Respondent B; what is empty or left out is as it was for A. */
  readonly shadowModel: string;
  readonly shadowAgent: string;
  readonly shadowTemperature?: number;
}

/** The defaults of the product. */
export const DEFAULT_CRITIC: CriticSettings = {
  mode: "all",
  share: 0.2,
  model: "",
  rubric: "helpfulness",
  samples: 1,
  personas: false,
  shadow: "request",
  shadowModel: "",
  shadowAgent: "",
};
