import type { FoundSecret, SecretKind } from "./secret.ts";
import { isWordy } from "./words.ts";

/*
 * Secrets that show by their form alone: what services put before their keys. Each pattern begins with fixed signs and
 * goes on with one class of signs, so that it is tried in time proportional to the text.
 */
interface Form {
  readonly kind: SecretKind;
  readonly form: string;
  /** Names of things begin like it, too: one that is made of words is none. */
  readonly wordy?: true;
}

const FORMS: readonly Form[] = [
  // Model providers and search engines.
  { kind: "API key", form: String.raw`sk-[A-Za-z0-9_-]{16,}`, wordy: true },
  { kind: "API key", form: String.raw`AIza[A-Za-z0-9_-]{30,}` },
  {
    kind: "API key",
    form: String.raw`(?:gsk|xai|pplx|tvly|fw|r8|nvapi|csk|co|jina|fc|exa)[-_][A-Za-z0-9_-]{20,}`,
    wordy: true,
  },
  { kind: "API key", form: String.raw`BSA[A-Za-z0-9_-]{20,}` },
  { kind: "access token", form: String.raw`hf_[A-Za-z0-9]{20,}` },
  // Clouds.
  { kind: "API key", form: String.raw`A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16,}` },
  { kind: "access token", form: String.raw`ya29\.[A-Za-z0-9_-]{20,}` },
  { kind: "secret", form: String.raw`GOCSPX-[A-Za-z0-9_-]{20,}` },
  { kind: "access token", form: String.raw`1//0[A-Za-z0-9_-]{32,}` },
  { kind: "access token", form: String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9.]{32,}` },
  { kind: "access token", form: String.raw`do[oprt]_v1_[a-f0-9]{40,}` },
  { kind: "access token", form: String.raw`dapi[a-f0-9]{32,}` },
  { kind: "access token", form: String.raw`hv[sbr]\.[A-Za-z0-9_-]{20,}` },
  // Code and packages.
  { kind: "access token", form: String.raw`gh[pousr]_[A-Za-z0-9]{20,}` },
  { kind: "access token", form: String.raw`github_pat_[A-Za-z0-9_]{20,}` },
  { kind: "access token", form: String.raw`gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{16,}` },
  { kind: "access token", form: String.raw`AT(?:ATT|CTT)3[A-Za-z0-9_=-]{40,}` },
  { kind: "access token", form: String.raw`npm_[A-Za-z0-9]{30,}` },
  { kind: "access token", form: String.raw`pypi-[A-Za-z0-9_-]{40,}` },
  { kind: "access token", form: String.raw`rubygems_[a-f0-9]{40,}` },
  { kind: "access token", form: String.raw`dckr_pat_[A-Za-z0-9_-]{20,}` },
  // Messages, payment, shops.
  { kind: "access token", form: String.raw`xox[a-z]-[A-Za-z0-9-]{10,}` },
  {
    kind: "access token",
    form: String.raw`[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}`,
  },
  { kind: "API key", form: String.raw`[a-f0-9]{32}-us\d{1,2}` },
  { kind: "access token", form: String.raw`sq0[a-z]{3}-[A-Za-z0-9_-]{20,}` },
  { kind: "access token", form: String.raw`xapp-[A-Za-z0-9-]{10,}` },
  { kind: "API key", form: String.raw`[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}` },
  { kind: "secret", form: String.raw`whsec_[A-Za-z0-9+/=]{16,}` },
  { kind: "API key", form: String.raw`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}` },
  { kind: "API key", form: String.raw`key-[a-f0-9]{32}` },
  { kind: "API key", form: String.raw`SK[a-f0-9]{32}` },
  { kind: "access token", form: String.raw`shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}` },
  { kind: "access token", form: String.raw`\d{8,10}:AA[A-Za-z0-9_-]{32,}` },
  {
    kind: "access token",
    form: String.raw`(?:ntn|secret|lin_api|pat|figd|PMAK|sntry[su]|glsa|phc|phx|EAA|sbp|sb_secret|bkua|CCIPAT)[-_][A-Za-z0-9_-]{32,}`,
    wordy: true,
  },
  { kind: "private key", form: String.raw`AGE-SECRET-KEY-1[A-Z0-9]{50,}` },
];

/** What a secret of these forms stands in. Nearly all words are shorter, which shows at once. */
const LONG_WORD = /[\w.:+=/-]{16,}/g;

/** All forms at once. */
const ANY = new RegExp(
  `(?<![A-Za-z0-9])(?:${FORMS.map(({ form }, at) => `(?<f${at}>${form})`).join("|")})`,
  "g",
);

/**
 * A JSON Web Token: parts, the first of which is a JSON object in base64. The second may be empty, and the last may be
 * missing: what a token says is readable without it.
 */
const JWT = /(?<![\w-])eyJ[\w-]{8,}\.(?:[\w-]{4,}|\.[\w-]{8,})(?:\.[\w-]*){0,3}/g;

/** What follows the public half of a pair: the secret one has no form of its own. */
const CLOUD_PAIR =
  /(?<![A-Za-z0-9])A(?:KIA|SIA)[A-Z0-9]{16}["']?[\s,;:|=]{1,20}["']?(?<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dg;
const CLOUD_SECRET =
  /secret[\w-]{0,24}["']?[ \t:=]{1,8}["']?(?<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dgi;

/** Addresses of which the path is the secret. */
const WEBHOOK =
  /(?:hooks\.slack\.com\/(?:services|workflows)|discord(?:app)?\.com\/api\/webhooks|outlook\.office(?:365)?\.com\/webhook|[a-z0-9-]{1,60}\.webhook\.office\.com\/webhookb2)\/([\w@/.-]{16,400})/gi;

/** All secrets of a known form in a text. */
export function secretsOfKnownForm(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const word of text.matchAll(LONG_WORD)) {
    // `matchAll` makes a pattern of its own, which costs more than such a word.
    ANY.lastIndex = 0;
    for (let match = ANY.exec(word[0]); match !== null; match = ANY.exec(word[0])) {
      const start = word.index + match.index;
      const { kind, wordy } = formOf(match.groups ?? {});
      if (wordy === true && isWordy(match[0])) continue;
      found.push({ start, end: start + match[0].length, kind });
    }
  }
  for (const match of text.matchAll(JWT))
    found.push({ start: match.index, end: match.index + match[0].length, kind: "access token" });
  for (const pattern of [CLOUD_PAIR, CLOUD_SECRET]) {
    for (const match of text.matchAll(pattern)) {
      const { value = "" } = match.groups ?? {};
      const [start, end] = match.indices?.groups?.["value"] ?? [0, 0];
      // A number of a commit has as many signs, all of them small.
      if (/[a-z]/.test(value) && /[A-Z]/.test(value)) found.push({ start, end, kind: "secret" });
    }
  }
  for (const match of text.matchAll(WEBHOOK)) {
    const end = match.index + match[0].length;
    found.push({ start: end - (match[1]?.length ?? 0), end, kind: "secret" });
  }
  return found;
}

function formOf(groups: Readonly<Record<string, string | undefined>>): Pick<Form, "kind" | "wordy"> {
  return FORMS.find((_, index) => groups[`f${index}`] !== undefined) ?? { kind: "secret" };
}
