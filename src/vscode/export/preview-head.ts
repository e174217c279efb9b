import { FORMATS, type ExportFormat } from "../../trace/export/formats.ts";
import { bytes, count, counted } from "../../trace/export/story/words.ts";
import type { ExportFigures } from "../../trace/export/types.ts";

/** Stands between what is said of an export and the export itself. */
export const BELOW = "──────── What goes out, exactly as it will be written ────────";

/** What was taken out, in words: `3 passwords, 1 API key`. */
export function cleanedInWords({ cleaned }: Pick<ExportFigures, "cleaned">): string {
  return cleaned.map(({ what, count: times }) => `${what} (${count(times)})`).join(", ");
}

/** One line that says what an export comes to. */
export function figuresLine(figures: ExportFigures): string {
  const tokens = figures.inputTokens + figures.outputTokens;
  return `${counted(figures.turns, "turn")}, ${counted(tokens, "token")}, ${bytes(figures.bytes)}`;
}

/** What stands above the text of an export: what it comes to, what was taken out of it, what did not fit. */
export function previewHead(
  format: ExportFormat,
  figures: ExportFigures,
  shown: { readonly whole: boolean; readonly secrets: boolean },
): string {
  const { leftOut, problems } = figures;
  const cleaned = cleanedInWords(figures);
  const taken = cleaned === "" ? "nothing" : cleaned;
  return [
    `Export as ${FORMATS[format].label}: ${figuresLine(figures)}.`,
    shown.secrets
      ? `Taken out: ${taken}. Secrets are found by their form and by words beside them: look for what only you know.`
      : `Taken out: ${taken}. SECRETS ARE LEFT IN: you turned their redaction off.`,
    ...(figures.isPrivate ? ["The session is private: what you save leaves this window."] : []),
    ...(leftOut === "" ? [] : [`Left out for its size: ${leftOut}.`]),
    ...(problems === 0 ? [] : [`${counted(problems, "line")} of the log could not be read.`]),
    ...(shown.whole ? [] : ["Only the beginning is shown here: the file will hold all of it."]),
    "Nothing is written yet. Run Conclave: Save Export... or Conclave: Copy Export, or use the buttons of this editor.",
    "",
    BELOW,
    "",
    "",
  ].join("\n");
}
