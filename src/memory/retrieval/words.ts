import * as stopword from "stopword";
import { wordsApart } from "../store/words-apart.ts";

/** Most words that a full-text query is made of. */
const MAX_WORDS = 64;
/** What of a query is looked at, in UTF-16 units. */
const MAX_QUERY = 4_000;

/** The words of each language that say nothing of what a text is about; English first. */
const LISTS: readonly ReadonlySet<string>[] = [stopword.eng, ...Object.values({ ...stopword })]
  .filter((list) => Array.isArray(list))
  .map((list) => new Set(list));

/** Fewer of its words don't show that a text is of a language. */
const SHOWS = 2;
/** What stands at an apostrophe and is no longer than this is an ending or an article: "Dara's", "l'eau". */
const BESIDE_APOSTROPHE = 2;

/**
 * The words of a query that are worth looking for, in order, each once: letters with their marks and digits only, so
 * that no sign has a meaning to the search. Empty when the query has none.
 */
export function contentWords(query: string): string[] {
  const words = wordsOf(wordsApart(query.slice(0, MAX_QUERY)).toLowerCase());
  const empty = emptyWords(words);
  return [...new Set(words.filter((word) => !empty.has(word)))].slice(0, MAX_WORDS);
}

/** Words as written, with the signs that belong to their letters: of Hindi and Thai they are half of a word. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;

function wordsOf(text: string): string[] {
  const words = text.match(WORD) ?? [];
  return words.flatMap((word) => {
    const parts = word.split(/['’]/);
    return parts.length === 1 ? parts : parts.filter((part) => part.length > BESIDE_APOSTROPHE);
  });
}

/** The list of the words' language: that which holds most of them, and English where none shows. */
function emptyWords(words: readonly string[]): ReadonlySet<string> {
  const [english = new Set<string>(), ...others] = LISTS;
  let most = { list: english, held: Math.max(SHOWS - 1, count(words, english)) };
  for (const list of others) {
    const held = count(words, list);
    if (held > most.held) most = { list, held };
  }
  return most.list;
}

function count(words: readonly string[], list: ReadonlySet<string>): number {
  return words.filter((word) => list.has(word)).length;
}
