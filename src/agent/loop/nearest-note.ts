import type { ToldNote } from "../prompt.ts";

const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });
/** Letters of a piece: so long it is the same in most forms of a word, in any script. */
const PIECE = 3;

/** The note that holds most of what an answer says and its question does not; of those that hold as much the first. */
export function nearestNote(
  notes: readonly ToldNote[],
  answer: string,
  question: string,
): ToldNote | undefined {
  const asked = pieces(question);
  const said = [...pieces(answer)].filter((piece) => !asked.has(piece));
  let [nearest, most] = [notes[0], 0];
  for (const note of notes) {
    const told = pieces(note.said);
    const held = said.filter((piece) => told.has(piece)).length;
    if (held > most) [nearest, most] = [note, held];
  }
  return nearest;
}

/** The pieces that a text's words are made of; short words are one each. */
function pieces(text: string): ReadonlySet<string> {
  const segments = [...WORDS.segment(text.normalize("NFKC").toLowerCase())];
  const words = segments.flatMap(({ segment, isWordLike }) => (isWordLike === true ? segment : []));
  return new Set(words.flatMap((word) => (word.length <= PIECE ? word : piecesOf(word))));
}

function piecesOf(word: string): readonly string[] {
  return Array.from({ length: word.length - PIECE + 1 }, (_, at) => word.slice(at, at + PIECE));
}
