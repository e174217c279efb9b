import type { Intent, Sentiment } from "../../memory/port.ts";
import { sentencesOf } from "../said.ts";

/** Names that are kept of one turn. */
const MAX_ENTITIES = 12;

/** What each intent is told by, in this order. English in full; the plain words of German, French and Spanish. */
const INTENT_FORMS: readonly (readonly [Intent, RegExp])[] = [
  [
    "comparison",
    /\b(?:compare[ds]?|comparison|versus|vs\.?|differences? (?:between|of)|differ(?:s|ent)? from|(?:better|worse|faster|slower|cheaper|safer) than|pros and cons|which (?:one )?is (?:the )?(?:better|best|faster)|unterschiede?|vergleich(?:e|en)?|besser als|différences?|compare[rz]?|meilleure? que|diferencias?|comparar?|mejor que)\b/iu,
  ],
  [
    "procedure",
    /\b(?:how (?:do|can|could|would|should|to|might)(?: i| we| you| one)?|steps? (?:to|for)|walk me through|guide (?:me|to)|set ?up|install|instructions for|wie (?:kann|mache?|geht|muss|installier)\p{L}*|anleitung|comment (?:faire|puis|peut|on|installer)|étapes|cómo (?:puedo|se|hago|hacer|instalar)|pasos)\b/iu,
  ],
  [
    "explanation",
    /\b(?:why|explain|what does .{1,60} mean|meaning of|how come|how does|how is it|reason for|what causes|warum|wieso|weshalb|erklär\p{L}*|was bedeutet|pourquoi|expliqu\p{L}*|que signifie|explica\p{L}*|qué significa)\b|por qué/iu,
  ],
  [
    "emotion",
    /\b(?:i(?:['’]m| am| feel| felt| was)(?: so| very| really| a bit| quite| rather| too)? (?:sad|happy|angry|afraid|scared|anxious|worried|nervous|lonely|tired|exhausted|excited|proud|depressed|stressed|frustrated|upset|glad|ashamed|jealous|heartbroken|overwhelmed|thrilled)|i feel|makes me (?:sad|happy|angry|cry)|ich (?:bin|fühle mich) (?:so |sehr )?(?:traurig|glücklich|wütend|müde|nervös|froh)|je (?:suis|me sens) (?:très |si )?(?:triste|heureu\p{L}*|en colère|fatigué\p{L}*)|(?:estoy|me siento) (?:muy |tan )?(?:triste|feliz|enfadad\p{L}*|cansad\p{L}*))\b/iu,
  ],
  [
    "preference",
    /\b(?:i (?:really |also |still )?(?:like|love|prefer|hate|dislike|enjoy|adore)|i (?:don['’]t|do not|can['’]t) (?:like|stand)|(?:my|your) favou?rite|i['’]d (?:rather|like)|recommend|suggest(?:ion)?s?|should i|what would you|which would you|ich (?:mag|liebe|hasse|bevorzuge)|empfiehl\p{L}*|lieblings\p{L}+|j['’](?:aime|adore|préfère)|je (?:préfère|déteste)|recommande\p{L}*|me gusta\p{L}*|prefiero|odio|recomienda\p{L}*)\b/iu,
  ],
  [
    "fact",
    /^(?:\W*(?:and|but|so|now|hi|hello|please|also)\b[,\s]*)*(?:who|what|when|where|which|whose|whom|how (?:many|much|old|long|far|tall|big|often)|is|are|was|were|do|does|did|has|have|can|will|tell me|wer|was|wann|wo|welche\p{L}*|wie (?:viele?|alt|lange|hoch)|ist|sind|qui|que|quoi|quand|où|quel\p{L}*|combien|est-ce|quién|qué|cuándo|dónde|cuál\p{L}*|cuánt\p{L}*)(?![\p{L}\p{N}])/iu,
  ],
];

/** What a question is after, by its words. */
export function intentOf(said: string): Intent {
  const text = said.slice(0, 2_000);
  for (const [intent, form] of INTENT_FORMS) if (form.test(text)) return intent;
  return /[?？]\s*$/u.test(text) ? "fact" : "other";
}

const POSITIVE =
  /\b(?:love[ds]?|like[ds]?|great|good|nice|happy|glad|thanks?|thank you|awesome|excellent|perfect|wonderful|amazing|excited|proud|enjoy(?:ed)?|fantastic|brilliant|helpful|works now|beautiful|best|thrilled|relieved|gut|super|toll|danke|liebe|mag|freue|glücklich|froh|wunderbar|schön|bien|merci|génial|parfait|heureu\p{L}*|adore|aime|excelente|gracias|feliz|genial|perfecto|gusta|encanta|contento)\b|[👍❤😀😊🎉😍🥳]|:-?\)/giu;
const NEGATIVE =
  /\b(?:hate[ds]?|dislike[ds]?|bad|terrible|awful|horrible|sad|angry|annoy(?:ed|ing)|upset|worried|afraid|scared|stressed|frustrat(?:ed|ing)|broken|wrong|useless|fail(?:s|ed|ing|ure)?|worst|crash(?:es|ed)?|stupid|disappoint(?:ed|ing)|lonely|tired|exhausted|pain|hurts?|lost|died|sick|ill|schlecht|furchtbar|traurig|wütend|hasse|kaputt|leider|schlimm|müde|enttäuscht|mauvais|triste|déteste|nul|colère|fatigué\p{L}*|malade|malo|odio|enfadad\p{L}*|cansad\p{L}*|roto|terrible)\b|[😢😡😭👎]|:-?\(/giu;
const NEGATION =
  /(?:\b(?:not|no|never|n['’]t|don['’]t|doesn['’]t|isn['’]t|wasn['’]t|can['’]t|nicht|kein\p{L}*|nie|pas|jamais|nunca)|n['’]t)\s+(?:\p{L}+\s+){0,2}$/iu;

/** The mood of a message, by its words; a negation before a word turns it round. */
export function sentimentOf(said: string): Sentiment {
  const text = said.slice(0, 2_000);
  let mood = 0;
  const weigh = (form: RegExp, sign: number): void => {
    for (const { index } of text.matchAll(form)) {
      mood += NEGATION.test(text.slice(Math.max(0, index - 40), index)) ? -sign : sign;
    }
  };
  weigh(POSITIVE, 1);
  weigh(NEGATIVE, -1);
  return mood > 0 ? "positive" : mood < 0 ? "negative" : "neutral";
}

/** Words that have a capital without being a name. */
const NO_NAMES = new Set(
  "i i'm i'd i'll i've the a an and or but so if when where what who why how which my your our his her their its this that these those he she we they you it in on at of for to from by with as is are was were be do does did can could will would should may might must not no yes please thanks hello hi hey ok okay also then there here now just let me tell give show make write explain compare summarize summarise find remember use monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december ich wir du sie er es der die das ein eine und oder aber wenn wo was wer warum wie mein meine dein ist sind je tu il elle nous vous ils le la les un une et ou mais mon ma mes ton el los las una yo tú mi mis".split(
    " ",
  ),
);

const NAME =
  /(?<![\p{L}\p{N}@#/._-])\p{Lu}[\p{L}\p{N}'’&+.-]*(?:\s+(?:(?:of|the|de|del|der|di|da|van|von|du|la|le)\s+){0,2}\p{Lu}[\p{L}\p{N}'’&+.-]*){0,4}/gu;
const CODE_NAME =
  /`([^`\n]{2,60})`|(?<![\p{L}\p{N}])([a-z]+[A-Z]\w{2,40}|[\w-]{1,40}\.(?:ts|js|tsx|py|rs|go|java|c|cpp|md|json|ya?ml|toml|html|css)|\w+_\w+)(?![\p{L}\p{N}])/gu;
/** What people do, right behind a name. */
const PERSON_VERB =
  /^\s+(?:lives?|works?|likes?|loves?|hates?|moved|said|told|went|called|married|wants?|prefers?|uses|and (?:I|\p{Lu}))(?!\p{L})/u;
const QUOTED = /[“"«„]([^“”"«»„\n]{2,60})[”"»“]/gu;
/** German has a capital for every noun: there a name is what stands behind a word that leads to one. */
const GERMAN = /(?<!\p{L})(?:ich|nicht|und|der|die|das|ist|ein|eine|mein|meine|wir)(?!\p{L})/giu;
const GERMAN_LEAD =
  /(?<!\p{L})(?:in|nach|aus|bei|namens|heißt|heisst|heiße|schwester|bruder|frau|mann|freund|freundin|tochter|sohn|mutter|vater)\s$/iu;

/** Names that a message is about, as they are written: people, places, projects, code; at most 12. */
export function entitiesIn(said: string): readonly string[] {
  const text = said.slice(0, 4_000);
  const found = new Map<string, string>();
  const add = (name: string): void => {
    const plain = name
      .replace(/['’]s$/u, "")
      .replace(/[.,:;!?'’-]+$/u, "")
      .trim();
    const key = plain.toLowerCase();
    if (plain.length > 1 && found.size < MAX_ENTITIES && !found.has(key)) found.set(key, plain);
  };
  const isGerman = (text.match(GERMAN) ?? []).length >= 2 && /[äöüß]|\b(?:ich|nicht|und)\b/iu.test(text);
  for (const { text: sentence } of sentencesOf(text)) {
    for (const match of sentence.matchAll(NAME)) {
      if (isGerman) continue;
      const isSubject = PERSON_VERB.test(sentence.slice(match[0].length));
      const name = withoutPlainWords(match[0], match.index === 0 && !isSubject);
      if (name !== "") add(name);
    }
    if (isGerman) for (const name of germanNames(sentence)) add(name);
  }
  for (const match of text.matchAll(CODE_NAME)) add(match[1] ?? match[2] ?? "");
  for (const [, name = ""] of text.matchAll(QUOTED)) add(name);
  return [...found.values()];
}

function germanNames(sentence: string): readonly string[] {
  const words = [...sentence.matchAll(/(?<!\p{L})\p{Lu}[\p{L}-]+/gu)];
  return words.flatMap(({ 0: name, index }) => (GERMAN_LEAD.test(sentence.slice(0, index)) ? [name] : []));
}

/** A name without the words before it that only have a capital because a sentence begins. */
function withoutPlainWords(name: string, begins: boolean): string {
  const words = name.split(/\s+/u);
  const isPlain = (word: string): boolean =>
    NO_NAMES.has(
      word
        .toLowerCase()
        .replace("’", "'")
        .replace(/[.-]+$/u, ""),
    );
  while (words[0] !== undefined && isPlain(words[0])) words.shift();
  // A single word at the beginning of a sentence may be any word; one of two capitals ("TypeScript", "IBM") is a name.
  if (
    begins &&
    words.length === 1 &&
    words.length === name.split(/\s+/u).length &&
    !/\p{Lu}.*\p{Lu}/u.test(name)
  )
    return "";
  while (/^(?:of|the|de|del|der|di|da|van|von|du|la|le)$/iu.test(words.at(-1) ?? "")) words.pop();
  return words.join(" ");
}
