import assert from "node:assert/strict";
import fc from "fast-check";
import { alignTurns, type ComparedStep } from "../../../../src/trace/compare/align.ts";
import { foldEvent } from "../../../../src/trace/fold.ts";
import { emptyTurn, type TurnModel } from "../../../../src/trace/model.ts";
import { committeeTurn } from "../support/committee-turn.ts";
import { SteadyIdentity } from "../support/steady-identity.ts";
import { TurnScript } from "../support/turn-script.ts";

/** A turn that calls some tools, one a step, and answers. */
function turnWith(tools: readonly string[], answer = "Yes."): TurnModel {
  const turn = emptyTurn("s", "t", 0);
  const script = new TurnScript((event) => foldEvent(turn, event), { identity: new SteadyIdentity() });
  for (const [index, name] of tools.entries()) {
    script.ask().reply({ calls: [{ id: `c${index}`, name, arguments: {} }] });
    script.call(name, {})({ result: `result ${index}` });
    script.stepEnd();
  }
  script.ask().reply({ content: answer }).stepEnd().answered(answer);
  return turn;
}

const toolsOf = (steps: readonly ComparedStep[]): readonly string[] =>
  steps.flatMap(({ left, right }) => {
    const cell = left ?? right;
    if (cell?.kind !== "tool") return [];
    return [`${left === undefined ? "+" : right === undefined ? "-" : " "}${cell.name}`];
  });

describe("the steps of two turns", () => {
  it("stand beside each other where both called the same tool, and alone where one did", () => {
    const steps = alignTurns(
      turnWith(["search_memory", "web_search", "save_memory"]),
      turnWith(["search_memory", "web_fetch", "save_memory"]),
    );
    assert.deepEqual(toolsOf(steps), [" search_memory", "-web_search", "+web_fetch", " save_memory"]);
  });

  it("say whose they are and in which round, where several are at work", () => {
    const turn = emptyTurn("s", "t", 0);
    committeeTurn((event) => foldEvent(turn, event));
    const told = new Set(alignTurns(turn, turn).map(({ who }) => who));
    for (const who of ["Skeptic, round 1", "Skeptic, round 2", "Pragmatist, round 2"])
      assert.ok(told.has(who), who);
    assert.ok(alignTurns(turnWith(["a"]), turnWith(["a"])).every(({ who }) => who === ""));
  });

  it("leave out the answers, which are compared by themselves", () => {
    const steps = alignTurns(turnWith([], "Yes."), turnWith([], "No."));
    assert.ok(steps.every(({ left, right }) => left?.kind !== "answer" && right?.kind !== "answer"));
  });

  it("are all there, each once and in order, whatever the turns", () => {
    const tools = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
    fc.assert(
      fc.property(tools, tools, (one, other) => {
        const steps = toolsOf(alignTurns(turnWith(one), turnWith(other)));
        const of = (without: string): readonly string[] =>
          steps.filter((step) => !step.startsWith(without)).map((step) => step.slice(1));
        assert.deepEqual(of("+"), one);
        assert.deepEqual(of("-"), other);
      }),
      { seed: 31 },
    );
  });
});
