import assert from "node:assert/strict";
import fc from "fast-check";
import { isSecretField } from "../../../../src/trace/export/redact/assigned.ts";
import { findSecrets } from "../../../../src/trace/export/redact/find-secrets.ts";

const HEX = "0123456789abcdef";
const DIGITS = "0123456789";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ALNUM = UPPER + UPPER.toLowerCase() + DIGITS;

/** Texts of so many signs, as a service makes its keys: with letters of both sizes and digits where the signs have them. */
function key(length: number, signs = ALNUM): fc.Arbitrary<string> {
  const least = signs === ALNUM ? "aB3dE7" : signs === HEX ? "a3d7" : "";
  const body = fc.array(fc.constantFrom(...Array.from(signs)), { minLength: length, maxLength: length });
  return body.map((given) => least + given.join("").slice(least.length));
}

/** A text with what stands in it in place of its secrets. */
function left(text: string): string {
  return findSecrets(text).reduceRight(
    (rest, { start, end, kind }) => `${rest.slice(0, start)}[${kind}]${rest.slice(end)}`,
    text,
  );
}

/** How keys and passwords stand in files, logs and commands: `#` is the secret. */
const PLACES: readonly (readonly [text: string, secret: fc.Arbitrary<string>])[] = [
  // Lines of an environment: names without a word that is only used for secrets.
  ...["DB_PASS=#", "SMTP_PASS: #", "export REDIS_PW='#'", 'dbPass: "#"', "MYSQL_ROOT_PASS=#"].map(
    (text) => [text, key(12)] as const,
  ),
  ...["OPENAI_KEY=#", "STRIPE_KEY: #", "sendgrid-key = #"].map((text) => [text, key(32)] as const),
  ["RAILS_MASTER_KEY=#", key(32, HEX)],
  ["MASTER_KEY=#", key(10)],
  // Forms that services give their keys.
  [["MTk4NjIyNDgzNDcxOTI1", "MjQ4.Cl2FMQ.#"].join(""), key(38)],
  [["ATA", "TT3#"].join(""), key(60)],
  ["token 1//0#", key(60)],
  [["sq", "0atp-#"].join(""), key(22)],
  ["#-us12", key(32, HEX)],
  [["sb", "p_#"].join(""), key(40, HEX)],
  [["sk", "-ant-api03-#-xY_AA"].join(""), key(80)],
  // The secret half of a pair, which has no form of its own.
  [["AKI", "AIOSFODNN7EXAMPLE #"].join(""), key(40)],
  ["aws configure set aws_secret_access_key #", key(40)],
  // Tokens with readable parts, whole or cut.
  ["eyJhbGciOiJub25lIn0.#.", key(30)],
  ["eyJhbGciOiJSU0EtT0FFUCJ9.#.a.b.c", key(30)],
  ["eyJhbGciOiJkaXIiLCJlbmMiOiJBIn0..#.b.c", key(30)],
  // Headers, and names with passwords in base64.
  ["x-auth-token: #", key(10)],
  ["X-Goog-Api-Key: #", key(10)],
  ["PRIVATE-TOKEN: #", key(20)],
  ["https://example.test/x?pass=#", key(8)],
  ["_auth=#", key(12).map((text) => Buffer.from(`ada:${text}`).toString("base64"))],
  ['{"auth": "#"}', key(12).map((text) => Buffer.from(`ada:${text}`).toString("base64"))],
  // Commands, and what people say.
  ["docker login -u ada -p # registry.test", key(12)],
  ["mysql -uroot -p# shop", key(12)],
  ["the password is #", key(8)],
  ["The password is: #", key(8)],
  ["mot de passe : #", key(8)],
  ["パスワード：#", key(8)],
  ["---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n#\n---- END SSH2 ENCRYPTED PRIVATE KEY ----", key(60)],
];

/** Texts that stand near words for secrets, or look like keys, and are none. */
const HARMLESS: readonly string[] = [
  "the key commit is 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
  "tokens of commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
  "key sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "primary key 550e8400-e29b-41d4-a716-446655440000",
  "key=550e8400-e29b-41d4-a716-446655440000",
  "token count of run 550e8400-e29b-41d4-a716-446655440000 was 12",
  "public key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5q0hqj ada@example.test",
  "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYI\n-----END PUBLIC KEY-----",
  "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIE\n-----END CERTIFICATE-----",
  "secret-santa-list-for-the-whole-office-2024-final",
  "jina-embeddings-v2-base-en, fc-cache-regenerated-all-fonts",
  "sk-learn-pipeline-with-feature-union",
  "task-force-one-two-three-four, risk-assessment-document-final-v2",
  "tokenizer: qwen2.5-7b, tokenizer=llama3-70b",
  "tokenType=Bearer1, PASSWORD_POLICY=min8chars, TOKEN_URL=https://example.test/v1/token2",
  "PASS: check-3.test, FAIL: check-4.test",
  "test pass: 98.5%, pass=12 fail=1",
  "bypass=true1x, compass=north42, trespass=never99",
  "--pass-through 8080",
  "the password is base64-encoded, the passphrase is sha256-hashed",
  "SORT_KEY=created_at, CACHE_KEY=v2-linux, KEY_FILE=/etc/ssl/key.pem",
  '{"auth": "required"}, {"auth": "basic-only"}',
  "@scope/pkg at https://example.test:443/@scope/pkg",
];

describe("secrets of every kind", () => {
  for (const [place, secrets] of PLACES) {
    it(`are found in ${JSON.stringify(place.slice(0, 44))}`, () => {
      fc.assert(
        fc.property(secrets, (secret) => {
          const text = place.replace("#", secret);
          assert.ok(!left(text).includes(secret), text);
        }),
        { numRuns: 40, seed: 11 },
      );
    });
  }

  for (const text of HARMLESS) {
    it(`are not seen in ${JSON.stringify(text.slice(0, 44))}`, () => assert.equal(left(text), text));
  }

  it("leave numbers of commits and UUIDs alone wherever they stand by themselves", () => {
    const commit = key(40, HEX);
    const words = fc.constantFrom("see", "fixed in", "parent", "at", "id", "run", "trace", "of");
    fc.assert(
      fc.property(words, commit, fc.uuid(), (word, hash, uuid) => {
        const text = `${word} ${hash} and ${word} ${uuid}, https://example.test/${uuid}/commit/${hash}`;
        assert.equal(left(text), text);
      }),
      { numRuns: 100, seed: 11 },
    );
  });

  it("are told from names that only speak about one", () => {
    for (const [name, value] of [
      ["tokenType", "Bearer1"],
      ["secretName", "my-secret-name-1"],
      ["tokenizer", "qwen2.5-7b"],
      ["passed", "12 of 13"],
      ["bypass", "all-of-42"],
    ] as const)
      assert.equal(isSecretField(name, value), undefined, name);
    for (const [name, value] of [
      ["pass", "hunter2"],
      ["dbPass", "hunter2"],
      ["auth", Buffer.from("ada:lovelace").toString("base64")],
      ["accessToken", "a1b2c3d4"],
    ] as const)
      assert.notEqual(isSecretField(name, value), undefined, name);
  });

  it("take a time in proportion to the text, whatever stands in it", () => {
    const parts = [
      "eyJaaaaaaaa.",
      "sk-a-",
      "password is ",
      "docker login ",
      "mysql -",
      "secret ",
      "auth=AAAA",
      "x-a-",
    ];
    for (const part of [...parts, "---- BEGIN ", "pass", "pw=", "key commit "])
      findSecrets(part.repeat(Math.ceil(120_000 / part.length)));
  });
});
