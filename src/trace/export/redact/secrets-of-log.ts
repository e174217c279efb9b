import { isSecretField } from "./assigned.ts";
import { unescaped } from "./escapes.ts";
import { findSecrets, merged } from "./find-secrets.ts";
import { KnownTexts } from "./known-texts.ts";
import type { FoundSecret, SecretKind } from "./secret.ts";

/** Different secrets that get a number of their own; more are redacted without one. */
const MAX_NUMBERED = 10_000;

/** A secret that is met again is known by itself, without what stood around it, if it has this much of one. */
const LEAST_KNOWN = 8;

/** A place in a text, and what is to stand there. */
export interface Redaction {
  readonly start: number;
  readonly end: number;
  readonly marker: string;
  readonly kind: SecretKind;
}

/**
 * The secrets of a log: the same secret gets the same marker wherever it stands. What was found once (`look`) is found
 * again where nothing around it gives it away, so a log is looked through before anything of it is written.
 */
export class SecretsOfLog {
  readonly #markers = new Map<string, string>();
  readonly #numbers = new Map<SecretKind, number>();
  readonly #known = new KnownTexts<SecretKind>({
    window: LEAST_KNOWN,
    beginnings: false,
    most: MAX_NUMBERED,
    alike: 16,
  });

  /** `secrets`: texts that are known to be secret before anything is read. */
  constructor(secrets: readonly string[] = []) {
    for (const secret of secrets) this.#keep(secret, "API key");
  }

  /** Notes the secrets of a text; `name` is that of the field it stands in. */
  look(text: string, name?: string): void {
    for (const { start, end, kind } of this.#found(text, name)) this.#keep(text.slice(start, end), kind);
  }

  /** What is to be taken out of a text, in order. */
  redactions(text: string, name?: string): readonly Redaction[] {
    const known = this.#known.find(text).map(({ start, end, name: kind }) => ({ start, end, kind }));
    return merged([...this.#found(text, name), ...known]).map(({ start, end, kind }) => ({
      ...{ start, end, kind },
      marker: this.#keep(text.slice(start, end), kind),
    }));
  }

  #found(text: string, name: string | undefined): readonly FoundSecret[] {
    if (isMarker(text)) return [];
    const kind = name === undefined ? undefined : isSecretField(name, text);
    if (kind !== undefined) return [{ start: 0, end: text.length, kind }];
    return findSecrets(text).filter(({ start, end }) => !isMarker(text.slice(start, end)));
  }

  #keep(secret: string, kind: SecretKind): string {
    const plain = unescaped(secret)?.text ?? secret;
    const known = this.#markers.get(plain);
    if (known !== undefined) return known;
    if (this.#markers.size >= MAX_NUMBERED) return `[redacted: ${kind}]`;
    const number = (this.#numbers.get(kind) ?? 0) + 1;
    this.#numbers.set(kind, number);
    const marker = `[redacted: ${kind} ${number}]`;
    this.#markers.set(plain, marker);
    // A word of a language may be a password as well: taken out everywhere, it would take the text's sense along.
    if (/[^\p{L}\s]/u.test(secret)) this.#known.add(secret, kind);
    return marker;
  }
}

function isMarker(text: string): boolean {
  return /^\[redacted: [A-Za-z ]{1,20}\d*\]?$/.test(text);
}
