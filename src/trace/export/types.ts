import type { LogItem } from "../log-reader.ts";
import type { ExportFormat } from "./formats.ts";
import type { CleanContext } from "./redact/cleaner.ts";
import type { CleanOptions, CleanReport } from "./redact/options.ts";

/** Where the events come from. It may be read several times, and gives the same events first each time. */
export interface ExportSource {
  read(sessionId: string): AsyncIterable<LogItem>;
}

/** What is to be exported, and how. */
export interface ExportRequest {
  readonly format: ExportFormat;
  readonly sessionId: string;
  /** One turn of the session; left out: all of it. */
  readonly turnId?: string;
  readonly cleaning: CleanOptions;
  readonly context?: CleanContext;
}

/** What an export comes to. */
export interface ExportFigures {
  /** The first question on one line, as it goes out; empty where nothing was asked. */
  readonly title: string;
  /** When the first turn began, milliseconds since the epoch. */
  readonly time: number;
  readonly turns: number;
  readonly events: number;
  /** Token counts of all turns, as they were reported. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the text, in UTF-8. */
  readonly bytes: number;
  /** Whether the session lives in its window alone. */
  readonly isPrivate: boolean;
  /** What was taken out. */
  readonly cleaned: CleanReport;
  /** In words, what did not fit the format; empty when nothing was left out. */
  readonly leftOut: string;
  /** How many lines of the log could not be read. */
  readonly problems: number;
}
