import assert from "node:assert/strict";
import type { AnyHit } from "../../../src/agent/memory/port.ts";
import type { ForgetPreview } from "../../../src/agent/memory/types.ts";
import { ANSWER_TIME_MS, forgetMemory } from "../../../src/tools/forget-memory.ts";
import type { ConfirmQuestion } from "../../../src/tools/memory-access.ts";
import { contextOf, textOf } from "../../support/web/tools.ts";
import { FakeMemory, NONE } from "./fake-memory.ts";

const ANNA: ForgetPreview = {
  counts: { ...NONE, episodes: 3, facts: 1 },
  samples: [
    { table: "episodes", text: "Anna called about the boat" },
    { table: "facts", text: "Anna lives in Oslo" },
  ],
};

describe("forget_memory", () => {
  let memory: FakeMemory;
  let asked: ConfirmQuestion[];

  function tool(answer: boolean | Promise<boolean> | undefined) {
    return forgetMemory({
      memory,
      timeoutMs: () => 120_000,
      now: () => 0,
      confirm:
        answer === undefined
          ? undefined
          : (question) => {
              asked.push(question);
              return Promise.resolve(answer);
            },
    });
  }

  beforeEach(() => {
    memory = new FakeMemory();
    asked = [];
    memory.preview = (what) =>
      what.by === "about" && what.about === "Anna" ? ANNA : { counts: NONE, samples: [] };
    memory.gone = { removed: 4, counts: ANNA.counts, turns: [{ sessionId: "s", turnId: "t" }] };
  });

  it("names what would go, waits for the user's yes, and only then removes it", async () => {
    const outcome = await tool(true).run({ query: "Anna" }, contextOf());
    assert.deepEqual(asked, [
      {
        title: 'Forget what is remembered of "Anna"?',
        detail:
          "This removes 3 turns and 1 fact, from the disk too. It can't be undone.\n- Anna called about the boat\n- Anna lives in Oslo\n- and 2 more",
        yes: "Forget",
      },
    ]);
    assert.deepEqual(memory.forgotten, [{ by: "about", about: "Anna" }]);
    assert.equal(textOf(outcome), "Forgotten: 3 turns and 1 fact.");
  });

  it("leaves no word of what was forgotten in the trace", async () => {
    const outcome = await tool(true).run({ query: "Anna" }, contextOf());
    assert.doesNotMatch(JSON.stringify(outcome), /boat|Oslo/);
  });

  it("removes nothing when the user says no, or can't be asked", async () => {
    assert.equal(
      textOf(await tool(false).run({ query: "Anna" }, contextOf())),
      "The user declined. Nothing was forgotten.",
    );
    const broken = tool(Promise.reject(new Error("no window")));
    assert.match(textOf(await broken.run({ query: "Anna" }, contextOf())), /Nothing was forgotten/);
    assert.deepEqual(memory.forgotten, []);
  });

  it("only proposes where nobody can be asked, and says how the user can do it", async () => {
    const outcome = await tool(undefined).run({ query: "Anna" }, contextOf());
    assert.match(textOf(outcome), /^Nothing was forgotten yet\. This would go: 3 turns and 1 fact\./);
    assert.match(textOf(outcome), /Only the user can do it: by \/forget Anna in the chat/);
    assert.deepEqual(memory.forgotten, []);
  });

  it("stops at once when the turn is stopped, and takes no late yes", async () => {
    let yes: (answer: boolean) => void = () => undefined;
    const answer = new Promise<boolean>((resolve) => (yes = resolve));
    const stop = new AbortController();
    const running = tool(answer).run({ query: "Anna" }, contextOf(stop.signal));
    while (asked.length === 0) await Promise.resolve();
    stop.abort();
    const outcome = await running;
    yes(true);
    await answer;
    assert.equal(!outcome.ok && outcome.failure.code, "cancelled");
    assert.deepEqual(memory.forgotten, []);
  });

  it("gives the user minutes to think, where there is somebody to ask", () => {
    assert.equal(tool(true).timeoutMs, 120_000 + ANSWER_TIME_MS);
    assert.equal(tool(undefined).timeoutMs, 120_000);
    assert.ok(ANSWER_TIME_MS >= 5 * 60_000);
  });

  it("understands what models say for it", async () => {
    for (const query of [
      "everything about Anna",
      "Forget about Anna.",
      'all of "Anna"',
      "what you know about Anna",
    ]) {
      await tool(false).run({ query }, contextOf());
      assert.deepEqual(memory.previewed.at(-1), { by: "about", about: "Anna" }, query);
    }
  });

  it("falls back on what a search surely finds, each kind by its ids", async () => {
    const hit = (type: AnyHit["type"], id: string, score: number): AnyHit => ({
      type,
      id,
      score,
      text: id,
      time: 0,
    });
    memory.all = [
      hit("fact", "f1", 0.9),
      hit("moment", "m1", 0.8),
      hit("episode", "e1", 0.7),
      hit("fact", "f2", 0.2),
    ];
    memory.preview = (what) =>
      what.by === "ids" ? { counts: { ...NONE, facts: 1 }, samples: [] } : { counts: NONE, samples: [] };
    await tool(true).run({ query: "the thing with the boat" }, contextOf());
    assert.deepEqual(memory.forgotten, [
      { by: "ids", table: "episodes", ids: ["e1"] },
      { by: "ids", table: "facts", ids: ["f1"] },
      { by: "ids", table: "moments", ids: ["m1"] },
    ]);
  });

  it("asks nobody when there is nothing to forget", async () => {
    assert.equal(textOf(await tool(true).run({ query: "Zoe" }, contextOf())), "Nothing is remembered of it.");
    assert.deepEqual(asked, []);
  });

  it("keeps to the user's scopes", async () => {
    const scoped = forgetMemory({ memory, timeoutMs: () => 1, now: () => 0, scopes: () => ["w1"] });
    await scoped.run({ query: "Anna" }, contextOf());
    assert.deepEqual(memory.previewed[0], { by: "about", about: "Anna", scopes: ["w1"] });
  });
});
