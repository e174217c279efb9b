import { readYaml, type YamlReading } from "./yaml-read.ts";

const FENCE = /^---[ \t]*\r?\n/u;

/** The front matter of a Markdown file, its places those of the whole text, and what stands below it. */
export type MarkdownReading = YamlReading & { readonly body: string };

/**
 * Reads an agent that is written as Markdown: fields between two lines of three dashes, then the prompt. Without such
 * lines the whole text is the prompt. Never throws.
 */
export function readMarkdown(text: string): MarkdownReading {
  const opening = FENCE.exec(text)?.[0].length;
  if (opening === undefined) return { ...noFields(), body: text };
  const closing = /^---[ \t]*\r?$/mu.exec(text.slice(opening));
  if (closing === null) {
    const message = "The line of three dashes that ends the fields is missing.";
    return { ...noFields(), problems: [{ severity: "error", range: [0, 3], message }], body: "" };
  }
  const reading = readYaml(text.slice(opening, opening + closing.index));
  const moved = (range: readonly [number, number] | undefined) =>
    range && ([range[0] + opening, range[1] + opening] as const);
  return {
    value: reading.value ?? {},
    empty: reading.empty,
    problems: reading.problems.map(({ range, ...rest }) => ({
      ...rest,
      range: [range[0] + opening, range[1] + opening],
    })),
    valueAt: (path) => moved(reading.valueAt(path)),
    keyAt: (path) => moved(reading.keyAt(path)),
    body: text.slice(opening + closing.index + closing[0].length).trim(),
  };
}

function noFields(): YamlReading {
  const nowhere = (): undefined => undefined;
  return { value: {}, problems: [], empty: [], valueAt: nowhere, keyAt: nowhere };
}
