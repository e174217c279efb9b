import type { Episode, EpisodeNotes } from "../../agent/memory/port.ts";
import { searchedText } from "../store/rows.ts";
import type { Edit } from "./candidates.ts";
import { contentWords } from "./words.ts";

/** Letters of a word's end that may differ, as with "boat" and "boats". */
const ENDING = 2;

/** An episode's own words, or what the user wrote in their place. */
export function shownText(episode: Episode, notes: EpisodeNotes | undefined): string {
  return searchedText(withEdit(episode, notes?.edit));
}

/** An episode with the user's own words in place of what was said. */
export function withEdit(episode: Episode, edit: Edit | undefined): Episode {
  return edit === undefined
    ? episode
    : { ...episode, question: edit.question ?? episode.question, answer: edit.answer ?? episode.answer };
}

/**
 * The full-text scores with those of edited episodes set right: the index knows only the words that were said, so an
 * edited text is scored by how many of the question's words it holds, against the best score of the rest.
 *
 * @param edited the edited episodes as they now read
 */
export function withEditedScores(
  scores: ReadonlyMap<string, number>,
  edited: readonly Episode[],
  words: readonly string[],
): ReadonlyMap<string, number> {
  if (edited.length === 0 || words.length === 0) return scores;
  const corrected = new Map(scores);
  for (const { id } of edited) corrected.delete(id);
  const top = Math.max(1, ...corrected.values());
  for (const episode of edited) {
    const share = heldShare(searchedText(episode), words);
    if (share > 0) corrected.set(episode.id, top * share);
  }
  return corrected;
}

/** How many of the words a text holds in some form, 0..1; 0 when there are none. */
export function heldShare(text: string, words: readonly string[]): number {
  if (words.length === 0) return 0;
  const held = contentWords(text);
  const holds = (word: string): boolean =>
    held.some(
      (own) =>
        own === word || (word.length > 3 && own.startsWith(word.slice(0, Math.max(3, word.length - ENDING)))),
    );
  return words.filter(holds).length / words.length;
}
