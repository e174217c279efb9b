import assert from "node:assert/strict";
import fc from "fast-check";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import type { Annotation } from "../../../../src/agent/memory/port.ts";
import {
  agent,
  bed,
  begins,
  corrected,
  EPISODE,
  EPISODE_B,
  event,
  feedback,
  grade,
  ingested,
  TURN,
  verdict,
} from "./bed.ts";

const SHADOW = "b".repeat(16);
const PERSONA = "c".repeat(16);

/** Respondent B answered too, and is remembered. */
function shadowed(): readonly TurnEvent[] {
  return [
    event("agent.start", agent("other", "big", "shadow"), { id: SHADOW, respondent: "B", agent: "other" }),
    event(
      "shadow.answer",
      {
        ...{ answer: "Yes.", outcome: "answered", "gen_ai.request.model": "big", "conclave.duration_ms": 1 },
        "conclave.episode_ids": [EPISODE_B],
      },
      { respondent: "B", agent: "other" },
    ),
  ];
}

describe("What is said of an answer, on the episode that holds it", () => {
  it("is a critic's grade, the latest one", async () => {
    const { hear, notes } = bed();
    await hear(...begins(), ingested(), grade(2), grade(4));
    assert.deepEqual(notes(), { score: 4, scoreBy: "critic" });
  });

  it("is never a grade that was not given: what there was stays, and nothing comes of nothing", async () => {
    const { hear, notes } = bed();
    await hear(...begins(), ingested(), grade(null));
    assert.deepEqual(notes(), {});
    await hear(grade(4), grade(null));
    assert.deepEqual(notes(), { score: 4, scoreBy: "critic" });
  });

  it("is a person's grade over any critic's, also when the critic grades again; null takes the grade away", async () => {
    const { hear, notes } = bed();
    await hear(...begins(), ingested(), grade(5), corrected(1), grade(5));
    assert.deepEqual(notes(), { score: 1, scoreBy: "user" });
    await hear(corrected(null), grade(4));
    assert.deepEqual(notes(), {});
  });

  it("is thumbs, and what they are worth; taken back, nothing is left of them", async () => {
    const { hear, notes } = bed();
    await hear(...begins(), ingested(), feedback("down"));
    assert.deepEqual(notes(), { feedback: "down", reward: -1, rewardFor: "thumbed down" });
    await hear(feedback("up"));
    assert.deepEqual(notes(), { feedback: "up", reward: 1, rewardFor: "thumbed up" });
    await hear(feedback("none"));
    assert.deepEqual(notes(), { reward: 0, rewardFor: "taken back" });
  });

  it("is written when the episode comes only after the feedback", async () => {
    const { hear, notes, held } = bed();
    await hear(...begins(), feedback("up"), grade(5));
    assert.equal(held.size, 0);
    await hear(ingested());
    assert.deepEqual(notes(), {
      feedback: "up",
      reward: 1,
      rewardFor: "thumbed up",
      score: 5,
      scoreBy: "critic",
    });
  });

  it("is written for a turn of weeks ago that only the log knows", async () => {
    const earlier = [...begins(), ingested()];
    const { hear, notes } = bed({ log: [...earlier] });
    await hear(feedback("down"));
    assert.deepEqual(notes(), { feedback: "down", reward: -1, rewardFor: "thumbed down" });
  });

  it("does not count twice when it is heard again, here or in another window", async () => {
    const said = [...begins(), ingested(), grade(4), feedback("up")];
    const one = bed();
    await one.hear(...said);
    const other = bed({ log: one.log, held: one.held });
    const before = [...one.held.keys()];
    await one.hear(...said.slice(-2));
    await other.hear(...said.slice(-1));
    assert.deepEqual([...one.held.keys()], before);
    assert.deepEqual(
      [...one.rewardsTold(), ...other.rewardsTold()].map(({ reward }) => reward),
      [1],
    );
  });

  it("takes back in one window what was said in another", async () => {
    const one = bed();
    await one.hear(...begins(), ingested());
    const other = bed({ log: one.log, held: one.held });
    await other.hear(feedback("down"));
    await one.hear(feedback("none"));
    assert.deepEqual(one.notes(), { reward: 0, rewardFor: "taken back" });
    assert.deepEqual(
      one.rewardsTold().map(({ reward }) => reward),
      [0],
    );
  });

  it("is tried again once memory is back", async () => {
    let off = true;
    const { hear, notes, held } = bed({ isOff: () => off });
    await hear(...begins(), ingested(), feedback("up"));
    assert.equal(held.size, 0);
    off = false;
    await hear(grade(3));
    assert.deepEqual(notes(), {
      feedback: "up",
      reward: 1,
      rewardFor: "thumbed up",
      score: 3,
      scoreBy: "critic",
    });
  });
});

describe("A verdict between two answers", () => {
  it("makes one episode the winner and the other the loser", async () => {
    const { hear, notes } = bed();
    await hear(...begins(), ingested(), ...shadowed(), verdict("B", ["B", "B"]));
    assert.deepEqual([notes(), notes(EPISODE_B)], [{ verdict: "loser" }, { verdict: "winner" }]);
  });

  it("is a tie on both where the orders disagree, and where the answers are the same", async () => {
    const { hear, notes } = bed();
    await hear(
      ...begins(),
      ingested(),
      ...shadowed(),
      verdict(null, ["A", "B"], { "conclave.order_bound": true }),
    );
    assert.deepEqual([notes(), notes(EPISODE_B)], [{ verdict: "tie" }, { verdict: "tie" }]);
    const same = bed();
    await same.hear(...begins(), ingested(), ...shadowed(), verdict(null, []));
    assert.deepEqual(same.notes(), { verdict: "tie" });
  });

  it("is never written from a single order, whatever it says, nor where the judge failed", async () => {
    const { hear, held } = bed();
    const unread = verdict(null, ["A", null]);
    const orders = unread.type === "pairwise.result" ? (unread.data["conclave.orders"] ?? []) : [];
    await hear(...begins(), ingested(), ...shadowed());
    await hear(verdict("A", ["A"]));
    await hear(event("pairwise.result", { "gen_ai.request.model": "judge", winner: "A", feedback: "" }));
    await hear(verdict("A", ["A", "A"], { error: { code: "model_missing", message: "No judge." } as never }));
    await hear(verdict(null, [], { "conclave.orders": orders.map((order) => ({ ...order, raw: "?" })) }));
    assert.equal(held.size, 0);
  });
});

describe("The reward", () => {
  it("names the agent and the model that gave the answer, what it is made of, and the episodes that carry it", async () => {
    const { hear, told } = bed();
    const thumb = feedback("down");
    await hear(...begins(), ingested(), thumb);
    const [reward] = told;
    assert.deepEqual(reward && { ...reward, id: "", time: 0 }, {
      ...{ type: "reward.event", id: "", parentId: TURN, time: 0, turnId: TURN, sessionId: thumb.sessionId },
      ...{ agent: "conclave", respondent: "A" },
      data: {
        ...{ reward: -1, reason: "thumbed down", "gen_ai.request.model": "tiny" },
        "conclave.sources": [{ kind: "thumbs", worth: -1, time: thumb.time, event: thumb.id }],
        "conclave.episode_ids": [EPISODE],
      },
    });
  });

  it("of a persona's own answer names the persona, and leaves the turn's episode alone", async () => {
    const { hear, told, held } = bed();
    const persona = event("agent.start", agent("sceptic", "mid", "persona"), {
      id: PERSONA,
      agent: "sceptic",
    });
    await hear(...begins(), persona, ingested(), feedback("up", undefined, { parentId: PERSONA }));
    const [reward] = told;
    assert.deepEqual([reward?.agent, reward?.parentId, held.size], ["sceptic", PERSONA, 0]);
    assert.equal(reward?.type === "reward.event" && reward.data["gen_ai.request.model"], "mid");
  });

  it("of respondent B's answer lands on B's episode alone", async () => {
    const { hear, told, notes } = bed();
    await hear(...begins(), ingested(), ...shadowed(), feedback("up", undefined, { parentId: SHADOW }));
    assert.deepEqual([told[0]?.agent, told[0]?.respondent], ["other", "B"]);
    assert.deepEqual(notes(), {});
    assert.deepEqual(notes(EPISODE_B), { feedback: "up", reward: 1, rewardFor: "thumbed up" });
  });

  it("of what a synthesizer said is the turn's", async () => {
    const { hear, notes } = bed();
    const synthesizer = event("agent.start", agent("chair", "tiny", "synthesizer"), { id: PERSONA });
    await hear(...begins(), synthesizer, ingested(), grade(4, { parentId: PERSONA }));
    assert.deepEqual(notes(), { score: 4, scoreBy: "critic" });
  });

  it("is weaker where it was only concluded, adds up, and is never in the place of what was said", async () => {
    const { hear, rewardsTold, notes } = bed();
    await hear(...begins(), ingested(), feedback("up", "copied"), feedback("up", "applied"));
    assert.deepEqual(notes(), { reward: 0.65, rewardFor: "copied and applied" });
    await hear(feedback("down"), feedback("up", "copied"));
    assert.deepEqual(notes(), { feedback: "down", reward: -1, rewardFor: "thumbed down" });
    await hear(feedback("none"));
    assert.equal(notes()["reward"], 0.65);
    assert.deepEqual(
      rewardsTold().map(({ reward }) => reward),
      [0.25, 0.65, -1, 0.65],
    );
  });

  it("does not grow with clicks, and is told once", async () => {
    const { hear, rewardsTold } = bed();
    await hear(...begins(), ingested());
    for (let click = 0; click < 20; click += 1) await hear(feedback("up", "copied"));
    assert.deepEqual(
      rewardsTold().map(({ reward }) => reward),
      [0.25],
    );
  });

  it("takes one sign back alone", async () => {
    const { hear, notes } = bed();
    await hear(...begins(), ingested(), feedback("down", "contradicted"), feedback("up", "copied"));
    await hear(feedback("none", "contradicted"));
    assert.deepEqual(notes(), { reward: 0.25, rewardFor: "copied" });
  });

  it("stays within its bounds, and comes out the same in whatever order it is heard", async () => {
    const rating = fc.constantFrom("up" as const, "down" as const, "none" as const);
    const sign = fc.constantFrom(undefined, "copied" as const, "applied" as const, "asked_again" as const);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(rating, sign), { minLength: 1, maxLength: 8 }), async (said) => {
        const events = said.map(([one, how]) => feedback(one, how));
        const [straight, turned] = [bed(), bed()];
        const begun = [...begins(), ingested()];
        await straight.hear(...begun, ...events);
        await turned.hear(...begun, ...events.toReversed(), ...events);
        assert.deepEqual(turned.notes(), straight.notes());
        for (const { reward } of straight.rewardsTold()) assert.ok(reward >= -1 && reward <= 1);
      }),
      { seed: 7, numRuns: 40 },
    );
  });
});

describe("Nothing gets into memory", () => {
  const refused = async (...events: readonly TurnEvent[]): Promise<ReadonlyMap<string, Annotation>> => {
    const { hear, held } = bed();
    await hear(...events, ingested(), grade(5), feedback("up"));
    return held;
  };

  it("of a private turn, of one from somebody else's file, of one that was forgotten", async () => {
    assert.equal((await refused(...begins({ "conclave.private": true }))).size, 0);
    assert.equal((await refused(...begins({ "conclave.imported": { from: "x", at: 1 } }))).size, 0);
    const [start, who] = begins();
    assert.ok(start && who);
    assert.equal((await refused({ ...start, forgotten: 1 }, who)).size, 0);
  });

  it("of a turn that is forgotten in this window while it is judged", async () => {
    const { hear, held, rewards } = bed();
    await hear(...begins(), ingested());
    rewards.forget([TURN]);
    await hear(feedback("up"), grade(5));
    assert.equal(held.size, 0);
  });

  it("of a private session until it is saved: then its turns are like all others", async () => {
    let isPrivate = true;
    const { hear, held, notes } = bed({ deps: { isPrivate: () => isPrivate } });
    await hear(...begins({ "conclave.private": true }), feedback("up"));
    assert.equal(held.size, 0);
    isPrivate = false;
    await hear(ingested());
    assert.equal(notes()["reward"], 1);
  });

  it("from a log that names no episode as memory does", async () => {
    const { hear, held } = bed();
    await hear(...begins(), ingested(["../../etc", "1 OR 1=1"]), feedback("up"));
    assert.equal(held.size, 0);
  });
});
