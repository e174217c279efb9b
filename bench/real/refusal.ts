/*
 * Words by which an answer says that it does not know, or found nothing. They grade an evaluation and are no part of the
 * product. They are generous: an answer that refuses and then asserts all the same is caught by what its question says
 * must not be in it.
 */

/** What stands between the parts of a phrase: so many other words at most. */
const WORDS = String.raw`(?:[^\s.!?]+\s+){0,4}?`;

const APOSTROPHE = `['’ʼ]`;

const ENGLISH = [
  // "I don't know", "we did not discuss that", "it isn't recorded"
  String.raw`\b(?:do|does|did|have|has|had|is|are|was|were|could|can)(?:n${APOSTROPHE}?t|\s+not|not)\s+${WORDS}(?:know|knew|have|find|found|see|seen|recall|remember|store|stored|contain|mention|mentioned|say|said|specify|specified|record|recorded|discuss|discussed|decide|decided|tell|told|talk|talked|provide|provided|share|shared|include|included|appear|available|documented|given|noted|locate|determine|confirm|answer|retrieve|access|aware|sure|certain|clear|able|enough|any)\b`,
  String.raw`\bca(?:n${APOSTROPHE}t|nnot)\s+${WORDS}(?:find|see|recall|remember|tell|say|locate|determine|confirm|answer|provide|retrieve|know)\b`,
  String.raw`\b(?:no|not\s+any|without\s+(?:any|more|further))\s+${WORDS}(?:information|records?|memor(?:y|ies)|mentions?|data|details?|results?|notes?|evidence|indication|entr(?:y|ies)|match(?:es)?|trace|knowledge|recollection|context|conversations?|discussions?|references?)\b`,
  String.raw`\bunable\s+to\b|\bfailed\s+to\s+(?:find|locate)\b`,
  String.raw`\bnothing\s+${WORDS}(?:about|on|in|was|is|has|been|related|relevant|found|stored|recorded|said|saved|matching|there)\b`,
  String.raw`\b(?:never|not\s+(?:yet\s+)?been)\s+${WORDS}(?:said|mentioned|told|discussed|decided|recorded|talked|came|come|specified|stored|shared|settled|given)\b`,
  String.raw`\b(?:no\s+idea|unknown|unclear|not\s+(?:sure|aware|certain|clear|known|specified|mentioned|recorded|available|stored|found))\b`,
  String.raw`\bnot\s+in\s+(?:my|the|our|your|any)\b`,
  String.raw`\b(?:please|could\s+you|can\s+you|would\s+you)\s+${WORDS}(?:provide|share|tell|clarify|specify|give)\b`,
];

const GERMAN = [
  String.raw`\bwei(?:ß|ss)\s+${WORDS}(?:nicht|nichts)\b|\bnicht\s+(?:wissen|sagen|weiterhelfen)\b|\bkeine\s+ahnung\b`,
  String.raw`\bkein(?:e|en|er|erlei|es)?\s+${WORDS}(?:informationen?|angaben?|erinnerung(?:en)?|hinweise?n?|eintr(?:ag|äge|ägen)|aufzeichnung(?:en)?|daten|erwähnung(?:en)?|notiz(?:en)?|treffer|ergebnisse?n?|details?|kenntnis(?:se)?|wissen|unterlagen|gespräche?)\b`,
  String.raw`\b(?:nicht|nie|niemals|noch\s+nicht)\s+${WORDS}(?:bekannt|erwähnt|gespeichert|gefunden|festgehalten|festgelegt|besprochen|gesprochen|entschieden|vermerkt|angegeben|gesagt|hinterlegt|notiert|aufgezeichnet|verfügbar|vorhanden|genannt|mitgeteilt|erinnern|finden|beantworten|bestimmen|ermitteln|feststellen|enthalten|sicher|klar|vor)\b`,
  String.raw`\bnichts\s+${WORDS}(?:gefunden|gespeichert|bekannt|erwähnt|gesagt|finden|dazu|darüber|davon|über|zu|notiert|vermerkt)\b`,
  String.raw`\b(?:finde|fand|sehe|habe)\s+${WORDS}(?:nichts|keine)\b`,
  String.raw`\b(?:unbekannt|unklar|mir\s+fehlen)\b`,
];

const SPANISH = [
  String.raw`\bno\s+(?:lo\s+|la\s+|me\s+)?(?:s[eé]|sabemos|recuerdo|conozco|consta|encuentro|encontr[eé]|encontramos|aparece|dispongo|puedo|pude|estoy\s+segur[oa])(?!\p{L})`,
  String.raw`\bno\s+(?:se\s+|lo\s+)?(?:hay|existe[n]?|tengo|tenemos|contiene|he|hemos|ha|han|has|fue|est[aá]|queda)\s+${WORDS}(?:informaci[oó]n|registr\p{L}*|datos?|recuerdos?|menci[oó]n|menciones|mencionad\p{L}*|detalles?|notas?|nada|constancia|resultados?|memoria|conocimiento|encontrad\p{L}*|podido|dicho|hablad\p{L}*|decidid\p{L}*|guardad\p{L}*|especificad\p{L}*|indicad\p{L}*|clar[oa]|disponible|ning[uú]n\p{L}*)(?!\p{L})`,
  String.raw`\bno\s+se\s+(?:menciona|mencion[oó]|especifica|especific[oó]|indica|indic[oó]|habl[oó]|dijo|decidi[oó]|encuentra|encontr[oó]|sabe)(?!\p{L})`,
  String.raw`\b(?:ning[uú]n|ninguna|sin)\s+${WORDS}(?:informaci[oó]n|registro|datos?|recuerdo|menci[oó]n|detalles?|nota|constancia|resultados?)(?!\p{L})`,
  String.raw`\bnada\s+${WORDS}(?:sobre|acerca|guardado|registrado|en)\b`,
  String.raw`\b(?:nunca|jam[aá]s)\s+(?:se\s+|me\s+|lo\s+)*(?:ha[ns]?\s+)?(?:mencion|dij|dich|habl|decid)\p{L}*`,
  String.raw`\b(?:desconozco|desconocid[oa]|se\s+desconoce)\b`,
];

const FRENCH = [
  String.raw`\bne\s+(?:le\s+|la\s+|me\s+|m${APOSTROPHE}en\s+)?(?:sais|savons|connais|connaissons|trouve|trouvons|dispose|disposons|souviens|rappelle|peux|parviens|vois|figure|contient|contiennent|poss[eè]de|semble|sont|suis)(?!\p{L})`,
  String.raw`\bn${APOSTROPHE}(?:ai|avons|avez|as|a|ont|est|y\s+a|en\s+ai|en\s+sais|apparaît|existe|était|avait|arrive)\s+${WORDS}(?:pas|plus|rien|jamais|aucune?|trouvé)(?!\p{L})`,
  String.raw`\baucune?\s+${WORDS}(?:informations?|mention|souvenir|trace|données?|détails?|enregistrement|résultat|note|précision|indication|référence|mémoire|id[ée]e|élément)(?!\p{L})`,
  String.raw`\brien\s+${WORDS}(?:trouvé|sujet|sur|dans|à|concernant|indique|été)(?!\p{L})`,
  String.raw`\bpas\s+${WORDS}(?:d${APOSTROPHE})?(?:connaissance|information|informations|trace|mention|mentionnée?s?|souvenir|données?|détails?|enregistrée?s?|précisée?s?|indiquée?s?|certain|sûr|trouvé|été|connue?)(?!\p{L})`,
  String.raw`\bj${APOSTROPHE}ignore\b|\b(?:inconnue?|impossible\s+de)(?!\p{L})`,
  String.raw`\bjamais\s+(?:été\s+)?(?:mentionn|dit|parl|discut|décid|évoqu)\p{L}*`,
];

const JAPANESE = [
  "(?:わか|分か|判)(?:りません|りかね|らない|らなかった)",
  "(?:知りません|知らない|存じ(?:ません|ておりません|上げません))",
  "(?:見つか|みつか|見当た)(?:りません|らない|らなかった|らず)",
  "(?:見つける|探す|答える|確認する|思い出す|特定する)ことが?(?:でき|出来)(?:ません|ない|なかった)",
  "(?:情報|記録|記憶|データ|言及|記載|履歴|詳細|メモ|内容|話|会話|該当|決定)[^。\\n]{0,20}(?:ありません|ございません|ない|なかった|なし|見当たり|残って(?:い|お)?(?:り)?ません|含まれて|持って(?:い|お)?(?:り)?ません)",
  "覚えて(?:い|お)?(?:り)?(?:ません|ない)",
  "(?:不明|未確認)",
  "(?:聞いて|伺って|教えて(?:もらって|いただいて)|話して|話されて|言及されて|言及して|記録されて|保存されて|登録されて|決まって|述べられて|記載されて|提供されて)(?:い|お)?(?:り)?(?:ません|ない)",
  "(?:確認|特定|回答|お答え|検索|提供)(?:が|は)?(?:でき|出来|取れ)(?:ません|ない|なかった|ず)",
  "(?:お答え|回答)(?:いた)?しかね",
];

const PORTUGUESE = [
  String.raw`\bn[ãa]o\s+(?:o\s+|a\s+|me\s+)?(?:sei|sabemos|lembro|recordo|conhe[çc]o|consta|encontr\p{L}*|aparece|disponho|posso|pude|consigo|tenho\s+certeza)(?!\p{L})`,
  String.raw`\bn[ãa]o\s+(?:se\s+|o\s+)?(?:h[áa]|existe[m]?|tenho|temos|cont[ée]m|foi|est[áa])\s+${WORDS}(?:informa\p{L}*|registr\p{L}*|dados?|men[çc]\p{L}*|mencionad\p{L}*|detalhes?|notas?|nada|resultados?|mem[óo]ria|conhecimento|encontrad\p{L}*|dit[oa]|decidid\p{L}*|guardad\p{L}*|especificad\p{L}*|indicad\p{L}*|clar[oa]|dispon[íi]vel|nenhum\p{L}*)(?!\p{L})`,
  String.raw`\b(?:nenhum|nenhuma|sem)\s+${WORDS}(?:informa\p{L}*|registro|registo|dados?|men[çc][ãa]o|detalhes?|nota|resultados?)(?!\p{L})`,
  String.raw`\bnada\s+${WORDS}(?:sobre|acerca|guardado|registrado|registado)\b`,
  String.raw`\b(?:desconhe[çc]o|desconhecid[oa]|n[ãa]o\s+se\s+sabe)\b`,
];

const RUSSIAN = [
  String.raw`(?<!\p{L})(?:не\s+знаю|не\s+знаем|не\s+могу|не\s+помню|не\s+нашл\p{L}*|не\s+наш[её]л|не\s+найден\p{L}*|не\s+указан\p{L}*|не\s+упомин\p{L}*|не\s+упомянут\p{L}*|не\s+известн\p{L}*|неизвестн\p{L}*|не\s+располагаю|не\s+сказан\p{L}*|не\s+говор\p{L}*|не\s+записан\p{L}*|не\s+сохран\p{L}*|не\s+уверен\p{L}*)`,
  String.raw`(?<!\p{L})(?:нет|никак\p{L}*)\s+${WORDS}(?:информац\p{L}*|данн\p{L}*|запис\p{L}*|сведени\p{L}*|упоминани\p{L}*|заметк\p{L}*|результат\p{L}*)`,
  String.raw`(?<!\p{L})ничего\s+${WORDS}(?:не|об?|про)(?!\p{L})`,
];

const CHINESE = [
  "(?:不知道|不清楚|不确定|不了解|不记得|无法(?:确定|回答|得知|提供|找到|确认)|未知)",
  "(?:没有|沒有|未|没)[^。\\n]{0,20}(?:信息|資訊|记录|記錄|提到|提及|说明|說明|找到|资料|数据|记载|相关|内容|保存|告诉|说过)",
  "找不到|查不到",
];

/** Each alone says that an answer does not know. */
const REFUSALS: readonly RegExp[] = [
  ...[...ENGLISH, ...GERMAN, ...SPANISH, ...FRENCH, ...JAPANESE],
  ...[...PORTUGUESE, ...RUSSIAN, ...CHINESE],
].map((body) => new RegExp(body, "iu"));

/** Whether an answer says that it does not know, or found nothing, in any of the languages of the questions. */
export function refuses(answer: string): boolean {
  const text = answer.normalize("NFKC");
  return REFUSALS.some((pattern) => pattern.test(text));
}
