/** Words for what is secret, in the middle of a name or alone; as a source for patterns without regard to case. */
export const SECRET_WORDS = String.raw`pass(?:word|wd|phrase|code|wort)|kennwort|contrase(?:ñ|n)a|senha|пароль|密码|パスワード|pwd|secret|token|credential|api[ _-]?key|access[ _-]?key|private[ _-]?key|signing[ _-]?key|encryption[ _-]?key|account[ _-]?key|auth[ _-]?key|license[ _-]?key|connection[ _-]?string|sharedaccesskey|authorization`;

/** Words for passwords: short and plain values count there, too. */
const PASSWORD_WORDS = /pass|pwd|wort|contrase|senha|пароль|密码|パスワード/i;

/** Whether a name speaks of a password rather than of a key. */
export function isPasswordName(name: string): boolean {
  return PASSWORD_WORDS.test(name);
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
