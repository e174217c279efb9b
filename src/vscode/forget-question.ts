/** Titles that the question names at most. */
const MAX_NAMED = 10;

/** What is asked before memories are forgotten: the panel and the command ask the same. */
export interface ForgetQuestion {
  readonly message: string;
  /** Names what goes, a line each, and says what stays. */
  readonly detail: string;
}

/** The question for memories with these titles. */
export function forgetQuestion(titles: readonly string[]): ForgetQuestion {
  const what = titles.length === 1 ? "this memory" : `these ${titles.length} memories`;
  const named = titles.slice(0, MAX_NAMED).map((title) => `• ${title}`);
  if (titles.length > MAX_NAMED) named.push(`and ${titles.length - MAX_NAMED} more`);
  return {
    message: `Forget ${what} for good?`,
    detail: `${named.join("\n")}\n\nTheir turns stay in the trace.`,
  };
}
