import { USER } from "../../agent/memory/types.ts";
import { literal } from "../store/sql.ts";
import { cleanName, nameKey, nameWords } from "../graph/names.ts";

/** Scripts that put no space between words: a name in them may begin and end anywhere. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Tells whether texts mention somebody or something: by whole words, whatever their case and accents. */
export class Mention {
  readonly #names: readonly (readonly string[])[];

  /** `names` are all that it goes by; those without a letter or digit say nothing. */
  constructor(names: readonly string[]) {
    this.#names = names.map(nameWords).filter((words) => words.length > 0);
  }

  /** Whether there is no name to look for. */
  get empty(): boolean {
    return this.#names.length === 0;
  }

  /** Whether one of the texts mentions it. */
  inAny(...texts: readonly (string | null | undefined)[]): boolean {
    return texts.some((text) => typeof text === "string" && text !== "" && this.#in(text));
  }

  /**
   * A filter in the form of sql.ts for rows that may mention it in one of the columns: never too narrow. A text that is
   * not plain ASCII is let through, since accents and other scripts are told apart by `inAny` only.
   */
  filter(columns: readonly string[]): string {
    const named = (column: string): string[] =>
      this.#names.map((words) =>
        words.map((word) => `contains(${plain(column)}, ${literal(word)})`).join(" AND "),
      );
    return columns
      .flatMap((column) => [`octet_length(${column}) <> character_length(${column})`, ...named(column)])
      .map((each) => `(${each})`)
      .join(" OR ");
  }

  #in(text: string): boolean {
    const possible = this.#names.filter((name) => mayHold(text, name));
    if (possible.length === 0) return false;
    const words = nameWords(text);
    return possible.some((name) => holds(words, name));
  }
}

/** A column in the form in which `mayHold` looks at a text. */
function plain(column: string): string {
  return `replace(replace(lower(${column}), '''', ''), '\`', '')`;
}

/** A quick look that spares most texts the closer one; never false for a text that holds the name. */
function mayHold(text: string, name: readonly string[]): boolean {
  if (!/^[\x20-\x7e\s]*$/.test(text)) return true;
  const plain = text.toLowerCase().replaceAll(/['`]/g, "");
  return name.every((word) => plain.includes(word));
}

function holds(words: readonly string[], name: readonly string[]): boolean {
  return words.some((_, start) =>
    name.every((wanted, offset) => {
      const word = words[start + offset];
      if (word === undefined) return false;
      return word === wanted || bare(word) === wanted || (UNSPACED.test(wanted) && word.includes(wanted));
    }),
  );
}

/** "#anna" and "anna+" are Anna. */
function bare(word: string): string {
  return word.replace(/^[#+]+|[#+]+$/g, "");
}

/** Whether words mean the user. */
export function meansUser(about: string): boolean {
  return nameKey(about) === USER;
}

/**
 * All that something goes by, if an entity with these names is it: its other names. None for an entity that only
 * shares a word with it.
 */
export function otherNames(about: string, names: readonly string[]): readonly string[] {
  const key = nameKey(about);
  if (key === "" || key === USER || !names.some((name) => nameKey(name) === key)) return [];
  return names.filter(
    (name) => cleanName(name) !== "" && nameKey(name) !== USER && nameWords(name).join("").length > 1,
  );
}
