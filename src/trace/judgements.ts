/** A critic's grade of an answer, 1-5 or none, as it counts. */
export interface Grade {
  readonly score: number | null;
  /** The critic's words; empty where no critic graded. */
  readonly feedback: string;
  /** The judge; empty where no critic graded. */
  readonly model: string;
  /** When the critic gave it, milliseconds since the epoch; absent where no critic graded. */
  readonly time?: number;
  /** A person put `score` in the place of what the critic gave. */
  readonly corrected?: { readonly by: string; readonly reason: string; readonly time: number };
  /** What the critic gave, where that was corrected. */
  readonly given?: Omit<Grade, "corrected" | "given">;
}

/** What the user thinks of an answer. */
export interface Feedback {
  readonly rating: "up" | "down";
  readonly note?: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** A verdict between two respondents' answers. */
export interface Pairwise {
  /** The respondent whose answer was found better; null is a tie. */
  readonly winner: "A" | "B" | null;
  /** The judge's words. */
  readonly feedback: string;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}
