import { isBase64Pair } from "./addresses.ts";
import type { FoundSecret, SecretKind } from "./secret.ts";
import {
  entropy,
  isAboutSecrets,
  isPasswordName,
  isPlaceholder,
  looksRandom,
  SECRET_WORDS,
} from "./words.ts";

/** The longest value that is looked at, in UTF-16 units. */
const MAX = 2_048;

const QUOTED = String.raw`"(?:[^"\\\r\n]|\\.){1,${MAX}}"|'(?:[^'\\\r\n]|\\.){1,${MAX}}'|${"`"}[^${"`"}\r\n]{1,${MAX}}${"`"}`;
const BARE = String.raw`[^\s"'${"`"},;&<>]{1,${MAX}}`;

/** `NAME=value`, `"name": "value"`, `name => value`, `--name value`, `name := value`. */
const ASSIGNED = new RegExp(
  String.raw`(?<word>${SECRET_WORDS})(?<rest>[\w-]{0,40})["'${"`"}\]]{0,2}(?<sign>[ \t]{0,8}(?:=>|:=|={1,3}|[:：＝])[ \t]{0,8})(?<value>${QUOTED}|${BARE})`,
  "gid",
);

/** `--password value`, and the word in front of it as a flag. */
const FLAG = new RegExp(
  String.raw`(?<![\w-])--?(?<name>[\w-]{0,20}(?:${SECRET_WORDS})[\w-]{0,20})[ \t]{1,4}(?<value>${QUOTED}|${BARE})`,
  "gid",
);

/** `<password>value</password>`. */
const ELEMENT = new RegExp(
  String.raw`<[\w:.-]{0,40}(?<name>${SECRET_WORDS})[\w:.-]{0,40}>\s{0,8}(?<value>[^<\s]{1,${MAX}})\s{0,8}<`,
  "gid",
);

/** Forms in which a password has no word of its own. */
const OTHERS: readonly RegExp[] = [
  /\blogin\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(?<value>\S{1,200})/dgi,
  /\bidentified\s{1,8}by\s{1,8}(?:password\s{1,8})?'(?<value>[^'\r\n]{1,200})'/dgi,
  /\bsshpass\s{1,4}-p\s{0,4}["']?(?<value>[^\s"']{1,200})/dgi,
  /\b(?:docker|podman|nerdctl|helm|oras)\s(?:[^\r\n]{1,40}\s)?login\s[^\r\n]{0,200}?-p[ =]{1,4}["']?(?<value>[^\s"']{3,200})/dgi,
  /\b(?:mysql|mysqldump|mysqladmin|mariadb)\s[^\r\n|;]{0,200}?(?<=\s)-p["']?(?<value>[^\s"']{3,200})/dgi,
  /(?<![\w-])(?:-u|--user|--proxy-user)[ =]{1,4}["']?[^\s:"']{1,200}:(?<value>[^\s"']{1,200})/dgi,
];

/** "The password is hunter2": what has letters and digits is hardly a word of the sentence. */
const SAID =
  /(?:pass(?:word|wd|phrase|code|wort)|kennwort|contrase(?:ñ|n)a|senha|mot de passe)\s{1,4}(?:is|was|ist|lautet|est|es|é)[ \t:：]{1,4}["'`]?(?<value>[^\s"'`<>]{6,200})/dgi;
const NO_PASSWORD = /^(?:sha|md|base|utf|aes|rsa|hs|rs|bcrypt|argon|v)-?\d/i;

/** Secrets that something is said to be: after a word for secrets, and a sign that gives it a value. */
export function assignedSecrets(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(ASSIGNED)) {
    const { word = "", rest = "", sign = "", value = "" } = match.groups ?? {};
    const given = { name: word + rest, value: unquoted(value), isQuoted: isQuoted(value), sign };
    if (isSecret(given) && !isTestResult(match)) found.push(at(match, given.name, value));
  }
  for (const match of text.matchAll(SAID)) {
    const { value = "" } = match.groups ?? {};
    const isMixed = /\d/.test(value) && /\p{L}/u.test(value) && !NO_PASSWORD.test(value);
    if (isMixed && !isPlaceholder(value)) found.push(at(match, "password", value));
  }
  for (const pattern of [FLAG, ELEMENT]) {
    for (const match of text.matchAll(pattern)) {
      const { name = "", value = "" } = match.groups ?? {};
      if (isWorthHiding(name, unquoted(value))) found.push(at(match, name, value));
    }
  }
  for (const pattern of OTHERS) {
    for (const match of text.matchAll(pattern)) {
      const { value = "" } = match.groups ?? {};
      if (!isPlaceholder(value)) found.push(at(match, "password", value));
    }
  }
  return found;
}

/** Whether the text that a name of an object stands for is a secret: `{"password": "..."}`. */
export function isSecretField(name: string, value: string): SecretKind | undefined {
  if (/^_?auth$/.test(name) && isBase64Pair(value)) return "credentials";
  if (name.length > 200 || value.length > MAX || !FIELD.test(name)) return undefined;
  const isSentence = /\s\S+\s/.test(value);
  return !isSentence && isWorthHiding(name, value) ? kindOf(name) : undefined;
}

const FIELD = new RegExp(SECRET_WORDS, "i");

/** `PASS: check-3.test` is what programs say that run tests. */
function isTestResult({ index, input, groups }: RegExpExecArray): boolean {
  const { word = "", sign = "" } = groups ?? {};
  return word === "PASS" && sign.trim() === ":" && !/[\w-]/.test(input[index - 1] ?? "");
}

interface Given {
  readonly name: string;
  readonly value: string;
  readonly isQuoted: boolean;
  readonly sign: string;
}

function isSecret({ name, value, isQuoted: quoted, sign }: Given): boolean {
  // `authorization: Bearer ...` is read where its scheme is known.
  if (/^authorization/i.test(name)) return quoted ? false : looksRandom(value);
  if (!isWorthHiding(name, value)) return false;
  if (quoted || /^=+$/.test(sign)) return true;
  // In prose and in code a bare word after a sign with blanks around is a word or a name, seldom a secret.
  return value.length >= 6 && !/[()[\]]/.test(value) && /\d|[^\w.]/.test(value) && entropy(value) > 2;
}

/** Not a placeholder, not a mere number of tokens, not the name again. */
function isWorthHiding(name: string, value: string): boolean {
  if (isPlaceholder(value) || isNameAgain(name, value) || isAboutSecrets(name)) return false;
  if (isPasswordName(name)) return value.length >= 3 && !/^\d[\d.,/]*%$/.test(value);
  return value.length >= 6 && !/^[\d.,_]{1,10}$/.test(value);
}

/** `token=token)`, `password=config.password`, `secret=getSecret(name)`: a variable of the same name, or a call. */
function isNameAgain(name: string, value: string): boolean {
  const said = plain(value);
  if (said === "") return false;
  const isExpression =
    /^[A-Za-z_$][\w$]*(?:\.[\w$]+)*(?:\(.*|[.][\w$]+|[)\]}]+)$/.test(value) && !/\d/.test(value);
  const own = plain(name);
  return own.endsWith(said) || (isExpression && FIELD.test(value));
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\d]+/gu, "");
}

function kindOf(name: string): SecretKind {
  if (isPasswordName(name)) return "password";
  if (/token/i.test(name)) return "access token";
  if (/api[ _-]?key/i.test(name)) return "API key";
  if (/credential|authorization/i.test(name)) return "credentials";
  return "secret";
}

function isQuoted(value: string): boolean {
  return /^["'`]/.test(value);
}

function unquoted(value: string): string {
  return isQuoted(value) ? value.slice(1, -1) : value;
}

function at(match: RegExpExecArray, name: string, value: string): FoundSecret {
  const [start, end] = match.indices?.groups?.["value"] ?? [match.index, match.index + match[0].length];
  const quotes = isQuoted(value) ? 1 : 0;
  return { start: start + quotes, end: end - quotes, kind: kindOf(name) };
}
