/** What a part of the story shows, for any format to draw. All texts are untrusted. */
export type StoryPart =
  /** What a model wrote: Markdown. */
  | { readonly kind: "markdown"; readonly text: string }
  /** Text as it is. */
  | { readonly kind: "text"; readonly label: string; readonly text: string; readonly json?: true }
  | {
      readonly kind: "table";
      readonly label: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  /** Short values by their names. */
  | { readonly kind: "facts"; readonly facts: readonly Fact[] };

/** A short value and what it is. */
export type Fact = readonly [name: string, value: string];

/** What a block is, which gives it its sign and colour. */
export type StoryTone =
  "agent" | "model" | "thinking" | "tool" | "memory" | "answer" | "note" | "problem" | "verdict";

/** A folded part of a turn: one line that says what it is, and what is behind it. */
export interface StoryBlock {
  readonly tone: StoryTone;
  /** What it is: a tool's name, `Thinking`, an agent's name. */
  readonly title: string;
  /** On one line; may be empty. */
  readonly summary: string;
  /** How long it took, in words; empty where that says nothing. */
  readonly took: string;
  readonly parts: readonly StoryPart[];
  readonly children: readonly StoryBlock[];
}

/** A turn as it is told. */
export interface StoryTurn {
  readonly turnId: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly question: string;
  /** What was attached: names and texts. */
  readonly references: readonly { readonly label: string; readonly text: string }[];
  /** Empty where there is none. */
  readonly answer: string;
  readonly sources: readonly { readonly uri: string; readonly title: string }[];
  /** How it ended, in words. */
  readonly standing: string;
  readonly failed: boolean;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Grades, verdicts and feedback, one line each. */
  readonly judgements: readonly string[];
  readonly cost: readonly Fact[];
  readonly blocks: readonly StoryBlock[];
}

/** A session, or a part of one. */
export interface Story {
  readonly sessionId: string;
  readonly turns: readonly StoryTurn[];
  /** In sentences, what could not be read. */
  readonly problems: readonly string[];
}
