/** What is taken out of an export. */
export interface CleanOptions {
  /** Keys, tokens, passwords: on unless the user says otherwise. */
  readonly secrets: boolean;
  /** Contents of files: what was attached, and what tools read in the workspace. */
  readonly files: boolean;
  /** The path of the home folder, with the name in it. */
  readonly home: boolean;
  /** What memory gave and what it learnt. */
  readonly memory: boolean;
  /** What models thought. */
  readonly thinking: boolean;
}

/** Secrets go, all else stays. */
export const DEFAULT_CLEANING: CleanOptions = {
  secrets: true,
  files: false,
  home: false,
  memory: false,
  thinking: false,
};

/** Nothing is taken out. */
export const NO_CLEANING: CleanOptions = { ...DEFAULT_CLEANING, secrets: false };

/** What stands in place of texts that were left out. */
export const LEFT_OUT = {
  files: "[left out: file contents]",
  memory: "[left out: memory]",
  thinking: "[left out: thinking]",
} as const;

/** What was taken out, by what it was, the most frequent first. */
export type CleanReport = readonly { readonly what: string; readonly count: number }[];

/** What can be taken out of an export beside secrets. */
export const LEAVE_OUT = ["files", "home", "memory", "thinking"] as const;
/** What can be taken out of an export beside secrets. */
export type LeaveOutName = (typeof LEAVE_OUT)[number];
