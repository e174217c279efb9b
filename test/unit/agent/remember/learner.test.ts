import assert from "node:assert/strict";
import type { ChatChunk } from "../../../../src/agent/models/types.ts";
import { answers, ask, broken, end, hangs, say, start, type Reply } from "../support.ts";
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

describe("a model that reads for memory", () => {
  it("reads one turn of an agent in ten seconds; the others wait and are read in their order", async () => {
    const { engine, helper, clock, learned } = bed({ helper: [LIKES_TEA] });
    const asked: string[] = [];
    for (const said of ["I like tea.", "I like cake.", "I like jam."]) {
      asked.push((await ask(engine, said)).end.turnId);
      await settle();
    }
    assert.equal(helper!.requests.length, 1);
    await clock.tickAsync(9_999);
    assert.equal(helper!.requests.length, 1);
    await clock.tickAsync(1);
    await settle();
    assert.equal(helper!.requests.length, 2);
    await clock.tickAsync(10_000);
    await settle();
    assert.deepEqual(
      learned.map(({ turnId, data }) => [turnId, data["conclave.by"]]),
      asked.map((turnId) => [turnId, "model"]),
    );
    await engine.dispose();
    assert.equal(clock.countTimers(), 0);
  });

  it("gives way to the next question at once, and reads the turn after it", async () => {
    const { engine, helper, chat, clock, learnt } = bed({ helper: [hangs(), LIKES_TEA] });
    await ask(engine, "I like tea.");
    await settle();
    assert.equal(helper!.requests.length, 1);
    // One request at a time: this one would wait for ever if the reading kept its place.
    await ask(engine, "hi");
    assert.equal(chat.requests.length, 2);
    await settle();
    await clock.tickAsync(10_000);
    await settle();
    assert.equal(helper!.requests.length, 2);
    assert.deepEqual(
      learnt.map(({ said, by }) => [said, by]),
      [["I like tea.", "model"]],
    );
    await engine.dispose();
  });

  it("does not begin while a question is being answered", async () => {
    const { engine, helper } = bed({ chat: [answers("x"), hangs(say("I"))], helper: [LIKES_TEA] });
    const running = ask(engine, "I like tea.");
    const turn = await start(engine, "Tell me more.");
    await running;
    await settle();
    const asked = helper!.requests.length;
    turn.cancel();
    await turn.done;
    await settle();
    assert.deepEqual([asked, helper!.requests.length], [0, 1]);
    await engine.dispose();
  });

  it("that never gets to it is replaced by rules, so that nothing is lost", async () => {
    const { engine, clock, learnt, learned } = bed({ helper: [hangs()] });
    await ask(engine, "I like tea.");
    for (let question = 0; question < 3; question += 1) {
      await settle();
      await ask(engine, "hi");
      await settle();
      await clock.tickAsync(10_000);
    }
    await settle();
    assert.deepEqual(
      learnt.map(({ said, by }) => [said, by]),
      [["I like tea.", "rules"]],
    );
    assert.ok(learned.some(({ data }) => /new questions/.test(data["conclave.skipped"] ?? "")));
    await engine.dispose();
  });

  it("is given up after a minute", async () => {
    const { engine, clock, learned } = bed({ helper: [hangs()] });
    await ask(engine, "I like tea.");
    await settle();
    await clock.tickAsync(60_000);
    await settle();
    assert.match(learned[0]!.data["conclave.skipped"]!, /longer than 60 s/);
    assert.equal(learned[0]!.data["conclave.by"], "rules");
    await engine.dispose();
  });

  it("is not tried with every turn when it always takes too long: ever less often, and it is said", async () => {
    const { engine, helper, clock, learned } = bed({ helper: [hangs()] });
    const turn = async (): Promise<string | undefined> => {
      await ask(engine, "I like tea.");
      await settle();
      if (learned.length === told) await clock.tickAsync(60_000);
      await settle();
      told = learned.length;
      return learned.at(-1)!.data["conclave.skipped"];
    };
    let told = 0;
    const asked: number[] = [];
    for (let minute = 0; minute < 40; minute += 1) {
      assert.match((await turn())!, /took longer than 60 s|took too long; it is tried again in \d+ s/);
      asked.push(helper!.requests.length);
      await clock.tickAsync(60_000);
    }
    // Rests of 1, 2, 4, 8, 10, 10 ... minutes, where it was asked 40 times before.
    assert.ok(asked.at(-1)! <= 8, String(asked.at(-1)));
    assert.ok(asked.at(-1)! > asked[20]!, "it is never given up for good");
    await engine.dispose();
    assert.equal(clock.countTimers(), 0);
  });

  it("is asked again as before once it has answered in time", async () => {
    const { engine, helper, clock, learned } = bed({ helper: [hangs(), LIKES_TEA] });
    await ask(engine, "I like tea.");
    await settle();
    await clock.tickAsync(60_000);
    await settle();
    for (let turn = 0; turn < 3; turn += 1) {
      await clock.tickAsync(60_000);
      await ask(engine, "I like tea.");
      await settle();
    }
    assert.equal(helper!.requests.length, 4);
    assert.equal(learned.at(-1)!.data["conclave.by"], "model");
    await engine.dispose();
  });

  it("leaves a backlog of bounded length; the oldest are read by rules", async () => {
    const { engine, learnt } = bed({ helper: [LIKES_TEA] });
    for (let at = 0; at < 30; at += 1) {
      await ask(engine, `I like tea number ${at}.`);
      await settle();
    }
    assert.equal(learnt.length, 10);
    assert.deepEqual([...new Set(learnt.slice(1).map(({ by }) => by))], ["rules"]);
    await engine.dispose();
    assert.equal(learnt.length, 30);
  });

  it("does not hold up the end: what waits is then read by rules", async () => {
    const { engine, clock, learnt } = bed({ helper: [hangs()] });
    await ask(engine, "I like tea.");
    await settle();
    await engine.dispose();
    assert.deepEqual(
      learnt.map(({ by }) => by),
      ["rules"],
    );
    assert.equal(clock.countTimers(), 0);
  });

  it("is not asked when the settings say rules, or not to learn", async () => {
    for (const learning of ["rules", "off"] as const) {
      const { engine, helper, learnt, notes } = bed({ helper: [LIKES_TEA], memorySettings: { learning } });
      await ask(engine, "I love tea, thank you, that was great!");
      await settle();
      assert.deepEqual([helper!.requests.length, learnt.length], [0, learning === "rules" ? 1 : 0]);
      assert.deepEqual(
        notes.map(({ kind, value }) => [kind, value]),
        [["sentiment", "positive"]],
        "the mood is told by rules whoever reads",
      );
      await engine.dispose();
    }
  });
});
