/** Where a command reads and writes: a terminal, or a test. */
export interface Terminal {
  /** What the command is for: answers, reports. */
  out(text: string): void;
  /** What goes on meanwhile: thinking, tools, progress, faults. */
  err(text: string): void;
  /** Names such as OLLAMA_HOST. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that paths are relative to. */
  readonly cwd: string;
}

/** What a command ends with. */
export const EXIT = {
  /** All is well. */
  ok: 0,
  /** It ran, and what it was to do failed: no answer, cases that failed. */
  failed: 1,
  /** What it was given can't be used; nothing was run. */
  badInput: 2,
  /** It was stopped, as by Ctrl-C. */
  cancelled: 130,
  /** Whoever read its output has gone, as `head` does: what a shell says of a program that this ends. */
  readerGone: 141,
} as const;

/** A word or line of somebody else's text, made harmless for a terminal: without control characters. */
export function harmless(text: string): string {
  // Escape sequences can move the cursor, set titles and make links that lie; tabs and line ends stay.
  return text.replace(/[^\P{Cc}\t\n]/gu, "");
}
