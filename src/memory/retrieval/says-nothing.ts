import type { Episode } from "../../agent/memory/port.ts";
import { sentencesOf } from "../../agent/remember/said.ts";
import { contentWords } from "./words.ts";

/** What of an answer is looked at, in UTF-16 units: one that says that nothing is known is short. */
const MAX_ANSWER = 400;
/** So much of two questions' words is the same when one is the other asked again. */
const SAME = 0.8;
/** With so few words of its own an answer that says that nothing is known says nothing else. */
const FEW = 1;

/** Words by which an answer says that nothing is known, or nothing was found. */
const NOTHING_KNOWN = new Set(
  `know knows known knowledge remember recall recalled find found finding search searched searching memory memories
  nothing none anything information info record records recorded mention mentioned details detail data answer sorry
  afraid unfortunately apologize apologies unable cannot couldn wouldn don doesn didn haven hasn isn wasn aren can not
  no yet sure unsure unknown idea clue previous earlier past conversation conversations turn turns stored holds hold
  relevant available currently context related regarding provide provided help more ask asked tell told says said
  never before clear ve seem seems appear appears see look looked
  ich weiß weiss nicht nichts kein keine keinen keinerlei leider darüber dazu davon gefunden finden erinnerung
  erinnerungen gedächtnis erinnern information informationen bekannt habe hat ist mir es tut leid
  je ne sais pas rien aucun aucune souvenir souvenirs mémoire désolé trouvé trouve information ai suis de ce sujet n y
  no sé nada ningún ninguna memoria recuerdo recuerdos lo siento encontré encuentro información tengo sobre eso hay
  non so niente nulla nessuna nessun ricordo ricordi mi dispiace trovato
  não sei nenhuma nenhum lembro encontrei desculpe
  weet niet niets geen helaas gevonden herinnering`.split(/\s+/),
);

/** Of these one at least stands where nothing is known: "no, not yet" is an answer. */
const TELLS_SO = new Set(
  `know knows known knowledge remember recall find found memory memories nothing information record records recorded
  unsure unable weiß weiss nichts gefunden erinnerung erinnern sais rien trouvé souvenir sé nada recuerdo encontré
  niente ricordo lembro encontrei weet niets gevonden`.split(/\s+/),
);

/** The same in scripts that put no spaces between words, and where each of the words says other things too. */
const NOTHING_KNOWN_PHRASES =
  /不知道|不清楚|没有(?:找到|记录|相关)|沒有|找不到|わかりません|知りません|ありません|見つかりません|모르|\bnon (?:lo )?so\b/iu;

/**
 * Whether an earlier turn only asked, and its answer says nothing: it asks back with the question's own words, or says
 * no more than that nothing is known. An answer that picks one of the question's own words says something. Such a turn is like the question as no other is, and tells nothing of what is asked.
 *
 * @param words the words of what is asked now
 */
export function saysNothing(
  { question, answer }: Pick<Episode, "question" | "answer">,
  words: readonly string[],
): boolean {
  const own = contentWords(question);
  if (answer.trim() === "" || answer.length > MAX_ANSWER) return false;
  if (!isSame(own, words) && !onlyAsks(question)) return false;
  const asked = new Set([...own, ...words].map(stem));
  if (onlyAsks(answer)) return true;
  const beyond = contentWords(answer).filter((word) => !asked.has(stem(word)));
  const telling = beyond.filter((word) => !NOTHING_KNOWN.has(word) && !NOTHING_KNOWN_PHRASES.test(word));
  if (telling.length > FEW || telling.some((word) => /\p{N}/u.test(word))) return false;
  const said = answer.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    NOTHING_KNOWN_PHRASES.test(answer) || said.some((word) => TELLS_SO.has(word) && !asked.has(stem(word)))
  );
}

function isSame(own: readonly string[], words: readonly string[]): boolean {
  if (own.length === 0 || words.length === 0) return false;
  const there = new Set(words.map(stem));
  const common = own.filter((word) => there.has(stem(word))).length;
  return common >= SAME * Math.max(own.length, words.length);
}

function onlyAsks(question: string): boolean {
  const sentences = sentencesOf(question);
  return sentences.length > 0 && sentences.every(({ isQuestion }) => isQuestion);
}

/** Enough of a word to know its plural by. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|es|ed|s)$/u, "") : word;
}
