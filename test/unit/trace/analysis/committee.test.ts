import assert from "node:assert/strict";
import fc from "fast-check";
import type { TurnEvent } from "../../../../src/agent/events.ts";
import { analyseCommittee } from "../../../../src/trace/analysis/committee.ts";
import { costOfTurn } from "../../../../src/trace/analysis/costs.ts";
import { committeeEvents, type ToldCommittee } from "./committee-events.ts";

/** Canberra is right. */
const isRight = (answer: string): boolean => /canberra/iu.test(answer);

function analysed(told: ToldCommittee) {
  const analysis = analyseCommittee(committeeEvents(told), isRight);
  assert.ok(analysis !== undefined);
  return analysis;
}

describe("a committee's flips", () => {
  it("are counted in both directions, from a member's first stand to its last", () => {
    const { flips, members } = analysed({
      rounds: [
        { Ann: "Canberra", Bo: "Canberra", Cy: "Sydney", Di: "Sydney" },
        { Ann: "Sydney", Bo: "Canberra", Cy: "Canberra", Di: "Melbourne" },
      ],
    });
    assert.deepEqual(flips, { rightToWrong: 1, wrongToRight: 1 });
    assert.deepEqual(
      members.map(({ agent, first, last }) => [agent, first?.right, last?.right]),
      [
        ["Ann", true, false],
        ["Bo", true, true],
        ["Cy", false, true],
        ["Di", false, false],
      ],
    );
  });

  it("look at the position, not at what an answer mentions beside it", () => {
    const { members } = analysed({
      rounds: [{ Ann: "Position: Sydney\n\nSome say Canberra, and are wrong." }],
    });
    assert.equal(members[0]?.last?.right, false);
  });

  it("take the last answer of a member that failed later", () => {
    const { members } = analysed({
      rounds: [
        { Ann: "Canberra", Bo: "Sydney" },
        { Ann: {}, Bo: "Sydney" },
      ],
    });
    assert.deepEqual([members[0]?.last?.round, members[0]?.last?.right], [1, true]);
  });

  it("say nothing of a member that never answered", () => {
    const { members, flips } = analysed({ rounds: [{ Ann: {}, Bo: "Canberra" }] });
    assert.deepEqual([members[0]?.first, members[0]?.last], [undefined, undefined]);
    assert.deepEqual(flips, { rightToWrong: 0, wrongToRight: 0 });
  });

  it("are not counted where nobody said what is right", () => {
    const analysis = analyseCommittee(committeeEvents({ rounds: [{ Ann: "a" }, { Ann: "b" }] }));
    assert.ok(analysis !== undefined);
    assert.deepEqual(analysis.flips, { rightToWrong: 0, wrongToRight: 0 });
    assert.deepEqual(
      analysis.members.map((member) => member.last?.right),
      [undefined],
    );
  });

  it("go by the vote of each sample where one agent was asked several times", () => {
    const { members, synthesis } = analysed({
      strategy: "self-consistency",
      rounds: [{ "conclave #1": "Not Sydney, as many think.\nAnswer: Canberra" }],
      synthesis: "Not Sydney, as many think.\nAnswer: Canberra",
    });
    assert.equal(members[0]?.last?.view, "Canberra");
    assert.equal(synthesis?.right, true);
  });
});

describe("a committee's conformity", () => {
  it("counts who stood against a majority, and who of them took its view", () => {
    const { conformity } = analysed({
      rounds: [
        { Ann: "Sydney", Bo: "sydney.", Cy: "Canberra", Di: "Melbourne", Ed: "Sydney" },
        { Ann: "Sydney", Bo: "Sydney", Cy: "It is Sydney.", Di: "Canberra", Ed: "Canberra" },
      ],
    });
    // Cy and Di stood against three; Cy yielded, and had been right; Di and Ed changed, but not to the majority.
    assert.deepEqual(conformity, { stoodAgainst: 2, yielded: 1, yieldedToWrong: 1, rate: 0.5 });
  });

  it("has no rate where there was no majority to stand against", () => {
    const { conformity } = analysed({
      rounds: [
        { Ann: "x", Bo: "y" },
        { Ann: "y", Bo: "y" },
      ],
    });
    assert.deepEqual(conformity, { stoodAgainst: 0, yielded: 0, yieldedToWrong: 0 });
  });

  it("does not call it yielding to the wrong when the majority is right", () => {
    const { conformity } = analysed({
      rounds: [
        { Ann: "Canberra", Bo: "Canberra", Cy: "Sydney" },
        { Ann: "Canberra", Bo: "Canberra", Cy: "Canberra" },
      ],
    });
    assert.deepEqual([conformity.yielded, conformity.yieldedToWrong], [1, 0]);
  });

  it("follows each round against the one before", () => {
    const { conformity } = analysed({
      rounds: [
        { Ann: "red", Bo: "red", Cy: "blue" },
        { Ann: "red", Bo: "red", Cy: "blue" },
        { Ann: "red", Bo: "red", Cy: "red" },
      ],
    });
    assert.deepEqual([conformity.stoodAgainst, conformity.yielded], [2, 1]);
  });
});

describe("a committee's synthesis", () => {
  const verdict = {
    best: { agent: "Ann", answer: "Sydney", by: "the only answer" },
    majority: { answer: "Sydney", agents: ["Ann", "Bo"] },
    minority: [{ agent: "Cy", answer: "Canberra" }],
  };
  const rounds = [{ Ann: "Sydney", Bo: "Sydney", Cy: "Canberra" }];

  it("is held against the best single answer", () => {
    const better = analysed({ rounds, verdict, synthesis: "It is Canberra." });
    assert.equal(better.synthesisAgainstBest, "better");
    assert.equal(better.anyRight, true);
    assert.equal(better.majority?.right, false);
    assert.equal(analysed({ rounds, verdict, synthesis: "Sydney." }).synthesisAgainstBest, "same");
    const right = { ...verdict, best: { ...verdict.best, answer: "Canberra" } };
    assert.equal(analysed({ rounds, verdict: right, synthesis: "Sydney." }).synthesisAgainstBest, "worse");
  });

  it("is held against the best graded member where a critic graded", () => {
    const grades = (score: number) =>
      analysed({ rounds, grades: { Ann: 2, Cy: 4, synthesis: score } }).grades;
    assert.deepEqual(grades(5), { synthesis: 5, best: 4, against: "better" });
    assert.deepEqual(grades(3), { synthesis: 3, best: 4, against: "worse" });
    assert.equal(analysed({ rounds }).grades, undefined);
    assert.deepEqual(analysed({ rounds, grades: { Ann: 3, synthesis: null } }).grades, { best: 3 });
  });
});

describe("a committee's cost", () => {
  it("is told for each member over all rounds, and for the whole with the one who sums up", () => {
    const told: ToldCommittee = {
      rounds: [
        { Ann: "a", Bo: "b" },
        { Ann: "a", Bo: "b" },
      ],
    };
    const { members, spent } = analysed(told);
    assert.deepEqual(members[0]?.spent, { inputTokens: 200, outputTokens: 20, seconds: 4 });
    assert.deepEqual(spent, { inputTokens: 450, outputTokens: 45, seconds: 9 });
    assert.deepEqual(costOfTurn(committeeEvents(told)), spent);
  });
});

describe("the analysis of a turn", () => {
  it("is nothing where no committee answered, or where it broke off", () => {
    const events = committeeEvents({ rounds: [{ Ann: "a" }] });
    assert.equal(analyseCommittee([]), undefined);
    assert.equal(analyseCommittee(events.filter(({ type }) => type !== "committee.end")), undefined);
    assert.equal(costOfTurn([]), undefined);
  });

  it("keeps its counts within what can be, whatever was said", () => {
    const city = fc.constantFrom("Canberra", "Sydney", "Melbourne", "Position: Canberra", "");
    const round = fc.dictionary(fc.constantFrom("Ann", "Bo", "Cy", "Di"), city);
    fc.assert(
      fc.property(fc.array(round, { maxLength: 4 }), (rounds) => {
        const { members, flips, conformity } = analysed({ rounds });
        assert.ok(flips.rightToWrong + flips.wrongToRight <= members.length);
        assert.ok(conformity.yieldedToWrong <= conformity.yielded);
        assert.ok(conformity.yielded <= conformity.stoodAgainst);
        assert.ok(conformity.stoodAgainst <= members.length * Math.max(0, rounds.length - 1));
      }),
    );
  });

  it("does not depend on rounds standing in order", () => {
    const events: readonly TurnEvent[] = committeeEvents({
      rounds: [{ Ann: "Canberra" }, { Ann: "Sydney" }],
    });
    assert.deepEqual(analyseCommittee(events.toReversed(), isRight)?.flips, {
      rightToWrong: 1,
      wrongToRight: 0,
    });
  });
});
