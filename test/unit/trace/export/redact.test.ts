import assert from "node:assert/strict";
import fc from "fast-check";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { findSecrets } from "../../../../src/trace/export/redact/find-secrets.ts";
import { NO_CLEANING } from "../../../../src/trace/export/redact/options.ts";
import { clean } from "./support/clean.ts";
import { councilTurn, judgedTurn, sayingEverywhere, turnOf } from "./support/turns.ts";

const KEY_BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj";
const PEM = `-----BEGIN PRIVATE KEY-----\n${KEY_BODY}\n${KEY_BODY}\n-----END PRIVATE KEY-----`;

/** Made of parts, so that no tool that looks through sources takes them for real ones. */
const made = (...parts: readonly string[]): string => parts.join("");

/** A text with a secret in it, and what of it must not be left. */
const SECRETS: readonly (readonly [text: string, secret: string])[] = [
  ...[
    made("sk-", "proj-Ab12Cd34Ef56Gh78Ij90"),
    made("sk-", "ant-api03-Zz99Yy88Xx77Ww66"),
    made("gh", "p_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"),
    made("github", "_pat_11ABCDEFG0123456789_abcdefghijklmnop"),
    made("glpat", "-Ab12Cd34Ef56Gh78Ij90"),
    made("xox", "b-123456789012-abcdefABCDEF"),
    made("AKI", "AIOSFODNN7EXAMPLE"),
    made("AIz", "aSyA1234567890abcdefghijklmnopqrstuv"),
    made("sk_", "live_4eC39HqLyjWDarjtT1zdp7dc"),
    made("hf", "_AbCdEfGhIjKlMnOpQrStUvWxYz12345678"),
    made("npm", "_abcdefghijklmnopqrstuvwxyz0123456789"),
    made("SG", ".ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf09kqeF8tAmbihYzrnopKc1s5cr"),
    made("tvly", "-dev-Ab12Cd34Ef56Gh78Ij90Kl12"),
    made("eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N"),
    PEM,
  ].map((secret) => [`It says ${secret} there.`, secret] as const),
  ["https://hooks.slack.com/services/T0000/B0000/XXXXyyyyZZZZ1111", "T0000/B0000/XXXXyyyyZZZZ1111"],
  ["AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfi", "wJalrXUtnFEMI/K7MDENG/bPxRfi"],
  ["export DB_PASSWORD=hunter2", "hunter2"],
  ["POSTGRES_PASSWORD=mysecretpassword", "mysecretpassword"],
  [`{"password": "correct horse battery"}`, "correct horse battery"],
  [`{"client_secret": "0123abcd"}`, "0123abcd"],
  ["apiKey: 'a1b2c3d4e5'", "a1b2c3d4e5"],
  ["Passwort: geheim123", "geheim123"],
  ["пароль: секрет42!", "секрет42!"],
  ["<Password>open sesame</Password>".replace(" ", ""), "opensesame"],
  ["mysql --password hunter2 -h db", "hunter2"],
  ["curl -u ada:lovelace1815 https://example.test", "lovelace1815"],
  ["CREATE USER x IDENTIFIED BY 'tiger99'", "tiger99"],
  ["machine example.test login ada password s3cr3t", "s3cr3t"],
  ["postgres://ada:p@ss/w0rd@db.example:5432/x", "p@ss/w0rd"],
  ["redis://:s3cr3t@cache:6379", "s3cr3t"],
  ["git clone https://0123456789abcdef0123@example.test/x.git", "0123456789abcdef0123"],
  ["GET /x?sig=Zm9vYmFyMTIzNDU2Nzg5MA%3D%3D", "Zm9vYmFyMTIzNDU2Nzg5MA%3D%3D"],
  ["Authorization: Bearer abc.def.ghi123", "abc.def.ghi123"],
  ["authorization: Basic YWRhOmxvdmVsYWNl", "YWRhOmxvdmVsYWNl"],
  [`-H "Authorization: Token 0a1b2c3d4e"`, "0a1b2c3d4e"],
  ["Cookie: session=Ab12Cd34Ef56; theme=dark", "Ab12Cd34Ef56"],
  ["AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50==;", "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50=="],
  ["the api key is 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"],
  [`1  -----BEGIN RSA PRIVATE KEY-----\n2  ${KEY_BODY}\n3  ${KEY_BODY}`, KEY_BODY],
];

/** Texts that a reader needs, and that look a little like secrets. */
const HARMLESS: readonly string[] = [
  "max_tokens=8192, tokens: 1,610 in, 212 out",
  "the password: the one that we agreed on",
  "Authorization: Bearer $TOKEN",
  "Authorization: Bearer <your token>",
  "const secret = loadSecret(config); token = getToken()",
  "login(password=password, token=config.token)",
  "password: string; token?: string | undefined",
  "apiKey: process.env.API_KEY, secret = os.environ['X']",
  "commit 9f8e7d6c5b4a39281706f5e4d3c2b1a039281706",
  "http://localhost:3000/a?email=ada@example.test",
  "src/trace/export/redact/find-secrets.ts:12: export function",
  "550e8400-e29b-41d4-a716-446655440000",
  "A basic understanding of tokens, and a bearer of news.",
  "secret: null, password: ${PASSWORD}, token: {{ token }}",
];

describe("redaction of secrets", () => {
  for (const [text, secret] of SECRETS) {
    it(`takes ${JSON.stringify(text.slice(0, 48))} out of every text and name of a turn`, () => {
      const { text: left } = clean(sayingEverywhere(text));
      assert.ok(!left.includes(JSON.stringify(secret).slice(1, -1)), left.slice(0, 2_000));
      assert.match(left, /\[redacted: [A-Za-z ]+ 1\]/);
    });
  }

  for (const text of HARMLESS) {
    it(`leaves ${JSON.stringify(text.slice(0, 48))} as it is`, () => {
      const { text: left } = clean(sayingEverywhere(text));
      assert.ok(left.includes(JSON.stringify(text).slice(1, -1)), JSON.stringify(findSecrets(text)));
    });
  }

  it("finds a secret in JSON within JSON within JSON, and one whose signs are escaped", () => {
    const secret = made("sk-", "proj-Ab12Cd34Ef56Gh78Ij90");
    const once = JSON.stringify({ env: `KEY is ${secret}` });
    const twice = JSON.stringify({ body: once });
    const split = `{"a":"${secret.replace("Cd", "\\u0043d").replace("/", "\\/")}"}`;
    const deep = JSON.stringify({ deep: split });
    const pem = JSON.stringify({ file: JSON.stringify({ key: PEM }) });
    for (const text of [once, twice, split, deep, pem]) {
      const { text: left } = clean(sayingEverywhere(text));
      assert.ok(!left.includes("34Ef56Gh78"), left.slice(0, 1_000));
      assert.ok(!left.includes("MIIEvQIB"), left.slice(0, 1_000));
    }
  });

  it("gives a secret one marker wherever it stands, also where nothing around it gives it away", () => {
    const events = turnOf((script) => {
      script.ask().reply({ content: "Your key is Zq81-xx-77 and theirs Yw22-yy-88." });
      script.call("read_env", {})({ result: "A_TOKEN=Zq81-xx-77\nB_TOKEN=Yw22-yy-88" });
      script.answered("Use Zq81-xx-77, not Yw22-yy-88.");
    });
    const { text, cleaner } = clean(events);
    assert.ok(text.includes("Your key is [redacted: access token 1] and theirs [redacted: access token 2]."));
    assert.ok(text.includes("A_TOKEN=[redacted: access token 1]\\nB_TOKEN=[redacted: access token 2]"));
    assert.ok(text.includes("Use [redacted: access token 1], not [redacted: access token 2]."));
    const [first] = cleaner.report();
    assert.equal(first?.what, "access token");
    assert.ok(first.count >= 8, String(first.count));
  });

  it("knows the keys that it is told of", () => {
    const { text } = clean(sayingEverywhere("plain-stored-key"), {}, { secrets: ["plain-stored-key"] });
    assert.ok(!text.includes("plain-stored-key"));
  });

  it("leaves a secret in where that is wanted, and the events the very same", () => {
    const events = sayingEverywhere("DB_PASSWORD=hunter2");
    assert.deepEqual(clean(events, NO_CLEANING).events, events);
    assert.equal(clean(events, NO_CLEANING).events[0], events[0]);
  });

  it("changes nothing in turns without secrets", () => {
    for (const events of [judgedTurn(), councilTurn()]) assert.deepEqual(clean(events).events, events);
  });

  it("has nothing more to take out of what it has cleaned", () => {
    for (const [text] of SECRETS) {
      const once = clean(sayingEverywhere(text)).events;
      assert.deepEqual(clean(once).events, once, text);
    }
  });

  it("finds whatever key stands in whatever text, within whatever number of escapes", () => {
    const body = fc.stringMatching(/^[A-Za-z0-9]{24,40}$/);
    const around = fc.string({ unit: "grapheme", maxLength: 40 });
    fc.assert(
      fc.property(body, around, around, fc.nat(3), (key, before, after, levels) => {
        const secret = made("sk-", key);
        let text = `${before} ${secret} ${after}`;
        for (let level = 0; level < levels; level += 1) text = JSON.stringify({ text });
        const { text: left } = clean(sayingEverywhere(text));
        assert.ok(!left.includes(key));
      }),
      { numRuns: 60, seed: 3 },
    );
  });

  it("takes a time in proportion to the text, whatever it says", () => {
    const size = 120_000;
    const parts = [
      ...[
        "a",
        "password=",
        "://:",
        "-----BEGIN PRIVATE KEY-----",
        "eyJaaaaaaaa-",
        "token token: ",
        "\\",
        "\\u0041",
      ],
      ...[
        '"',
        'password="\\',
        "sk-",
        "cookie: a",
        "authorization: basic ",
        "key1234567890abcdef ",
        "login a password ",
      ],
      ...[
        "-p",
        "<password>",
        "1/",
        "--a-",
        "x@",
        "://a:x@",
        "Private-Lines: 1\n",
        "SG.aaaaaaaaaaaaaaaa.",
        "\u{1f511}",
      ],
    ];
    for (const part of parts) {
      const text = part.repeat(Math.ceil(size / part.length)).slice(0, size);
      findSecrets(text);
    }
  });

  it("survives hostile shapes: deep nesting, names of the prototype, values that are no text", () => {
    let deep: unknown = "DB_PASSWORD=hunter2";
    for (let level = 0; level < 5_000; level += 1) deep = [deep];
    const [event] = turnOf(() => undefined);
    const hostile = JSON.parse('{"__proto__":"DB_PASSWORD=hunter2","constructor":1,"x":null}') as object;
    for (const data of [{ deep }, hostile, null, "x", 3, []]) {
      const { text } = clean([{ ...event, type: "tool.result", data } as unknown as TurnEvent]);
      assert.ok(!text.includes("hunter2"));
    }
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
});
