import assert from "node:assert/strict";
import fc from "fast-check";
import { failedAttempts, identifiersOf, isCorrection, isNamed } from "../../../../src/agent/budget/pins.ts";
import { pin, pinnedIn, summaryInstruction, summaryText } from "../../../../src/agent/budget/summary-text.ts";
import { textTokens } from "../../../../src/agent/context.ts";
import type { ChatMessage } from "../../../../src/agent/models/types.ts";

const user = (content: string): ChatMessage => ({ role: "user", content });
const assistant = (content: string): ChatMessage => ({ role: "assistant", content });

describe("the user's corrections", () => {
  for (const text of [
    "No, I meant the staging server.",
    "no - the other file",
    "That's wrong, the port is 8081.",
    "Actually, use pnpm.",
    "I said Tuesday, not Thursday",
    "You misunderstood: both tests must pass.",
    "Please don't use a global for that.",
    "Wait, not main.ts but server.ts",
    "That is not what I asked.",
    "Nein, ich meinte den anderen Server.",
    "Non, je voulais dire demain.",
    "En realidad es el puerto 8081.",
    "Нет, я имел в виду другое.",
    "不对，我的意思是第二个。",
  ]) {
    it(`are known in "${text}"`, () => assert.ok(isCorrection(text)));
  }

  for (const text of [
    "How do I start the server?",
    "Thanks, that works now.",
    "Show me the notes of Monday.",
    "Is there a notebook API in Node?",
    "Wie starte ich den Server?",
  ]) {
    it(`are not seen in "${text}"`, () => assert.ok(!isCorrection(text)));
  }
});

describe("what a summary must not lose", () => {
  it("are paths, names, numbers and error texts, those of the user first", () => {
    const names = identifiersOf([
      user("src/server/main.ts fails with TypeError: x is undefined at 14:10, see https://example.org/a?b=1"),
      assistant(
        "The function `loadConfig` in config.json reads DB_URL; version 2.4.1 of fastify is at fault.",
      ),
    ]);
    for (const name of [
      "src/server/main.ts",
      "TypeError: x is undefined at 14:10, see https://example",
      "14:10",
      "loadConfig",
      "config.json",
      "DB_URL",
      "2.4.1",
    ]) {
      assert.ok(
        names.some((found) => found.includes(name)),
        `${name} in ${names.join(" | ")}`,
      );
    }
  });

  it("are calls that failed, with what they said, and questions that got no answer", () => {
    const failures = failedAttempts([
      user("What does the page say?"),
      {
        role: "assistant",
        content: "",
        toolCalls: [{ id: "1", name: "web_fetch", arguments: { url: "https://example.org" } }],
      },
      {
        role: "tool",
        toolName: "web_fetch",
        toolCallId: "1",
        content: "[error] web_fetch: it answered 404 (not found).",
      },
      assistant("[No answer was given in this turn: it failed.]"),
    ]);
    assert.equal(failures.length, 2);
    assert.match(failures[0]!, /web_fetch.*example\.org.*404/);
    assert.match(failures[1]!, /What does the page say\?/);
  });

  it("is found as a whole, not as a part of something longer", () => {
    assert.ok(isNamed("main.ts", "see src/main.ts."));
    assert.ok(!isNamed("42", "there are 1420 of them"));
    assert.ok(isNamed("42", "there are 42 of them"));
  });

  it("stands beside what the model wrote where the model left it out, and only there", () => {
    const pinned = pin([
      [user("Move port 8081 in deploy/app.yaml to 9090"), assistant("Done.")],
      [user("No, I meant the staging file."), assistant("Sorry.")],
    ]);
    const text = summaryText("The user moves the port in deploy/app.yaml.", pinned, 2, 1_000);
    assert.match(text, /The first question:\n- Move port 8081 in deploy\/app\.yaml to 9090/);
    assert.match(text, /corrections, which hold:\n- No, I meant the staging file\./);
    assert.equal(text.split("deploy/app.yaml").length, 3, "once by the model, once in the first question");
    const pinnedOnly = pin([[user("Look at it."), assistant("`retryLimit` is 7 in conf/limits.toml")]]);
    const added = summaryText("Something was looked at.", pinnedOnly, 1, 1_000);
    assert.match(added, /Also named: .*retryLimit/);
    assert.match(added, /conf\/limits\.toml/);
  });

  it("goes on being kept by the next summary", () => {
    const first = pin([[user("Fix login in src/auth.ts"), assistant("ok")], [user("No, I meant logout.")]]);
    const text = summaryText("They fix it.", first, 2, 1_000);
    const again = pin([[user("And now the tests"), assistant("ok")]], pinnedIn(text));
    const next = summaryText("They go on.", again, 3, 1_000);
    assert.match(next, /Fix login in src\/auth\.ts/);
    assert.match(next, /No, I meant logout\./);
  });

  it("never makes the summary longer than its room, whatever was said", () => {
    const said = fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.lorem()), { maxLength: 8 });
    fc.assert(
      fc.property(
        said,
        fc.string({ unit: "grapheme", maxLength: 3_000 }),
        fc.integer({ min: 160, max: 1_500 }),
        (texts, written, room) => {
          const pinned = pin([texts.flatMap((text) => [user(text), assistant(text)])]);
          const summary = summaryText(written, pinned, texts.length, room);
          assert.ok(textTokens(summary) <= room + 40, `${textTokens(summary)} of ${room}`);
          assert.ok(summary.isWellFormed());
          assert.equal(summaryInstruction(pinned, 100).role, "user");
        },
      ),
    );
  });

  it("is found in time in hostile text", () => {
    for (const unit of ["a.", "a-", "1-", "A_", "/a", "aB", '"', "`", "@-", "aError"]) {
      identifiersOf([user(unit.repeat(10_000))]);
      isCorrection(unit.repeat(10_000));
    }
  });
});
