/** What a stretch of time was spent on; each has its own look, and its name in the legend. */
export type Tone = "waiting" | "loading" | "prompt" | "thinking" | "model" | "tool" | "memory" | "grade";

/** The tones as people read them, in the order of the legend. */
export const TONE_WORDS: Readonly<Record<Tone, string>> = {
  waiting: "waiting",
  loading: "loading",
  prompt: "prompt",
  thinking: "thinking",
  model: "writing",
  tool: "tool",
  memory: "memory",
  grade: "judging",
};

/** A stretch of time; times are milliseconds since the epoch. */
export interface Part {
  readonly from: number;
  readonly to: number;
  readonly tone: Tone;
}

/** One model call or one tool in a lane. */
export interface Bar {
  /** The cell that it stands for. */
  readonly cellId: string;
  /** Tells it from others of the same cell; left out: there are none. */
  readonly key?: string;
  /** What it is, and what its parts took, in words. */
  readonly title: string;
  readonly parts: readonly Part[];
  /** It came to nothing. */
  readonly failed?: boolean;
}

/** What one agent or one tool did, and when. */
export interface Lane {
  readonly name: string;
  readonly bars: Bar[];
  /** What there is in it beyond what is drawn. */
  left: number;
}
