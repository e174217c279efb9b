import { textTokens } from "../context.ts";
import { oncePer } from "../once-per.ts";
import { fenced, shareOut } from "../prompt.ts";
import { cutAtGrapheme, wellFormed } from "../text.ts";
import type { Speech } from "./speeches.ts";
import { shuffled } from "./shuffle.ts";
import { POSITIONS_HEAD, roundHead } from "./words.ts";

/** Tokens that an excerpt of a speech takes at most, and at least when there is hardly any room. */
const LARGEST_EXCERPT = 500;
const SMALLEST_EXCERPT = 40;

/** The letters under which members hear each other, by name, in the order in which they are shown. */
export type Letters = ReadonlyMap<string, string>;

/** Letters for members, shuffled by the turn's id: the same turn gives the same letters. */
export function lettersFor(names: readonly string[], turnId: string): Letters {
  const order = shuffled(names, `letters ${turnId}`);
  return new Map(order.map((name, index) => [name, String.fromCharCode(65 + index)]));
}

/** Tokens that one excerpt may take when `speeches` of them are to fit into `room`. */
export function excerptTokens(room: number, speeches: number): number {
  const share = Math.floor(room / Math.max(1, speeches));
  return Math.max(SMALLEST_EXCERPT, Math.min(LARGEST_EXCERPT, share));
}

/**
 * What was said in one round, as everybody is shown it: byte-identical whoever it is for and whenever it is written, so
 * that later prompts only grow. Empty when nobody answered.
 */
export function roundBlock(
  index: number,
  speeches: readonly Speech[],
  letters: Letters,
  tokens: number,
): string {
  const parts = heard(speeches).map((speech) => shownPart(speech, letters, tokens));
  return parts.length === 0 ? "" : [roundHead(index), ...parts].join("\n\n");
}

/** Makes ready what others will be shown of a speech; `roundBlock` is quicker for it. */
export function makeReady(speech: Speech, letters: Letters, tokens: number): void {
  if (speech.error === undefined) shownPart(speech, letters, tokens);
}

interface ShownPart {
  readonly letters: Letters;
  readonly tokens: number;
  readonly text: string;
}

/** What was made of speeches: everybody who comes later is shown the same. */
const shownParts = new WeakMap<Speech, ShownPart>();

function shownPart(speech: Speech, letters: Letters, tokens: number): string {
  const known = shownParts.get(speech);
  if (known?.letters === letters && known.tokens === tokens) return known.text;
  const why = speech.reason === undefined ? "" : `\nChanged its position because: ${speech.reason}`;
  const said = excerpt(`${anonymous(speech, letters)}${why}`, tokens);
  const text = part(speech.member.name, said, letters);
  shownParts.set(speech, { letters, tokens, text });
  return text;
}

/** Where all stand, in full as long as `room` tokens are enough, in the order of their letters. */
export function positionsBlock(positions: readonly Speech[], letters: Letters, room: number): string {
  const ordered = byLetter(heard(positions), letters);
  const texts = ordered.map((speech) => {
    const { reason } = speech;
    const why = reason === undefined ? "" : `\n\nChanged its position because: ${reason}`;
    return wellFormed(`${anonymous(speech, letters)}${why}`);
  });
  const heads = ordered.length * textTokens("Member A:\n```\n```\n\n") + textTokens(POSITIONS_HEAD);
  const given = shareOut(texts, Math.max(ordered.length * SMALLEST_EXCERPT, room - heads));
  const parts = ordered.map(({ member }, index) => {
    const text = given[index] ?? "";
    const of = texts[index]?.length ?? 0;
    return part(member.name, text.length < of ? `${text}\n${cutNote(text.length, of)}` : text, letters);
  });
  return [POSITIONS_HEAD, ...parts].join("\n\n");
}

/** Speeches in the order of their speakers' letters. */
export function byLetter(speeches: readonly Speech[], letters: Letters): readonly Speech[] {
  const at = (speech: Speech): string => letters.get(speech.member.name) ?? "";
  return [...speeches].sort((one, other) => (at(one) < at(other) ? -1 : 1));
}

function heard(speeches: readonly Speech[]): readonly Speech[] {
  return speeches.filter(({ error }) => error === undefined);
}

function part(name: string, text: string, letters: Letters): string {
  return `Member ${letters.get(name) ?? "?"}:\n${fenced(text)}`;
}

function excerpt(text: string, tokens: number): string {
  const whole = wellFormed(text.trim());
  const needed = textTokens(whole);
  if (needed <= tokens) return whole;
  const kept = cutAtGrapheme(whole, Math.floor((whole.length * tokens) / needed));
  return `${kept}\n${cutNote(kept.length, whole.length)}`;
}

function cutNote(kept: number, of: number): string {
  return `[excerpt: ${kept} of ${of} characters]`;
}

/** How one speaker is given away, and what stands there instead. */
interface Traces {
  readonly letter: string;
  /** The name anywhere: most speeches hold none, and need no closer look. */
  readonly named: RegExp;
  readonly own: RegExp;
  readonly called: RegExp;
  readonly posing: RegExp;
}

/** What gives the speakers of one committee away; found out once for all its speeches. */
const tracesOf = oncePer((letters: Letters): readonly Traces[] => {
  // A name may be the beginning of another one.
  const longestFirst = [...letters].sort(([one], [other]) => other.length - one.length);
  return longestFirst.map(([name, letter]): Traces => {
    const literal = name.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
    const own = String.raw`^[ \t>*_#]*(?:the\s+)?${literal}[*_]*[ \t]*[:：][*_]*[ \t]*`;
    return {
      letter,
      named: new RegExp(literal, "iu"),
      own: new RegExp(own, "gimu"),
      called: new RegExp(String.raw`@${literal}(?![\p{L}\p{N}])`, "giu"),
      posing: new RegExp(String.raw`\bas (?:the |an? )?${literal}(?![\p{L}\p{N}])`, "giu"),
    };
  });
});

interface PlainText {
  readonly letters: Letters;
  readonly text: string;
}

const plainTexts = new WeakMap<Speech, PlainText>();

/** What was said without the ways in which speakers give away who they or others are. */
function anonymous(speech: Speech, letters: Letters): string {
  const known = plainTexts.get(speech);
  if (known?.letters === letters) return known.text;
  let text = speech.answer;
  for (const { letter, named, own, called, posing } of tracesOf(letters)) {
    if (!named.test(text)) continue;
    text = text.replace(own, "").replace(called, `@${letter}`).replace(posing, "as a member");
  }
  plainTexts.set(speech, { letters, text });
  return text;
}
