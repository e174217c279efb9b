import { nameKey } from "./names.ts";

/** The languages in which countries are known by name. */
const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "nb"];

/** What people call countries beside their names. */
const SHORT = ["USA", "US", "America", "UK", "Great Britain", "Britain", "England", "Scotland", "Wales"];

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

let known: ReadonlySet<string> | undefined;

/** Every two letters that stand for a country, with its names; made when it is first asked for. */
function countries(): ReadonlySet<string> {
  const keys = new Set(SHORT.map(nameKey));
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const one of LETTERS) {
      for (const other of LETTERS) {
        const name = names.of(one + other);
        if (name !== undefined) keys.add(nameKey(name));
      }
    }
  }
  return keys;
}

/** Whether a place is a whole country, by its name. */
export function isCountry(place: string): boolean {
  known ??= countries();
  return known.has(nameKey(place));
}

/** Words by which people say that they live somewhere else than before. */
const MOVE =
  /\b(?:moved?|moving|moves|relocat\p{L}*|emigrat\p{L}*|immigrat\p{L}*|settled|now|no longer|not anymore|any ?more|instead|left|umgezogen|ziehe|zog|jetzt|nun|déménagé|maintenant|mudado|mudé|ahora)\b/iu;

/** Whether words tell of a move, and not only of where somebody lives. */
export function tellsOfMove(text: string): boolean {
  return MOVE.test(text.replaceAll("_", " "));
}

/** The English names of all countries. */
export function englishCountries(): readonly string[] {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const codes = LETTERS.flatMap((one) => LETTERS.map((other) => one + other));
  return [...SHORT, ...codes.flatMap((code) => names.of(code) ?? [])];
}

/**
 * Whether two places may both be where somebody lives, one within the other: a country, and a place that is none. Which
 * city lies where is not known here, so that only a word such as "moved" tells them apart.
 */
export function mayLieWithin(one: string, other: string): boolean {
  return isCountry(one) !== isCountry(other);
}
