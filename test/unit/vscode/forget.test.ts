import assert from "node:assert/strict";
import { failed, success } from "../../../src/agent/failure.ts";
import type { ForgetPreview, ForgetWhat, Forgotten } from "../../../src/agent/memory/types.ts";
import type { BurialOf } from "../../../src/trace/burial.ts";
import type { MentioningTurn } from "../../../src/trace/mentions.ts";
import {
  forget,
  forgetEverywhere,
  previewForget,
  type ForgetParts,
} from "../../../src/vscode/memory/forget.ts";

const { signal } = new AbortController();
const none = { episodes: 0, facts: 0, people: 0, relationships: 0, resources: 0 };
const about: ForgetWhat = { by: "about", about: "Zanzibar" };

function parts(mentions: readonly MentioningTurn[] = [], episodes = 1) {
  const calls: string[] = [];
  const buried: BurialOf[] = [];
  const preview: ForgetPreview = {
    counts: { ...none, episodes },
    samples: episodes === 0 ? [] : [{ table: "episodes", text: "Where is Zanzibar?" }],
  };
  const turns = episodes === 0 ? [] : [{ sessionId: "s1", turnId: "t1" }];
  const gone: Forgotten = { removed: episodes, counts: preview.counts, turns };
  const made: ForgetParts = {
    memory: {
      previewForget: () => Promise.resolve(success(preview)),
      forget: () => {
        calls.push("memory");
        return Promise.resolve(success(gone));
      },
    },
    log: {
      mentions: () => Promise.resolve(success(mentions)),
      bury: (what) => {
        calls.push("log");
        buried.push(what);
        return Promise.resolve(success({ turns: what.turns.length }));
      },
    },
    now: () => 7,
  };
  return { parts: made, calls, buried };
}

const failedTurn: MentioningTurn = {
  ...{ sessionId: "s2", turnId: "t2", question: "Zanzibar, quick!", remembered: false },
};
const known: MentioningTurn = { ...failedTurn, turnId: "t3", question: "Elsewhere", remembered: true };

describe("forgetting", () => {
  it("takes from memory first, then from the traces, the turns of both", async () => {
    const made = parts([failedTurn, known]);
    const done = await forgetEverywhere(made.parts, about, signal);
    assert.ok(done.ok);
    assert.deepEqual(made.calls, ["memory", "log"]);
    const [buried] = made.buried;
    assert.ok(buried);
    assert.deepEqual(
      buried.turns.map(({ turnId }) => turnId),
      ["t1", "t2", "t3"],
    );
    assert.deepEqual(buried.about, { words: "Zanzibar", everywhere: true });
    assert.equal(buried.time, 7);
  });

  it("leaves other folders' turns alone when it is for one folder", async () => {
    const made = parts([failedTurn, known]);
    await forgetEverywhere(made.parts, { ...about, scopes: ["boat", ""] }, signal);
    const [buried] = made.buried;
    assert.ok(buried);
    assert.deepEqual(
      buried.turns.map(({ turnId }) => turnId),
      ["t1", "t2"],
    );
    assert.equal(buried.about?.everywhere, false);
  });

  it("tells the traces which memories went by their ids", async () => {
    const made = parts();
    await forgetEverywhere(made.parts, { by: "ids", table: "facts", ids: ["f1"] }, signal);
    assert.deepEqual([made.buried[0]?.memoryIds, made.buried[0]?.about], [["f1"], undefined]);
  });

  it("says so when memory has forgotten and a trace could not be written", async () => {
    const made = parts();
    const log = { ...made.parts.log, bury: () => Promise.resolve(failed("internal", "The disk is full.")) };
    const done = await forgetEverywhere({ ...made.parts, log }, about, signal);
    assert.match(done.ok ? "" : done.failure.message, /still holds it\. The disk is full\./);
    assert.equal(done.ok ? "" : done.failure.action, "retry");
  });

  it("leaves the traces as they are when memory refuses", async () => {
    const made = parts();
    const memory = {
      ...made.parts.memory,
      forget: () => Promise.resolve(failed("memory_unavailable", "Off.")),
    };
    assert.equal((await forgetEverywhere({ ...made.parts, memory }, about, signal)).ok, false);
    assert.deepEqual(made.buried, []);
  });

  it("counts turns that only the trace holds in what it says would go", async () => {
    const made = parts([failedTurn, known]);
    const preview = await previewForget(made.parts, about, signal);
    assert.ok(preview.ok);
    assert.equal(preview.value.counts.episodes, 2);
    assert.deepEqual(
      preview.value.samples.map(({ text }) => text),
      ["Where is Zanzibar?", "Zanzibar, quick!"],
    );
  });
});

describe("the question before it", () => {
  it("names what goes; on no nothing goes", async () => {
    const { memory } = parts().parts;
    const asked: string[] = [];
    const say = (answer: boolean) => (question: { readonly detail: string }) => {
      asked.push(question.detail);
      return Promise.resolve(answer);
    };
    const refused = await forget(memory, about, signal, say(false));
    assert.equal(refused.ok ? "" : refused.failure.code, "cancelled");
    const agreed = await forget(memory, about, signal, say(true));
    assert.equal(agreed.ok && agreed.value.removed, 1);
    assert.ok(asked.every((detail) => detail.includes("Where is Zanzibar?")));
  });

  it("is not put when there is nothing to forget", async () => {
    const made = parts([], 0);
    const done = await forget(made.parts.memory, about, signal, () => assert.fail("asked for nothing"));
    assert.equal(done.ok && done.value.removed, 0);
    assert.deepEqual(made.calls, []);
  });
});
