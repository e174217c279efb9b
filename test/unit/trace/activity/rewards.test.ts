import assert from "node:assert/strict";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import type { RewardSource } from "../../../../src/agent/events-judged.ts";
import { rewardsByAgent } from "../../../../src/trace/activity/reward-fold.ts";
import { SessionFold } from "../../../../src/trace/activity/session-fold.ts";
import { begins, event } from "../../agent/reward/bed.ts";

/** What feedback on an answer is worth, and what it is made of. */
function reward(
  worth: number,
  kind: RewardSource["kind"] | undefined,
  place: { readonly agent?: string; readonly respondent?: string; readonly parentId?: string } = {},
  model = "tiny",
): TurnEvent {
  const sources = kind === undefined ? [] : [{ kind, worth, time: 1, event: "e" }];
  const data = { reward: worth, reason: "so", "gen_ai.request.model": model, "conclave.sources": sources };
  return event("reward.event", data, place);
}

function folded(...events: readonly TurnEvent[]): SessionFold {
  const fold = new SessionFold();
  for (const one of events) fold.takeLine(JSON.stringify(one));
  return fold;
}

describe("What feedback came to, by agent", () => {
  it("is told apart by agent, model and respondent, the one with the most judged answers first", () => {
    const persona = { agent: "sceptic", parentId: "c".repeat(16) };
    const fold = folded(
      ...begins(),
      reward(-1, "thumbs", persona),
      reward(1, "thumbs"),
      reward(0.25, "copied", { agent: "other", respondent: "B", parentId: "b".repeat(16) }, "big"),
    );
    const more = folded(...begins({}, "d".repeat(32)), reward(-0.5, "contradicted"));
    const totals = rewardsByAgent([...fold.rewards.values(), ...more.rewards.values()]);
    assert.deepEqual(
      totals.map(({ last: _last, ...total }) => total),
      [
        {
          ...{ agent: "conclave", model: "tiny", respondent: "A", answers: 2, up: 1, down: 0, implicit: 1 },
          ...{ reward: 0.5, mean: 0.25 },
        },
        {
          ...{ agent: "other", model: "big", respondent: "B", answers: 1, up: 0, down: 0, implicit: 1 },
          ...{ reward: 0.25, mean: 0.25 },
        },
        {
          ...{ agent: "sceptic", model: "tiny", respondent: "A", answers: 1, up: 0, down: 1, implicit: 0 },
          ...{ reward: -1, mean: -1 },
        },
      ],
    );
  });

  it("counts an answer once, by its latest reward, and not at all once all was taken back", () => {
    const liked = folded(...begins(), reward(0.25, "copied"), reward(1, "thumbs"));
    assert.deepEqual(
      rewardsByAgent(liked.rewards.values()).map(({ answers, reward: sum }) => [answers, sum]),
      [[1, 1]],
    );
    const back = folded(...begins(), reward(1, "thumbs"), reward(0, undefined));
    assert.deepEqual(rewardsByAgent(back.rewards.values()), []);
  });

  it("is nothing of what was done in somebody else's file", () => {
    const fold = folded(
      ...begins({ "conclave.imported": { from: "x.conclave", at: 1 } }),
      reward(1, "thumbs"),
    );
    assert.equal(fold.rewards.size, 0);
  });
});
