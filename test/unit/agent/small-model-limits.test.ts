import assert from "node:assert/strict";
import { all, answers, only, type PlayedOptions, type Reply } from "./support.ts";
import { askWith, asks, fits, knows, SMALL } from "./small-model.ts";

describe("what a small model may use: it", () => {
  it("is offered no tools that the question's form does not ask for", async () => {
    for (const question of [
      "and/or 3.5/4.0 km?",
      "What changed from v1.2/v1.3?",
      "Is Node.js older than e.g. Deno?",
      "What is 3/4 of 8?",
      "Either/or: which one?",
    ]) {
      const { requests } = await askWith([knows(true), answers("Yes.")], SMALL, { question });
      assert.deepEqual(
        requests.map(({ tools }) => tools),
        [undefined, undefined],
        question,
      );
    }
  });

  it("is offered its tools, and nothing is searched for it, where the setting has it decide", async () => {
    const { requests, searched, events } = await askWith([answers("Ines.")], SMALL, {
      memory: { recall: "model" },
    });
    assert.deepEqual(searched, []);
    const [{ tools = [] } = {}] = requests;
    assert.ok(tools.some((tool) => tool.name === "search_memory"));
    assert.equal(only(events, "tool.schema").data["conclave.recall"], "model");
  });

  for (const [question, tool, args] of [
    ["What does https://example.org/quay say?", "web_fetch", [{ url: "https://example.org/quay" }]],
    ["(see https://example.org/a?b=1#c.)", "web_fetch", [{ url: "https://example.org/a?b=1#c" }]],
    ["https://example.org/を読んで", "web_fetch", [{ url: "https://example.org/" }]],
    [
      "Compare https://example.org/a and https://example.org/b, also https://example.org/a",
      "web_fetch",
      [{ url: "https://example.org/a" }, { url: "https://example.org/b" }],
    ],
    ["Was steht in src/main.ts?", "read_file", [{ path: "src/main.ts" }]],
    ["Explain `notes.md` to me", "read_file", [{ path: "notes.md" }]],
    ["Was steht in docs/Übersicht.md?", "read_file", [{ path: "docs/Übersicht.md" }]],
  ] as const) {
    it(`is given what ${tool} reads for "${question}", and need not call it`, async () => {
      const { requests, prompts, events } = await askWith([answers("Ines.")], SMALL, { question });
      const called = all(events, "tool.request").map(({ data }) => [data.name, data.arguments]);
      assert.deepEqual(
        called,
        args.map((one) => [tool, one]),
      );
      assert.equal(requests.length, 1);
      assert.equal(requests[0]!.tools, undefined);
      assert.match(prompts[0]!, /Ines runs the harbor/);
      assert.doesNotMatch(prompts[0]!, /looked after by Ines/, "or it would be taken for what was read");
      assert.equal(only(events, "answer.dialog").data.answer, "Ines.");
    });
  }

  it("can't go on for long where a sentence or two are asked for, as it can where it answers by itself or thinks", async () => {
    const plain: PlayedOptions = { ...SMALL, capabilities: ["completion"] };
    const told = [knows(false), fits(true), answers("Ines.")];
    const longest = async (replies: readonly Reply[], options: PlayedOptions, question?: string) => {
      const { requests } = await askWith(replies, options, { ...(question && { question }) });
      return requests.at(-1)!.maxTokens;
    };
    assert.ok((await longest(told, plain)) <= 512);
    assert.ok((await longest([asks(false), answers("Noted.")], plain, "Ben has the parser now.")) <= 512);
    assert.equal(await longest([knows(true), answers("Code.")], plain), 8_192);
    assert.equal(await longest(told, SMALL), 8_192);
  });
});
