import assert from "node:assert/strict";
import { failed, success, type Result } from "../../../src/agent/failure.ts";
import type { PairOutcome } from "../../../src/agent/critic/types.ts";
import type { ToolContext } from "../../../src/agent/tool.ts";
import { compareAnswers, comparingOff } from "../../../src/tools/compare-answers.ts";

const CONTEXT: ToolContext = {
  signal: new AbortController().signal,
  ...{ sessionId: "s", turnId: "t", agent: "conclave", question: "Which one?" },
};
const WISH = { question: "Where to?", a: "To Oban.", b: "To Mull." };

function outcomeOf(part: Partial<PairOutcome>): Result<PairOutcome> {
  const orders = (["A", "B"] as const).map((first) => ({ first, winner: null, feedback: "" }));
  const outcome = { judge: "constrained" as const, winner: null, feedback: "It is clearer.", orders };
  return success({ ...outcome, orderBound: false, attempts: 2, durationMs: 5, ...part });
}

function run(outcome: Result<PairOutcome>) {
  const compare = () => Promise.resolve({ model: "judge", rubric: "helpfulness", outcome });
  const tool = compareAnswers({ answers: { isOn: () => true, compare }, timeoutMs: () => 1_000 });
  return tool.run(WISH, CONTEXT);
}

describe("the tool compare_answers", () => {
  it("says which answer is better and why, and shows people both orders", async () => {
    const orders = (["A", "B"] as const).map((first) => ({
      first,
      winner: "B" as const,
      feedback: "Clear.",
    }));
    const given = await run(outcomeOf({ winner: "B", orders }));
    assert.ok(given.ok);
    assert.equal(
      given.content,
      "Answer b is better, whichever stands first.\nThe judge's reasons: It is clearer.",
    );
    assert.equal(given.details.data?.["model"], "judge");
    assert.deepEqual(given.details.data["orders"], orders);
  });

  it("calls it a tie where the judge went by the place, or where the answers are the same", async () => {
    const bound = await run(outcomeOf({ orderBound: true }));
    assert.match(bound.ok ? bound.content : "", /^A tie: the judge went by the place/);
    const same = await run(outcomeOf({ orders: [] }));
    assert.match(same.ok ? same.content : "", /^A tie: the answers are the same/);
    const even = await run(outcomeOf({}));
    assert.match(even.ok ? even.content : "", /^A tie: neither/);
  });

  it("fails with what the judge fails with", async () => {
    const given = await run(failed("model_missing", "There is no judge."));
    assert.equal(given.ok ? "" : given.failure.message, "There is no judge.");
  });

  it("only reads, and is off while the critic is", () => {
    const answers = { isOn: () => false, compare: () => Promise.reject(new Error("nobody asks")) };
    assert.equal(compareAnswers({ answers, timeoutMs: () => 1 }).readOnly, true);
    assert.equal(comparingOff(answers)?.target, "conclave.critic.mode");
    assert.equal(comparingOff({ isOn: () => true }), undefined);
  });
});
