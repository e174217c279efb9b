import type { Source } from "../tool.ts";

/** What a question is after. */
export const INTENTS = [
  "fact",
  "explanation",
  "comparison",
  "procedure",
  "preference",
  "emotion",
  "other",
] as const;
/** What a question is after. */
export type Intent = (typeof INTENTS)[number];

/** The mood of a question. */
export const SENTIMENTS = ["positive", "neutral", "negative"] as const;
/** The mood of a question. */
export type Sentiment = (typeof SENTIMENTS)[number];

/** One remembered turn. Append-only: an episode is never rewritten. */
export interface Episode {
  /** UUID. */
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly question: string;
  readonly answer: string;
  readonly agent: string;
  /** `A` unless said otherwise; a shadow's answer is `B`, and is recalled only if the user took it. */
  readonly respondent: string;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** `turn` for a remembered turn, else what it was noted as. */
  readonly kind: string;
  /** Opaque id of the workspace it belongs to; empty or absent: global. */
  readonly scope?: string;
  /** As the rules see it at once; a model's better word arrives as the annotation `class`. */
  readonly intent?: Intent;
  /** Names that it is about, as written. */
  readonly entities?: readonly string[];
  /** Files and selections that stood beside the question. */
  readonly references?: readonly { readonly label: string; readonly uri: string }[];
  /** What its tools gave as sources. */
  readonly sources?: readonly Source[];
}

/** Who wrote an annotation. */
export type AnnotationAuthor = "user" | "critic" | "judge" | "reward" | "classifier";

/**
 * What an annotation says, by its kind. The latest of a kind holds; only a score by the user holds over later ones that
 * are not. Null takes back what was there.
 */
export type AnnotationValue =
  /** A grade, 1..5: a critic's, or the user's in its place. */
  | { readonly kind: "score"; readonly value: number | null }
  | { readonly kind: "verdict"; readonly value: "winner" | "loser" | "tie" }
  /** What feedback is worth, -1..1. */
  | { readonly kind: "reward"; readonly value: number }
  /** What the reward is for, in few words of ours: `thumbed down`, `copied`. */
  | { readonly kind: "reason"; readonly value: string }
  | { readonly kind: "sentiment"; readonly value: Sentiment }
  | { readonly kind: "pin"; readonly value: boolean }
  /** The user's own words in place of what was said. */
  | { readonly kind: "edit"; readonly value: { readonly question?: string; readonly answer?: string } }
  | { readonly kind: "feedback"; readonly value: "up" | "down" | null }
  /** The user took this shadow's answer. */
  | { readonly kind: "taken"; readonly value: boolean }
  | {
      readonly kind: "class";
      readonly value: { readonly intent: Intent; readonly entities: readonly string[] };
    };

/** Something known of an episode that came later, or before it. Append-only. */
export type Annotation = AnnotationValue & {
  /** UUID. */
  readonly id: string;
  readonly episodeId: string;
  readonly by: AnnotationAuthor;
  /** Milliseconds since the epoch. */
  readonly time: number;
};

/** The annotations of an episode, the latest of each kind. */
export interface EpisodeNotes {
  readonly score?: number;
  /** Whose grade it is. */
  readonly scoreBy?: "critic" | "user";
  readonly verdict?: "winner" | "loser" | "tie";
  readonly reward?: number;
  /** When what it is for was said or done, milliseconds since the epoch. */
  readonly rewardAt?: number;
  /** What it is for. */
  readonly rewardFor?: string;
  readonly sentiment?: Sentiment;
  readonly pinned?: boolean;
  readonly edit?: { readonly question?: string; readonly answer?: string };
  readonly feedback?: "up" | "down";
  readonly taken?: boolean;
  readonly intent?: Intent;
  readonly entities?: readonly string[];
}
