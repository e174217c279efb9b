import assert from "node:assert/strict";
import {
  cancelled,
  firstOf,
  maxSteps,
  repeatedCall,
  tokenBudget,
  type Progress,
} from "../../../../src/agent/loop/stop-conditions.ts";

function progress(part: Partial<Progress> = {}): Progress {
  return { steps: 0, repeats: new Map(), tokens: 0, signal: new AbortController().signal, ...part };
}

describe("stop conditions", () => {
  it("stop after so many steps, not before", () => {
    assert.equal(maxSteps(5)(progress({ steps: 4 })), undefined);
    assert.equal(maxSteps(5)(progress({ steps: 5 }))?.code, "step_limit");
  });

  it("stop at the third identical call and name the tool", () => {
    const twice = progress({ repeats: new Map([['look_up {"a":1}', 2]]) });
    const thrice = progress({ repeats: new Map([['look_up {"a":1}', 3]]) });
    assert.equal(repeatedCall(3)(twice), undefined);
    const reason = repeatedCall(3)(thrice);
    assert.ok(reason?.code === "repeated_call");
    assert.match(reason.message, /look_up 3 times/);
  });

  it("stop when the token budget is used up; 0 is no budget", () => {
    assert.equal(tokenBudget(100)(progress({ tokens: 99 })), undefined);
    assert.equal(tokenBudget(100)(progress({ tokens: 100 }))?.code, "token_budget");
    assert.equal(tokenBudget(0)(progress({ tokens: 1e9 })), undefined);
  });

  it("give the first reason of several", () => {
    const both = progress({ steps: 9, tokens: 9, signal: AbortSignal.abort() });
    assert.equal(firstOf(tokenBudget(5), maxSteps(5))(both)?.code, "token_budget");
    assert.equal(firstOf(cancelled, maxSteps(5))(both)?.code, "cancelled");
    assert.equal(firstOf(maxSteps(5))(progress()), undefined);
  });
});
