import assert from "node:assert/strict";
import { answers, ask, hangs, say, start } from "../support.ts";
import { bed, extraction, fact, settle } from "./bed.ts";

const LIKES_TEA = answers(
  extraction({ facts: [fact("I like tea", "The user likes tea.", { kind: "preference" })] }),
);

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

  it("does not read where it is known to be too small: rules do, and it is said", async () => {
    const { engine, helper, learned } = bed({ helper: [LIKES_TEA], helperParameters: 1.5e9 });
    await ask(engine, "I like tea.");
    await settle();
    assert.equal(helper!.requests.length, 0);
    assert.equal(learned[0]!.data["conclave.by"], "rules");
    assert.match(learned[0]!.data["conclave.skipped"]!, /helper is too small/);
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
