/** `pass` and `pw` are words for it at the end of a part of a name: `DB_PASS`, `smtpPass`; `bypass` and `compass` are not. */
const SHORT_WORDS = String.raw`(?<!com|by|tres|sur|over|under|im|out|multi|single|render)pass(?![a-z]|[ _-]?through)|(?<![a-z])pw(?![a-z])`;

/** Keys that are secret, by whose they are or what they are for; a public, primary or sort key is none. */
const SECRET_KEYS = String.raw`(?:api|access|private|signing|encryption|account|auth|license|master|service|storage|webhook|deploy|subscription)[ _-]?key`;

/** Words for what is secret, in the middle of a name or alone; as a source for patterns without regard to case. */
export const SECRET_WORDS = String.raw`pass(?:word|wd|phrase|code|wort)|${SHORT_WORDS}|mot de passe|kennwort|contrase(?:ñ|n)a|senha|пароль|密码|パスワード|pwd|secret|token(?!i[sz])|credential|${SECRET_KEYS}|connection[ _-]?string|sharedaccesskey|authorization`;

/** Words for passwords: short and plain values count there, too. */
const PASSWORD_WORDS = /pass|pwd|(?<![a-z])pw(?![a-z])|wort|contrase|senha|пароль|密码|パスワード/i;

/** Whether a name speaks of a password rather than of a key. */
export function isPasswordName(name: string): boolean {
  return PASSWORD_WORDS.test(name);
}

/** What is said about a secret, and is none: `tokenType`, `SECRET_NAME`, `password_policy`. */
const ABOUT =
  /(?:(?:token|key)[ _-]?ids?|[ _-]?(?:type|name|count|limit|usage|budget|length|size|url|uri|endpoint|policy|rotation|hint|strength|field|label|format|path|file|ttl|expir\w{0,8}|per[ _-]\w{1,12}))s?$/i;

/** Whether a name is that of something about a secret: its type, its length, where it is kept. */
export function isAboutSecrets(name: string): boolean {
  return ABOUT.test(name);
}

/** Values that only stand for a secret, or for a type or a choice. */
const PLACEHOLDER =
  /^(?:[$%<{[(*]|\.{3}|process\.|import\.|os\.|env[.([]|getenv|vault:|(?:null|none|nil|undefined|true|false|yes|no|on|off|string|str|text|number|int|boolean|bool|any|unknown|object|required|optional|hidden|redacted|secret|password|passwd|token|bearer|basic|apikey|example)$|your[-_ ]|x{3,}$|_+$)/i;

/** Whether a value is no secret itself but stands for one. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/** Bits of information in each sign of a text, as far as its own signs tell; 0 for an empty one. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Whether a text is made of letters and digits as keys are, and words are not. */
export function looksRandom(text: string): boolean {
  const digits = text.replace(/\D+/g, "").length;
  const letters = text.replace(/[^A-Za-z]+/g, "").length;
  return digits >= 2 && letters >= 2 && entropy(text) >= 3;
}

/** The longest part of a name that is a word. */
const LONGEST_WORD = 15;
const WORD = /^(?:[A-Z]?[a-z]*|[A-Z]*|v?\d{0,4}[a-z]{0,2}|[a-z]{1,12}\d{1,2})$/;

/** Whether a text is words and short numbers with dashes between: `secret-santa-list-2024`. */
export function isWordy(text: string): boolean {
  return text.split(/[-_]/).every((part) => part.length <= LONGEST_WORD && WORD.test(part));
}
