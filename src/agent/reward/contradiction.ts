/** How much of a question is looked at (UTF-16 units): who contradicts does so at the head. */
const HEAD = 240;

/** What may stand before it. */
const OPENING =
  /^(?:(?:h+m+|u+h+|oh|ah|eh|well|wait|sorry|ok|okay|but|actually|i (?:think|believe|'m afraid|am afraid)|no+|nope|nein|doch|äh|aber|tja|moment|(?:non|não|nie|нет)(?=[,.!;:…])|mais|euh|désolée?|pero|perdón|perdona|ma|scusa|beh|mas|desculpe|desculpa|nee|nej|nei|men|maar|hé|hè|wacht|но|ale|hayır|ama)[\s,.!:;…–—-]+)*/u;

/** What follows it: nothing, a mark, or a word with which a sentence goes on about the same. */
const CLOSE =
  /^(?:$|\s*[.!,;:…)]|\s+[–—-]|\s+(?:again|still|too|at all|because|since|please|sorry|it|you|i|he|she|they|weil|denn|bitte|ich|sondern|parce|car|porque|perché|want|omdat|graag)(?![\p{L}\p{N}]))/u;

/** With this behind it somebody else says it: it is about what they said. */
const REPORTED =
  /^\s*,\s*(?:or )?(?:(?:he|she|they|it|everyone|everybody|somebody|someone|people|(?:my|our|the) \p{L}+) (?:says?|said|claims?|claimed|thinks?|thought|wrote|told)|(?:sagt|sagte|meint|meinte) (?:er|sie|man|mein|meine)|(?:dit|disait|dice|dijo|ha detto|disse|diz|zegt|zei)(?![\p{L}]))/u;

/** "This is wrong:" shows what is wrong, and that is yet to come. */
const SHOWS = /^(?:this|dies|esto|questo|isto|dit)(?![\p{L}])/u;

/** With this behind it, it is asked, not said. */
const ASKED =
  /^\s*(?:\?|,?\s*(?:is(?:n't)? it|right|or(?: is it| not)?|no|oder(?: doch)?|nicht wahr|stimmt's|n'est-ce pas|non|verdad|vero|certo|né|toch)\s*\?)/u;

/** A word between, such as "still" or "leider"; one that turns the rest round is none: "that's not wrong" agrees. */
const WORD =
  "(?!(?:not|never|no|hardly|nicht|nie|niemals|kein|pas|jamais|plus|non|mai|não|nunca|niet|nooit|geen|inte|ikke)(?![\\p{L}]))\\p{L}+";

/**
 * What says, in each language, that the answer is wrong, or not to the question. Lower case, straight apostrophes;
 * `<word>` stands for a word between.
 */
const PHRASES: readonly string[] = [
  // English
  "(?:that|this|it|your answer|the answer)(?:'s| is|s| was) (?:<word> ){0,2}?(?:wrong|incorrect|false|untrue|nonsense|(?:not|never) (?:<word> )?(?:right|correct|true|what i (?:asked|meant|wanted|said|was asking)(?: for| about)?|my question|(?:an |the )?answer(?: to (?:my|the) question)?))",
  "(?:that|this|it|your answer) (?:isn't|isnt|wasn't) (?:<word> )?(?:right|correct|true|what i (?:asked|meant|wanted|said|was asking)(?: for| about)?|my question|(?:an|the) answer)",
  "(?:that|this|your answer) (?:doesn't|does not|didn't|did not) (?:work|help|answer (?:my|the) question)",
  "you(?:'re| are|r) (?:<word> )?(?:wrong|mistaken|incorrect)",
  "you (?:didn't|did not|haven't) answer(?:ed)? (?:my|the) question",
  "you (?:got|have) (?:that|this|it) wrong",
  "i (?:didn't|did not) ask (?:for |about )?(?:that|this)",
  "(?:that|this|it) (?:can't|cannot) be (?:right|correct|true)",
  "i (?:don't|do not) (?:think|believe) (?:that's|that is|this is|it's|it is) (?:right|correct|true)",
  "(?:it|that|this) still (?:doesn't|does not|didn't) (?:work|help)",
  "not (?:true|what i (?:asked|meant|wanted)(?: for| about)?)",
  // German
  "(?:das|dies|es|die antwort|deine antwort|ihre antwort) (?:ist|war) (?:<word> ){0,2}?(?:falsch|unsinn|quatsch|nicht (?:<word> )?(?:richtig|korrekt|wahr|meine frage)|nicht (?:das,? )?was ich (?:gefragt|gemeint|gewollt|gesucht) (?:habe|hatte)|nicht (?:das,? )?was ich (?:wollte|meinte|wissen wollte))",
  "(?:das|es) stimmt (?:<word> ){0,2}?nicht",
  "danach (?:habe|hatte) ich (?:dich |sie )?nicht gefragt",
  "das (?:habe|hatte) ich (?:<word> )?nicht (?:gefragt|gemeint)",
  "du (?:irrst dich|liegst (?:<word> )?falsch)|sie irren sich",
  // French
  "c'(?:est|était) (?:<word> )?(?:faux|incorrect|inexact|n'importe quoi)",
  "(?:ce n'est|c'est|ce n'était) pas (?:<word> )?(?:correct|exact|juste|vrai|ça|cela|ma question|la (?:bonne )?réponse|ce que (?:j'ai (?:demandé|dit)|je (?:demandais|demande|voulais|veux)))",
  "(?:tu te trompes|vous vous trompez|tu as tort|vous avez tort)",
  "je n'ai pas demandé (?:ça|cela)",
  // Spanish
  "(?:eso|esto|la respuesta) (?:<word> )?(?:es|está) (?:<word> )?(?:incorrecto|incorrecta|falso|falsa|mal|equivocado|equivocada)",
  "(?:eso|esto) no (?:es|está) (?:<word> )?(?:correcto|cierto|verdad|bien|lo que (?:te )?(?:pregunté|pedí|quería|quise decir|he preguntado|he pedido))",
  "no es (?:correcto|cierto|verdad|lo que (?:te )?(?:pregunté|pedí|quería))",
  "(?:te equivocas|se equivoca|estás equivocado|estás equivocada)",
  "no (?:te )?(?:pregunté|pedí|he preguntado|he pedido) eso",
  // Italian
  "(?:(?:questo|quello|ciò) )?è (?:<word> )?(?:sbagliato|errato|falso)",
  "(?:(?:questo|quello|ciò) )?non è (?:<word> )?(?:corretto|giusto|vero|esatto|(?:quello|ciò) che (?:ho chiesto|ti ho chiesto|chiedevo|volevo|intendevo))",
  "(?:ti sbagli|si sbaglia)",
  "non ho chiesto questo",
  // Portuguese
  "(?:isso|isto|a resposta) (?:está|é) (?:<word> )?(?:errado|errada|incorreto|incorreta|falso|falsa)",
  "(?:isso|isto) não (?:está|é) (?:<word> )?(?:certo|correto|verdade|bem|(?:o|aquilo) que (?:eu )?(?:perguntei|pedi|queria|quis dizer))",
  "(?:você está|estás|tu estás) (?:errado|errada|enganado|enganada)",
  "não (?:foi isso que )?(?:perguntei|pedi)(?: isso)?",
  // Dutch
  "(?:dat|dit|het|je antwoord) (?:is|was) (?:<word> )?(?:fout|verkeerd|onjuist|onzin|niet (?:<word> )?(?:juist|correct|waar|goed|mijn vraag|wat ik (?:vroeg|bedoelde|wilde|zocht|gevraagd heb)))",
  "(?:dat|dit|het) klopt (?:<word> )?niet",
  "daar vroeg ik niet (?:naar|om)",
  "je hebt het (?:mis|fout)|u heeft het mis",
  // Swedish, Danish, Norwegian
  "(?:det|svaret|det här|dette) (?:är|er|var) (?:<word> )?(?:fel|felaktigt|forkert|feil|galt|(?:inte|ikke) (?:<word> )?(?:rätt|sant|korrekt|rigtigt|riktig|sandt|det jag frågade|det,? jeg spurgte|det jeg spurte))",
  "det (?:stämmer inte|passer ikke|stemmer ikke)|du har fel|du tager fejl|du tar feil",
  // Polish
  "(?:to|ta odpowiedź|odpowiedź) (?:jest )?(?:źle|błąd|błędn[ae]|nieprawda|niepoprawn[ae]|nieprawidłow[ae])",
  "to nie (?:jest )?(?:prawda|tak|to,? o co (?:pytałem|pytałam))|mylisz się",
  // Russian
  "(?:(?:это|ответ) )?(?:неправильно|неверно|неправильный|неверный|неправда|ошибка)",
  "это не (?:так|то,? (?:что|о чём|о чем) я (?:спрашивал|спрашивала|хотел|хотела|просил|просила))",
  "(?:ты|вы) (?:ошибаешься|ошибаетесь|не ?прав|не ?права|не ?правы)",
  // Turkish
  "(?:bu|o|cevap|cevabın) (?:yanlış|doğru değil)",
];

/** The same in languages that put no space where a word ends: up to the end of the sentence. */
const SENTENCES: readonly string[] = [
  // Japanese
  "(?:(?:いや|いえ|いいえ|違う)[、,\\s]*)?(?:(?:それ|これ|その答え|答え|回答)(?:は|が)[、,\\s]*)?(?:違う|ちがう|違います|ちがいます|間違い(?:です|だ)?|間違って(?:い)?(?:る|ます)|間違えて(?:い)?(?:る|ます)|誤り(?:です|だ)?|正しくない(?:です)?|正しくありません)(?:よ|ね|と思います)?",
  // Chinese
  "(?:不(?:是)?[、,\\s]*)?(?:[这那這](?:个|個|是)?|你的?(?:回答|答案)?|答案|回答)?(?:是)?(?:不对|不對|错了|錯了|错的|錯的|错误的|錯誤的|不正确|不正確|不是我(?:要)?问的|不是我(?:要)?問的|答非所问|答非所問)(?:的|了|吧)?",
  // Korean
  "(?:아니(?:요|오|야)?[,.\\s]*)?(?:(?:그건|그거|그것은|이건|답이|답변이|대답이)\\s*)?(?:틀렸(?:어|어요|습니다|네요|잖아요?)|틀린\\s?(?:답(?:이에요|입니다)?|거예요)|맞지\\s?않(?:아|아요|습니다)|잘못(?:됐어요|되었습니다|된\\s?답(?:입니다)?))",
];

/**
 * Words that say all where nothing else stands in their sentence, or where they are put right behind a comma. A list of
 * words or a file's name begins like that too.
 */
const ALONE =
  /^(?:(?:wrong|incorrect)(?: answer)?|false|falsch|faux|incorrecto|falso|sbagliato|errado|fout|fel|feil|forkert|yanlış|źle)(?=$|\s*[!…]|\s*\.(?:\s|$)|\s+[–—-]\s|,\s(?:it|it's|that|that's|this|the|he|she|they|you|i|es|das|der|die|sie|er|il|elle|c'est|le|la|era|es|el|è|il|é|o|a|het|dat|de|det)(?![\p{L}]))/u;

/** "No, I meant ...": it contradicts where the answer did not ask for it. */
const MEANT =
  /^(?:no|nope|nein|non|não|nee)[\s,.!:;…–—-]+(?:i (?:meant|asked|said|wanted)|ich (?:meinte|wollte|fragte)|je (?:voulais|parlais|demandais)|quería|preguntaba|quise decir|intendevo|volevo|chiedevo|eu (?:quis dizer|queria|perguntei)|ik (?:bedoelde|vroeg|wilde))(?![\p{L}\p{N}])/u;

const SAID = new RegExp(`^(?:${PHRASES.join("|").replaceAll("<word>", WORD)})(?![\\p{L}\\p{N}])`, "u");

const SAID_WHOLE = new RegExp(`^(?:${SENTENCES.join("|")})(?=$|\\s*[。.!,、…])`, "u");

/**
 * The phrase with which a question begins by saying that the answer before it was wrong or not to the point, such as
 * `that's wrong`; undefined where it does not. By fixed phrases of fifteen languages, so that it errs to the side of
 * silence.
 *
 * @param answer the answer before it: where that ends by asking, "No, I meant ..." is what was asked for, and "Wrong"
 *   is a reply
 */
export function contradiction(question: string, answer: string): string | undefined {
  const head = question
    .slice(0, HEAD)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[’ʼ´`]/gu, "'")
    .replace(/\s+/gu, " ")
    .trim();
  const hasAsked = /[?？]\s*$/u.test(answer);
  const meant = MEANT.exec(head)?.[0];
  if (meant !== undefined && !hasAsked) return meant;
  const rest = head.slice(OPENING.exec(head)?.[0].length ?? 0);
  const alone = hasAsked ? undefined : ALONE.exec(rest)?.[0];
  return said(SAID, rest) ?? said(SAID, head) ?? alone ?? SAID_WHOLE.exec(head)?.[0];
}

/** What a text begins with, where that is all it says of the answer, and says it itself. */
function said(phrases: RegExp, text: string): string | undefined {
  const phrase = phrases.exec(text)?.[0];
  if (phrase === undefined) return undefined;
  const behind = text.slice(phrase.length);
  const isOther =
    ASKED.test(behind) || REPORTED.test(behind) || (SHOWS.test(phrase) && /^\s*:/u.test(behind));
  return isOther || !CLOSE.test(behind) ? undefined : phrase;
}
