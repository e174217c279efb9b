import type { FoundSecret, SecretKind } from "./secret.ts";
import { isPlaceholder, looksRandom } from "./words.ts";

/** `scheme://user:password@host`; a port is no password. */
const USER_INFO = /:\/\/[^\s/?#"'<>\\@:]{0,256}:(?!\d{1,5}[/?#])(?<value>[^\s"'<>\\]{1,256})@/dg;

/** `scheme://token@host`. */
const TOKEN_INFO = /:\/\/(?<value>[^\s/?#"'<>\\@:]{16,512})@/dg;

/** Parameters of an address that are secrets under a name that is none elsewhere. */
const PARAMETER =
  /[?&](?:key|sig|signature|auth|code|sas|x-amz-signature|x-amz-credential|x-goog-signature|hmac)=(?<value>[^&\s"'#<>\\]{8,2048})/dgi;

/** `Bearer ...`, `Basic ...` wherever they stand. */
const SCHEME =
  /\b(?<scheme>bearer|basic|apikey|negotiate|digest|token)[ \t]{1,8}(?<value>[A-Za-z0-9._~+/=-]{8,4096})/dgi;

/** A header of its own, up to the end of its line or of the text that it stands in. */
const AUTHORIZATION =
  /authorization["'\]]{0,2}[ \t]{0,8}[:=][ \t]{0,8}["']?(?:(?:bearer|basic|apikey|negotiate|digest|token|aws4-hmac-sha256|hawk|ntlm|oauth)[ \t]{1,8})(?<value>[^\r\n"'`]{4,4096})/dgi;
const COOKIE =
  /\b(?:set-)?cookie["'\]]{0,2}[ \t]{0,8}[:=][ \t]{0,8}["']?(?<value>[^\r\n"'`=]{1,200}=[^\r\n"'`]{4,4096})/dgi;

/** Headers that hold a key or a token and nothing else: `X-Auth-Token: ...`. */
const KEY_HEADER =
  /(?<![\w-])(?:x-[\w-]{0,40}(?:token|key|secret)|private-token|api-key)["']?[ \t]{0,4}:[ \t]{0,4}["']?(?<value>[^\s"'`,;]{8,4096})/dgi;

/** `_auth=...`, `"auth": "..."`: name and password in base64, as package managers and registries keep them. */
const BASE64_PAIR =
  /(?<![A-Za-z])_?auth["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?<value>[A-Za-z0-9+/]{8,4096}={0,2})(?![\w+/=])/dg;

/** Secrets in addresses and in the headers of requests. */
export function secretsOfAddresses(text: string): readonly FoundSecret[] {
  return [
    ...all(text, USER_INFO, "password", (value) => !isPlaceholder(value)),
    ...all(text, TOKEN_INFO, "access token", (value) => !isPlaceholder(value)),
    ...all(text, PARAMETER, "secret", (value) => !isPlaceholder(value) && looksRandom(value)),
    ...all(text, SCHEME, "credentials", isCredential),
    ...all(text, AUTHORIZATION, "credentials", (value) => !isPlaceholder(value)),
    ...all(text, COOKIE, "cookie", () => true),
    ...all(text, KEY_HEADER, "secret", (value) => !isPlaceholder(value)),
    ...all(text, BASE64_PAIR, "credentials", isBase64Pair),
  ];
}

/** Whether a text is `name:password` in base64. */
export function isBase64Pair(value: string): boolean {
  return (
    /^[A-Za-z0-9+/]{8,}={0,2}$/.test(value) &&
    /^[ -~]+:[ -~]+$/.test(Buffer.from(value, "base64").toString("latin1"))
  );
}

/** Words follow such names in prose ("basic understanding"): credentials hold digits, or are padded. */
function isCredential(value: string): boolean {
  return !isPlaceholder(value) && (/\d/.test(value) || /=$/.test(value) || /[a-z][A-Z]/.test(value));
}

function all(
  text: string,
  pattern: RegExp,
  kind: SecretKind,
  counts: (value: string) => boolean,
): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const match of text.matchAll(pattern)) {
    const place = match.indices?.groups?.["value"];
    if (place !== undefined && counts(match.groups?.["value"] ?? ""))
      found.push({ start: place[0], end: place[1], kind });
  }
  return found;
}
