/** How much of a question is looked at (UTF-16 units): who contradicts does so at the head. */
const HEAD = 240;

/** What may stand before it. */
const OPENING =
  /^(?:(?:h+m+|u+h+|oh|ah|eh|well|wait|sorry|ok|okay|but|no+|nope|nein|doch|äh|aber|tja|moment|(?:non|não)(?=[,.!;:…])|mais|euh|désolée?|pero|perdón|perdona|ma|scusa|beh|mas|desculpe|desculpa|nee|maar|hé|hè|wacht)[\s,.!:;…–—-]+)*/u;

/** What follows it: nothing, a mark, or a word with which a sentence goes on about the same. */
const CLOSE =
  /^(?:$|\s*[.!,;:…)]|\s+[–—-]|\s+(?:again|still|too|at all|because|since|please|sorry|it|you|i|he|she|they|weil|denn|bitte|ich|sondern|parce|car|porque|perché|want|omdat|graag)(?![\p{L}\p{N}]))/u;

/** With this behind it, it is asked, not said. */
const ASKED =
  /^\s*(?:\?|,?\s*(?:is(?:n't)? it|right|or(?: is it| not)?|no|oder(?: doch)?|nicht wahr|stimmt's|n'est-ce pas|non|verdad|vero|certo|né|toch)\s*\?)/u;

/** What says, in each language, that the answer is wrong, or not to the question. Lower case, straight apostrophes. */
const PHRASES: readonly string[] = [
  // English
  "(?:that|this|it|your answer|the answer)(?:'s| is|s| was) (?:\\p{L}+ ){0,2}?(?:wrong|incorrect|false|untrue|nonsense|(?:not|never) (?:\\p{L}+ )?(?:right|correct|true|what i (?:asked|meant|wanted|said|was asking)(?: for| about)?|my question|(?:an |the )?answer(?: to (?:my|the) question)?))",
  "(?:that|this|it|your answer) (?:isn't|isnt|wasn't) (?:\\p{L}+ )?(?:right|correct|true|what i (?:asked|meant|wanted|said|was asking)(?: for| about)?|my question|(?:an|the) answer)",
  "(?:that|this|your answer) (?:doesn't|does not|didn't|did not) (?:work|help|answer (?:my|the) question)",
  "you(?:'re| are|r) (?:\\p{L}+ )?(?:wrong|mistaken|incorrect)",
  "you (?:didn't|did not|haven't) answer(?:ed)? (?:my|the) question",
  "you (?:got|have) (?:that|this|it) wrong",
  "i (?:didn't|did not) ask (?:for |about )?(?:that|this)",
  "(?:not true|not what i (?:asked|meant|wanted)(?: for| about)?|wrong answer)",
  // German
  "(?:das|dies|es|die antwort|deine antwort|ihre antwort) (?:ist|war) (?:\\p{L}+ ){0,2}?(?:falsch|unsinn|quatsch|nicht (?:\\p{L}+ )?(?:richtig|korrekt|wahr|meine frage)|nicht (?:das,? )?was ich (?:gefragt|gemeint|gewollt|gesucht) (?:habe|hatte)|nicht (?:das,? )?was ich (?:wollte|meinte|wissen wollte))",
  "(?:das|es) stimmt (?:\\p{L}+ ){0,2}?nicht",
  "danach (?:habe|hatte) ich (?:dich |sie )?nicht gefragt",
  "das (?:habe|hatte) ich (?:\\p{L}+ )?nicht (?:gefragt|gemeint)",
  "du (?:irrst dich|liegst (?:\\p{L}+ )?falsch)|sie irren sich",
  // French
  "c'(?:est|était) (?:\\p{L}+ )?(?:faux|incorrect|inexact|n'importe quoi)",
  "(?:ce n'est|c'est|ce n'était) pas (?:\\p{L}+ )?(?:correct|exact|juste|vrai|ça|cela|ma question|la (?:bonne )?réponse|ce que (?:j'ai (?:demandé|dit)|je (?:demandais|demande|voulais|veux)))",
  "(?:tu te trompes|vous vous trompez|tu as tort|vous avez tort)",
  "je n'ai pas demandé (?:ça|cela)",
  // Spanish
  "(?:eso|esto|la respuesta) (?:\\p{L}+ )?(?:es|está) (?:\\p{L}+ )?(?:incorrecto|incorrecta|falso|falsa|mal|equivocado|equivocada)",
  "(?:eso|esto) no (?:es|está) (?:\\p{L}+ )?(?:correcto|cierto|verdad|bien|lo que (?:te )?(?:pregunté|pedí|quería|quise decir|he preguntado|he pedido))",
  "(?:te equivocas|se equivoca|estás equivocado|estás equivocada)",
  "no (?:te )?(?:pregunté|pedí|he preguntado|he pedido) eso",
  // Italian
  "(?:(?:questo|quello|ciò) )?è (?:\\p{L}+ )?(?:sbagliato|errato|falso)",
  "(?:(?:questo|quello|ciò) )?non è (?:\\p{L}+ )?(?:corretto|giusto|vero|esatto|(?:quello|ciò) che (?:ho chiesto|ti ho chiesto|chiedevo|volevo|intendevo))",
  "(?:ti sbagli|si sbaglia)",
  "non ho chiesto questo",
  // Portuguese
  "(?:isso|isto|a resposta) (?:está|é) (?:\\p{L}+ )?(?:errado|errada|incorreto|incorreta|falso|falsa)",
  "(?:isso|isto) não (?:está|é) (?:\\p{L}+ )?(?:certo|correto|verdade|bem|(?:o|aquilo) que (?:eu )?(?:perguntei|pedi|queria|quis dizer))",
  "(?:você está|estás|tu estás) (?:errado|errada|enganado|enganada)",
  "não (?:foi isso que )?(?:perguntei|pedi)(?: isso)?",
  // Dutch
  "(?:dat|dit|het|je antwoord) (?:is|was) (?:\\p{L}+ )?(?:fout|verkeerd|onjuist|onzin|niet (?:\\p{L}+ )?(?:juist|correct|waar|goed|mijn vraag|wat ik (?:vroeg|bedoelde|wilde|zocht|gevraagd heb)))",
  "(?:dat|dit|het) klopt (?:\\p{L}+ )?niet",
  "daar vroeg ik niet (?:naar|om)",
  "je hebt het (?:mis|fout)|u heeft het mis",
];

/** One word that says all where nothing else stands in its sentence. */
const ALONE =
  /^(?:wrong|incorrect|false|falsch|faux|incorrecto|falso|sbagliato|errado|fout)(?=$|\s*[.!,…]|\s+[–—-])/u;

/** "No, I meant ...": it contradicts where the answer did not ask for it. */
const MEANT =
  /^(?:no|nope|nein|non|não|nee)[\s,.!:;…–—-]+(?:i (?:meant|asked|said|wanted)|ich (?:meinte|wollte|fragte)|je (?:voulais|parlais|demandais)|quería|preguntaba|quise decir|intendevo|volevo|chiedevo|eu (?:quis dizer|queria|perguntei)|ik (?:bedoelde|vroeg|wilde))(?![\p{L}\p{N}])/u;

const SAID = new RegExp(`^(?:${PHRASES.join("|")})(?![\\p{L}\\p{N}])`, "u");

/**
 * The phrase with which a question begins by saying that the answer before it was wrong or not to the point, such as
 * `that's wrong`; undefined where it does not. By fixed phrases of seven languages, so that it errs to the side of
 * silence.
 *
 * @param answer the answer before it: where that ends by asking, "No, I meant ..." is what was asked for
 */
export function contradiction(question: string, answer: string): string | undefined {
  const head = question
    .slice(0, HEAD)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[’ʼ´`]/gu, "'")
    .replace(/\s+/gu, " ")
    .trim();
  const meant = MEANT.exec(head)?.[0];
  if (meant !== undefined && !/[?？]\s*$/u.test(answer)) return meant;
  const rest = head.slice(OPENING.exec(head)?.[0].length ?? 0);
  const said = SAID.exec(rest)?.[0] ?? ALONE.exec(rest)?.[0];
  if (said === undefined) return undefined;
  const behind = rest.slice(said.length);
  return ASKED.test(behind) || !CLOSE.test(behind) ? undefined : said;
}
