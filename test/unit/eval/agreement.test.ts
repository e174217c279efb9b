import assert from "node:assert/strict";
import fc from "fast-check";
import {
  distribution,
  firstPlaceWins,
  flipRate,
  kappa,
  kappaInterval,
  noGradeRate,
  type Rated,
} from "../../../src/cli/eval/agreement.ts";

const GRADES = [1, 2, 3, 4, 5] as const;

function times(count: number, first: string | number, second: string | number): readonly Rated[] {
  return Array.from({ length: count }, (): Rated => [first, second]);
}

describe("agreement beyond chance", () => {
  it("is 0.4 in the example of the textbooks", () => {
    // 50 proposals: both yes 20, both no 15, 5 and 10 in disagreement. Observed .7, by chance .5.
    const rated = [
      ...times(20, "yes", "yes"),
      ...times(5, "yes", "no"),
      ...times(10, "no", "yes"),
      ...times(15, "no", "no"),
    ];
    assert.equal(kappa(rated, ["yes", "no"])?.toFixed(9), "0.400000000");
  });

  it("counts a near miss less than a far one when weighted by the square", () => {
    // Three grades; people said 1 1 2 2 3 3. Mean squared distance by chance: 16/36 * 1 + 8/36 * 4 = 4/3 (of 4).
    const people = [1, 1, 2, 2, 3, 3];
    const judged = (scores: readonly number[]) =>
      kappa(
        scores.map((score, at): Rated => [people[at] ?? 0, score]),
        [1, 2, 3],
        "quadratic",
      );
    // One near miss: observed 1/6; the judge's shares 1/6, 3/6, 2/6; by chance (11/6 + 3/6 + 7/6) / 3.
    assert.equal(judged([1, 2, 2, 2, 3, 3])?.toFixed(6), (1 - 1 / 6 / (7 / 6)).toFixed(6));
    // One far miss: observed 4/6; the judge's shares 1/6, 2/6, 3/6; by chance (14/6 + 4/6 + 6/6) / 3.
    assert.equal(judged([1, 3, 2, 2, 3, 3])?.toFixed(6), (1 - 4 / 6 / (24 / 18)).toFixed(6));
  });

  it("is 1 for full agreement, and nothing where both always said the same one thing", () => {
    assert.equal(kappa([...times(3, 1, 1), ...times(2, 5, 5)], GRADES, "quadratic"), 1);
    assert.equal(kappa(times(8, 5, 5), GRADES), undefined);
    assert.equal(kappa([], GRADES), undefined);
  });

  it("is 0 for a judge that says 5 to everything", () => {
    const rated = GRADES.flatMap((grade) => times(4, grade, 5));
    assert.equal(kappa(rated, GRADES)?.toFixed(9), "0.000000000");
    assert.equal(kappa(rated, GRADES, "quadratic")?.toFixed(9), "0.000000000");
  });

  it("is below 0 for a judge that turns everything round", () => {
    const rated = GRADES.flatMap((grade) => times(4, grade, 6 - grade));
    assert.equal(kappa(rated, GRADES, "quadratic"), -1);
  });

  const opinion = fc.constantFrom(...GRADES);
  const opinions = fc.array(fc.tuple(opinion, opinion), { minLength: 1, maxLength: 40 });

  it("never exceeds 1, and does not care who is who", () => {
    fc.assert(
      fc.property(opinions, fc.constantFrom("plain" as const, "quadratic" as const), (rated, weights) => {
        const there = kappa(rated, GRADES, weights);
        const back = kappa(
          rated.map(([first, second]): Rated => [second, first]),
          GRADES,
          weights,
        );
        assert.equal(there?.toFixed(9), back?.toFixed(9));
        assert.ok(there === undefined || there <= 1 + 1e-12);
      }),
    );
  });

  it("is the same plain and weighted where there are but two grades", () => {
    fc.assert(
      fc.property(opinions, (rated) => {
        const two = rated.map(([first, second]): Rated => [first > 2 ? 1 : 0, second > 2 ? 1 : 0]);
        assert.equal(kappa(two, [0, 1])?.toFixed(9), kappa(two, [0, 1], "quadratic")?.toFixed(9));
      }),
    );
  });

  it("comes with an interval that holds it", () => {
    const rated = [...GRADES.flatMap((grade) => times(4, grade, grade)), ...times(5, 3, 4)];
    const interval = kappaInterval(rated, GRADES, "quadratic");
    assert.ok(
      interval !== undefined && interval.low < interval.estimate && interval.estimate < interval.high,
    );
    assert.equal(kappaInterval([], GRADES), undefined);
  });

  it("refuses an opinion that is none of the grades", () => {
    assert.throws(() => kappa([[1, 6]], GRADES), /6 is none of 1, 2, 3, 4, 5/);
  });
});

describe("verdicts by order", () => {
  const always = { aFirst: "A", bFirst: "B" } as const;
  const steady = { aFirst: "A", bFirst: "A" } as const;

  it("flip always for a judge that takes the first, never for one that looks at the answers", () => {
    assert.equal(flipRate([always, always, always]).estimate, 1);
    assert.equal(flipRate([steady, steady, steady]).estimate, 0);
    assert.deepEqual(
      [firstPlaceWins([always, steady]), firstPlaceWins([{ aFirst: "B", bFirst: "A" }])],
      [1, 0],
    );
  });

  it("are counted only where both orders have one", () => {
    const { flips, of } = flipRate([
      always,
      steady,
      { aFirst: "A", bFirst: null },
      { aFirst: null, bFirst: null },
    ]);
    assert.deepEqual([flips, of], [1, 2]);
  });

  it("tell nothing where no pair was judged", () => {
    const { low, high, of } = flipRate([]);
    assert.deepEqual([low, high, of], [0, 1, 0]);
  });
});

describe("the scores of a judge", () => {
  it("leave out what has no grade from their distribution, and count it apart", () => {
    const scores = [5, 5, null, 1, 5];
    assert.deepEqual(
      distribution(scores, GRADES).map(({ count }) => count),
      [1, 0, 0, 0, 3],
    );
    assert.deepEqual([noGradeRate(scores).none, noGradeRate(scores).of], [1, 5]);
  });
});
