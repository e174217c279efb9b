import assert from "node:assert/strict";
import type { ChatChunk } from "../../../../src/agent/models/types.ts";
import { answers, ask, broken, end, say, type Reply } from "../support.ts";
import { bed, extraction, fact, settle } from "./bed.ts";

const LIKES_TEA = answers(
  extraction({ facts: [fact("I like tea", "The user likes tea.", { kind: "preference" })] }),
);

describe("what a turn teaches", () => {
  it("is read by the helper model from the user's own words, and handed to memory", async () => {
    const { engine, helper, learnt, learned } = bed({ helper: [LIKES_TEA] });
    const { end: last } = await ask(engine, "I like tea. What goes with it?");
    await settle();
    const [{ facts, said, source, by }] = learnt as [(typeof learnt)[0]];
    assert.deepEqual(
      facts.map(({ text, quote, owner }) => [text, quote, owner]),
      [["The user likes tea.", "I like tea", "user"]],
    );
    assert.deepEqual([said, by, source.turnId], ["I like tea. What goes with it?", "model", last.turnId]);
    assert.equal(learned[0]!.data["conclave.extracted"], 1);
    assert.equal(learned[0]!.data["gen_ai.request.model"], "helper");
    const [request] = helper!.requests;
    assert.ok(request!.format !== undefined && request!.think === false && request!.temperature === 0);
    await engine.dispose();
  });

  it("is read by the chat model when no helper is set, with the same runner options: nothing is loaded anew", async () => {
    const { engine, chat, learnt } = bed({
      chat: [answers("Forty-two."), LIKES_TEA],
      settings: { helperModel: "", contextLength: 8_192, keepAlive: "5m" },
    });
    await ask(engine, "I like tea.");
    await settle();
    const [asked, read] = chat.requests;
    assert.deepEqual(read!.runner, asked!.runner);
    assert.equal(learnt.length, 1);
    await engine.dispose();
  });

  it("never comes from the answer, the conversation, tools or attached files: the reader is not even shown them", async () => {
    const { engine, helper } = bed({ chat: [answers("You are a marine biologist.")], helper: [LIKES_TEA] });
    const references = [{ label: "cv.md", uri: "file:///cv.md", text: "I am a pilot." }];
    const { sessionId } = await ask(engine, "I like tea.\n> I am a king.", { references });
    await settle();
    await ask(engine, "hi", { sessionId });
    const shown = JSON.stringify(helper!.requests.map(({ messages }) => messages));
    assert.match(shown, /I like tea/);
    assert.doesNotMatch(shown, /biologist|pilot|king/);
    await engine.dispose();
  });

  it("is nothing for small talk: no model is asked, and it is said", async () => {
    const { engine, helper, learnt, learned } = bed({ helper: [LIKES_TEA] });
    for (const said of ["hi", "ok thanks", "can you make that shorter?", "run it again"]) {
      await ask(engine, said);
      await settle();
    }
    assert.deepEqual([helper!.requests, learnt], [[], []]);
    assert.deepEqual(
      learned.map(({ data }) => data["conclave.skipped"]),
      Array(4).fill("small talk"),
    );
    await engine.dispose();
  });

  it("leaves out what the user did not say, with the reason", async () => {
    const junk = extraction({
      facts: [
        fact("I write code", "The user is a marine biologist."),
        fact("Vera, marine biologist", "The user is a marine biologist."),
        fact("", "The user prefers a formal tone."),
        fact("I write code in Rust", "The user writes code in Rust."),
      ],
    });
    const { engine, learnt, learned } = bed({ helper: [answers(junk)] });
    await ask(engine, "I write code in Rust. How do I sort a list?");
    await settle();
    assert.deepEqual(
      learnt[0]!.facts.map(({ text }) => text),
      ["The user writes code in Rust."],
    );
    const reasons = learned[0]!.data["conclave.learned"]!.rejected.map(({ reason }) => reason);
    assert.deepEqual(reasons, ["it says more than the user did", "its words are not in what the user said"]);
    await engine.dispose();
  });

  const USELESS: readonly (readonly [string, readonly Reply[] | undefined])[] = [
    ["there is no such model", undefined],
    ["it fails", [[broken("server_error", "The server broke.")]]],
    ["it talks instead", [answers("Sure! Here is what I found: nothing.")]],
    ["it answers something else", [answers('{"name":"x"}')]],
    ["its answer is cut", [[say(extraction()), end("length")] as readonly ChatChunk[]]],
    [
      "its client throws",
      [
        () => {
          throw new Error("died");
        },
      ],
    ],
  ];
  for (const [what, helper] of USELESS) {
    it(`is read by rules when ${what}`, async () => {
      const { engine, learnt, learned } = bed(helper ? { helper } : {});
      await ask(engine, "I like tea.");
      await settle();
      assert.deepEqual(
        learnt[0]!.facts.map(({ text }) => text),
        ["The user likes tea."],
      );
      assert.equal(learnt[0]!.by, "rules");
      assert.notEqual(learned[0]!.data["conclave.skipped"] ?? "", "");
      await engine.dispose();
    });
  }

  it("is kept in bounds, however much a model makes of it", async () => {
    const facts = Array.from({ length: 500 }, () => fact("I like tea", "The user likes tea."));
    const { engine, learnt } = bed({
      helper: [answers(extraction({ facts: [...facts, 7, null, { quote: "x".repeat(10_000) }] }))],
    });
    await ask(engine, "I like tea.");
    await settle();
    assert.ok(learnt[0]!.facts.length <= 8);
    await engine.dispose();
  });

  it("is told of as a failure when memory has none of it", async () => {
    const { engine, learned } = bed({
      helper: [LIKES_TEA],
      memory: { learn: () => Promise.reject(new Error("died")) },
    });
    await ask(engine, "I like tea.");
    await settle();
    assert.equal(learned[0]!.data.error?.code, "memory_unavailable");
    await engine.dispose();
  });

  it("classifies the turn too: sentiment always, intent and names when a model read it", async () => {
    const read = extraction({
      intent: "preference",
      sentiment: "positive",
      entities: [{ name: "Assam", type: "thing" }],
    });
    const { engine, notes, added } = bed({ helper: [answers(read)] });
    await ask(engine, "I like tea from Assam.");
    await settle();
    await ask(engine, "thanks");
    await settle();
    assert.deepEqual(
      notes.map(({ kind, value, episodeId, by }) => [kind, value, episodeId, by]),
      [
        ["sentiment", "positive", added[0]!.id, "classifier"],
        ["class", { intent: "preference", entities: ["Assam"] }, added[0]!.id, "classifier"],
        ["sentiment", "positive", added[1]!.id, "classifier"],
      ],
    );
    await engine.dispose();
  });
});
