/** What a trace can be exported as. */
export const FORMATS = {
  markdown: {
    label: "Markdown",
    detail: "For a pull request or an issue: question, answer and cost, all else folded",
    extension: "md",
    language: "markdown",
  },
  html: {
    label: "HTML",
    detail: "One file that opens in any browser, offline",
    extension: "html",
    language: "html",
  },
  otlp: {
    label: "OTLP JSON",
    detail: "Spans for VS Code's Agent Debug Log, Jaeger, Phoenix and the like",
    extension: "otlp.json",
    language: "json",
  },
  jsonl: {
    label: "Conclave trace (JSON Lines)",
    detail: "The log itself, to be opened in Conclave again",
    extension: "conclave",
    language: "jsonl",
  },
} as const;

/** A format by its name. */
export type ExportFormat = keyof typeof FORMATS;

/** The names of all formats, in the order in which they are offered. */
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly ExportFormat[];
