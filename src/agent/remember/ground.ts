/** Words that say nothing of their own; they may stand in a statement without having been said. */
const EMPTY_WORDS = new Set(
  "the a an user user's users and or but of to in on at by for with from as is are was were be been being has have had do does did will would can could that this these those it its their they them he she his her not no name named called who which about than then there very really around between week month year one once also currently now lives live works work likes like dislikes prefers enjoys owns has plans planned wants der die das ein eine ist hat nutzer nutzerin benutzer mag lebt wohnt arbeitet le la les un une est utilisateur l'utilisateur aime habite travaille el los las una usuario usuaria gusta vive trabaja es en de en".split(
    " ",
  ),
);

/** What part of a statement's words must have been said. */
const SAID_PART = 0.5;

/** Letters by which two forms of a word are taken for the same. */
const STEM = 5;

/**
 * Whether a statement rests on the user's own words: its quote stands in them, letter for letter but for case, spaces
 * and signs, and its own words were mostly said. Gives the reason when it does not, in a few words.
 */
export function groundOf(text: string, quote: string, said: string): string | undefined {
  const heard = plain(said);
  const cited = plain(quote);
  if (cited === "") return "it names no words of the turn";
  if (
    !` ${heard} `.includes(` ${cited} `) &&
    !heard.replaceAll(" ", "").includes(cited.replaceAll(" ", ""))
  ) {
    return "its words are not in what the user said";
  }
  const words = plain(text)
    .split(" ")
    .filter((word) => word !== "" && !EMPTY_WORDS.has(word) && !/^\d+$/u.test(word));
  if (words.length === 0) return undefined;
  const stems = new Set(heard.split(" ").map((word) => word.slice(0, STEM)));
  const known = words.filter(
    (word) => stems.has(word.slice(0, STEM)) || (UNSPACED.test(word) && mostlyIn(word, heard)),
  );
  if (known.length / words.length >= SAID_PART) return undefined;
  return "it says more than the user did";
}

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function mostlyIn(word: string, heard: string): boolean {
  const signs = Array.from(word);
  return signs.filter((sign) => heard.includes(sign)).length / signs.length >= SAID_PART;
}

/** Lower case, words apart by single spaces, no other signs. */
function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/['’]/gu, "'")
    .replaceAll(/[^\p{L}\p{N}']+/gu, " ")
    .trim();
}
