/**
 * What is said in passing, or to the answer before rather than about anything. Each form is a whole phrase; a message
 * is small talk when it is made of nothing else.
 */
const PHRASES = [
  // English
  "hi|hello|hey|hiya|yo|good (?:morning|afternoon|evening|night)|bye|goodbye|see you|see ya|cheers",
  "(?:ok|okay|k|alright|all right|right|sure|yes|yeah|yep|yup|no|nope|nah|fine|great|nice|cool|perfect|awesome|good|wow|lol|haha+|hm+|oh|ah|hooray|please|pls)",
  "(?:many )?thanks(?: a lot| so much| again)?|thank you(?: so much| very much| again)?|thx|ty|(?:no )?thanks",
  "got it|i see|makes sense|sounds good|never ?mind|no problem|you['’]?re welcome|well done|good job|that(?: i|['’])s (?:all|it|great|fine|good|perfect|nice|right|wrong|correct)",
  "how are you(?: doing)?(?: today)?|what['’]?s up",
  "(?:go on|continue|keep going|carry on|proceed|next|stop|wait|again|more|try again|retry|once more|one more time)",
  "(?:(?:can|could|would) you )?(?:please )?(?:make|do|run|say|write|try|explain|show|repeat|redo|shorten|simplify|summari[sz]e|translate|rephrase|rewrite|format|fix|check|expand)(?: it| that| this| them)?(?: to me)?(?: again| once more| (?:a (?:bit|little) )?(?:more )?(?:shorter|longer|simpler|simply|clearer|briefer|better|faster|nicer|brief(?:ly)?|slowly|concise(?:ly)?|detailed|formal|short|clear)| in (?:one|a few|two|three) (?:words?|sentences?|lines?)| in (?:english|german|french|spanish)| as a (?:list|table))*(?: please)?",
  "(?:shorter|longer|simpler|more detail(?:s|ed)?|in short|tl;?dr)(?: please)?",
  "what do you mean|what|why|how|really|are you sure|why not|how so|who are you|what can you do|is that (?:right|true|so)",
  // German, French, Spanish
  "hallo|moin|servus|tschüss|guten (?:morgen|tag|abend)|ja|nein|danke(?: schön| sehr)?|vielen dank|bitte|genau|super|gut|weiter|nochmal|kürzer(?: bitte)?|(?:kannst du (?:das|es) )?(?:bitte )?kürzer machen|warum",
  "bonjour|salut|bonsoir|au revoir|oui|non|merci(?: beaucoup| bien)?|d['’]accord|très bien|super|encore|plus court(?: s['’]il te plaît)?|pourquoi",
  "hola|buenos días|buenas (?:tardes|noches)|adiós|sí|si|gracias|muchas gracias|vale|de acuerdo|muy bien|otra vez|más corto(?: por favor)?|por favor|por qué",
  // Others, the commonest words alone
  "ciao|grazie(?: mille)?|olá|obrigad[oa]|dank je|tack|takk|kiitos|dzięki|привет|спасибо|да|нет|你好|谢谢|好的?|嗨|ありがとう(?:ございます)?|こんにちは|はい|いいえ|안녕(?:하세요)?|감사합니다|네",
];

const PHRASE = new RegExp(`^(?:${PHRASES.join("|")})(?![\\p{L}\\p{N}])`, "iu");

/** Longer messages say something. */
const MAX_LENGTH = 120;

/**
 * Whether a message holds nothing to remember of the user: a greeting, thanks, a wish about the last answer. Such a
 * message is never read by a model for memory. A message that adds anything else is not small talk.
 */
export function isSmallTalk(said: string): boolean {
  if (said.length > MAX_LENGTH) return false;
  let rest = trimmed(said);
  while (rest !== "") {
    const match = PHRASE.exec(rest);
    if (match === null) return false;
    rest = trimmed(rest.slice(match[0].length));
  }
  return true;
}

function trimmed(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}
