/** What a secret is, in the words of its marker. */
export type SecretKind =
  "API key" | "access token" | "private key" | "password" | "credentials" | "cookie" | "secret";

/** Where a secret stands in a text, in UTF-16 units. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
}
