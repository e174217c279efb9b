import assert from "node:assert/strict";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { clean } from "./support/clean.ts";
import { sayingEverywhere, turnOf } from "./support/turns.ts";

describe("what is left out on demand", () => {
  const file = [
    "export const retryLimit = computeRetryLimit(environment);",
    "}",
    "export const backoffTable = buildBackoffTable(retryLimit);",
  ].join("\n");

  function withFile(): TurnEvent[] {
    const events = turnOf((script) => {
      const numbered = file
        .split("\n")
        .map((line, at) => `${at + 1}  ${line}`)
        .join("\n");
      script.ask([
        { role: "user", content: `Attached to the question:\n\na.ts\n\`\`\`\n${file}\n\`\`\`\n\nWhy?` },
      ]);
      script.call("read_file", { path: "a.ts" })({
        result: numbered,
        details: { summary: "a.ts, lines 1-3 of 3", data: { path: "a.ts" } },
      });
      script.ask([
        { role: "user", content: "Why?" },
        { role: "tool", toolName: "read_file", toolCallId: "c", content: numbered },
      ]);
      script.reply({ thinking: "It reads backoffTable.", content: "" });
      script.answered(`Because of \`export const backoffTable = buildBackoffTable(retryLimit);\`, I think.`);
    });
    const asked = events.find((event) => event.type === "query.received");
    assert.ok(asked);
    const references = [{ label: "a.ts", uri: "file:///home/ada/a.ts", text: file }];
    return events.map((event) =>
      event === asked ? { ...event, data: { ...asked.data, references } } : event,
    );
  }

  it("file contents go from attachments, tools' results, prompts, and where their lines are told again", () => {
    const { text, cleaner } = clean(withFile(), { files: true });
    assert.ok(!text.includes("computeRetryLimit"));
    assert.ok(!text.includes("buildBackoffTable"));
    assert.ok(text.includes("Because of `[left out: file contents]`, I think."), text);
    assert.ok(text.includes("a.ts, lines 1-3 of 3"));
    assert.ok(cleaner.report().some(({ what, count }) => what === "file contents" && count >= 4));
  });

  it("a line that was cut in a prompt goes as well", () => {
    const long = `const data = ${"0123456789abcdef".repeat(40)};`;
    const events = turnOf((script) => {
      script.call("read_file", { path: "b.ts" })({ result: long });
      script.ask([{ role: "user", content: `b.ts (the first 300 characters)\n${long.slice(0, 300)}` }]);
    });
    assert.ok(!clean(events, { files: true }).text.includes("0123456789abcdef"));
  });

  it("memory goes from cards, searches, prompts, what was learnt, and sources", () => {
    const told = "The user moved to Oban in the spring of last year.";
    const events = turnOf((script) => {
      const { emitter, turnId } = script;
      emitter.emit(
        "memory.card",
        { parentId: turnId },
        { text: told, tokens: 9, parts: [{ kind: "fact", text: told, id: "f1" }] },
      );
      script.ask([{ role: "user", content: `Known of the user:\n- ${told}\n\nWhere?` }]);
      script.call("search_memory", { query: "home" })({
        result: told,
        details: { summary: "1 of 4", data: { hits: [{ answer: told }] } },
      });
      script.call("save_memory", { text: `Remember: ${told}` })({ result: "Saved." });
      script.answered("In Oban.");
    });
    const { text } = clean(events, { memory: true });
    assert.ok(!text.includes("spring of last year"), text);
    assert.ok(text.includes("1 of 4") && text.includes("In Oban."));
  });

  it("thinking goes from replies, prompts and what an agent came to", () => {
    const events = turnOf((script) => {
      script.ask([{ role: "assistant", content: "x", thinking: "a secret plan" }]);
      script.reply({ thinking: "a secret plan", content: "Done." }).answered("Done.", "a secret plan");
    });
    const { text, cleaner } = clean(events, { thinking: true });
    assert.ok(!text.includes("a secret plan"));
    assert.deepEqual(cleaner.report(), [{ what: "thinking", count: 3 }]);
  });

  it("home folders go from paths and addresses, however they are written", () => {
    const paths = [
      ...["/home/ada/a.ts", "/Users/ada/x", "C:\\Users\\ada\\x", "C:\\\\Users\\\\ada\\\\x", "c:/Users/ada/x"],
      ...[
        "file:///home/ada/x",
        "file:///c%3A/Users/ada/x",
        "/srv/people/ada/x",
        "vscode-remote://ssh+x/home/ada/x",
      ],
    ];
    for (const path of paths) {
      const { text } = clean(
        sayingEverywhere(`see ${path} now`),
        { home: true },
        { home: "/srv/people/ada" },
      );
      assert.ok(!/\bada\b/.test(text), `${path}: ${text.slice(0, 900)}`);
      assert.ok(text.includes("~"));
    }
    const other = "/homework/ada and /srv/people/adam";
    assert.ok(
      clean(sayingEverywhere(other), { home: true }, { home: "/srv/people/ada" }).text.includes(other),
    );
  });
});
