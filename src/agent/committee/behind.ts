import type { SourcedText } from "../message-parts.ts";

/** What others said, as pieces of a prompt. */
export function fromOthers(blocks: readonly string[]): readonly SourcedText[] {
  return blocks.map((text) => ({ source: "others", text }));
}

/** What the committee wants of a speaker, as a piece of its prompt. */
export function asTask(text: string, small = text): SourcedText {
  return { source: "task", text, small };
}
