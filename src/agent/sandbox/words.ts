import type { SandboxPlan } from "./cast.ts";
import { PARTNER_MESSAGE } from "./settings.ts";
import type { Speaker } from "./types.ts";

const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });
const SENTENCES = new Intl.Segmenter(undefined, { granularity: "sentence" });

const BASE = [
  "You take part in a talk among personas. You are told at the end of each message which of them you are.",
  "Speak as that persona and go on with the talk: answer what was said to you, and bring in something new of your own.",
].join("\n");

/** The system message of all speakers: byte for byte the same, so that personas with one model share it. */
export function systemText({ scenario }: Pick<SandboxPlan, "scenario">): string {
  return scenario === "" ? BASE : `${BASE}\n\nThe scene:\n${scenario}`;
}

/** What stands behind a message for its speaker alone. `wordsSaid`: of its last one, when that was cut. */
export function instruction(
  { name, definition }: Speaker,
  { speakers, settings: { wordLimit } }: Pick<SandboxPlan, "speakers" | "settings">,
  wordsSaid: number | undefined,
): string {
  const others = speakers.filter((other) => other.name !== name).map((other) => other.name);
  const limit =
    wordLimit === 0
      ? ""
      : `Use at most ${wordLimit} words.${
          wordsSaid === undefined
            ? ""
            : ` Your last message had ${wordsSaid} words; what was beyond ${wordLimit} was cut off and the others did not hear it.`
        }`;
  return [
    `You are ${name}, talking with ${inWords(others)}.`,
    definition.prompt.trim(),
    `Say only what ${name} says next: one message, without a name before it, and nothing for the others.`,
    limit,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

/** The template with what was said in its place; a template without the place is followed by it. */
export function filled(template: string, said: string): string {
  if (!template.includes(PARTNER_MESSAGE)) return template.trim() === "" ? said : `${template}\n\n${said}`;
  // Not `replace`: what was said may hold "$&", or the place itself.
  return template.split(PARTNER_MESSAGE).join(said);
}

/** What a model said without the names that it put around its own words. */
export function withoutName(text: string, name: string): string {
  const trimmed = text.trim();
  const escaped = name.replace(/[\\^$.*+?()[\]{}|/-]/gu, "\\$&");
  return trimmed.replace(new RegExp(`^(?:\\*\\*|\\[)?${escaped}(?:\\]|\\*\\*)?:(?:\\*\\*)?\\s*`, "iu"), "");
}

/** How many words a text has, in any script. */
export function countWords(text: string): number {
  let count = 0;
  for (const { isWordLike } of WORDS.segment(text)) if (isWordLike === true) count += 1;
  return count;
}

/** The whole sentences of a text that together have at most `limit` words; of a longer first sentence its beginning. */
export function cutAtSentence(text: string, limit: number): string {
  let kept = 0;
  let words = 0;
  for (const { segment, index } of SENTENCES.segment(text)) {
    words += countWords(segment);
    if (words > limit) break;
    // A beginning without words, such as a rule, is no sentence to end at.
    if (words > 0) kept = index + segment.length;
  }
  if (kept > 0) return text.slice(0, kept).trimEnd();
  let count = 0;
  for (const { segment, index, isWordLike } of WORDS.segment(text)) {
    if (isWordLike !== true) continue;
    count += 1;
    if (count === limit) return `${text.slice(0, index + segment.length)}…`;
  }
  return text;
}
