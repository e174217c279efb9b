import assert from "node:assert/strict";
import fc from "fast-check";
import {
  bootstrap,
  mean,
  pairedDifference,
  pairedMean,
  signTest,
  successRate,
  wilson,
  type Pair,
} from "../../../src/cli/eval/statistics.ts";

function near(actual: number, expected: number, digits = 4): void {
  assert.equal(actual.toFixed(digits), expected.toFixed(digits));
}

/** Pairs of yes-or-no outcomes by their counts. */
function table(both: number, gained: number, lost: number, neither: number): readonly Pair[] {
  const some = (count: number, pair: Pair) => Array.from({ length: count }, () => pair);
  return [
    ...some(both, { with: 1, without: 1 }),
    ...some(gained, { with: 1, without: 0 }),
    ...some(lost, { with: 0, without: 1 }),
    ...some(neither, { with: 0, without: 0 }),
  ];
}

describe("an interval of a share", () => {
  it("is the one that the literature prints", () => {
    // R. G. Newcombe, Statistics in Medicine 17 (1998), pages 857-872, table I.
    const printed = [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const;
    for (const [successes, trials, low, high] of printed) {
      const interval = wilson(successes, trials);
      near(interval.low, low);
      near(interval.high, high);
    }
  });

  it("never claims certainty: ten of ten may well be three in four", () => {
    near(wilson(10, 10).low, 0.7225);
    assert.equal(wilson(10, 10).high, 1);
  });

  it("says that nothing is known where nothing was tried", () => {
    assert.deepEqual(wilson(0, 0), { estimate: 0, low: 0, high: 1 });
  });

  it("holds its estimate, lies in 0..1, and is its own mirror", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (trials, share) => {
          const successes = Math.round(share * trials);
          const one = wilson(successes, trials);
          const mirrored = wilson(trials - successes, trials);
          assert.ok(0 <= one.low && one.low <= one.estimate && one.estimate <= one.high && one.high <= 1);
          near(one.low, 1 - mirrored.high, 9);
        },
      ),
    );
  });

  it("becomes narrower with more trials of the same share", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 50 }), (trials, wanted) => {
        const successes = Math.min(wanted, trials);
        const width = ({ low, high }: { low: number; high: number }) => high - low;
        assert.ok(width(wilson(2 * successes, 2 * trials)) < width(wilson(successes, trials)));
      }),
    );
  });
});

describe("success over cases that ran several times", () => {
  const always = (outcomes: readonly boolean[], trials: number) =>
    successRate(outcomes.map((isWell) => ({ successes: isWell ? trials : 0, trials })));

  it("is no surer for a repetition that only says the same again", () => {
    const once = always([true, true, false, true, false, true], 1);
    const tenTimes = always([true, true, false, true, false, true], 10);
    near(tenTimes.low, once.low);
    near(tenTimes.high, once.high);
    assert.deepEqual([tenTimes.cases, tenTimes.trials], [6, 60]);
  });

  it("is no surer than its cases where everything came out well", () => {
    assert.equal(always([true, true, true, true], 5).low, wilson(4, 4).low);
  });

  it("counts every run where runs of one case differ as much as cases do", () => {
    // All cases alike, so that all variance lies within them: 10 cases of 5 in 10.
    const mixed = successRate([
      ...Array.from({ length: 5 }, () => ({ successes: 6, trials: 10 })),
      ...Array.from({ length: 5 }, () => ({ successes: 4, trials: 10 })),
    ]);
    near(mixed.low, wilson(50, 100).low);
  });

  it("has an effective number of trials that can be worked out by hand", () => {
    // Two runs each of 4 cases: 2, 2, 1, 0 of 2. p = 5/8; residues .75 .75 -.25 -1.25; clustered = 4/3 * 2.75 / 64;
    // binomial = (5/8 * 3/8) / 8. Effective = 8 * .029297 / .057292 = 4.0909.
    const rate = successRate([2, 2, 1, 0].map((successes) => ({ successes, trials: 2 })));
    near(rate.low, wilson((5 / 8) * 4.090_909, 4.090_909).low);
  });

  it("leaves out cases that never ran", () => {
    assert.deepEqual(
      successRate([
        { successes: 1, trials: 1 },
        { successes: 0, trials: 0 },
      ]).cases,
      1,
    );
  });
});

describe("the difference that a feature makes", () => {
  it("has the interval that the literature prints for yes-or-no outcomes", () => {
    // R. G. Newcombe, Statistics in Medicine 17 (1998), pages 2635-2650, method 10: 36, 12, 2, 0 of 50.
    const difference = pairedDifference(table(36, 12, 2, 0));
    near(difference.estimate, 0.2);
    near(difference.low, 0.0569);
    near(difference.high, 0.3404);
    assert.equal(difference.by, "score");
    // McNemar's exact test of 12 against 2: 2 * (1 + 14 + 91) / 2^14.
    near(difference.p, 0.012_939, 6);
    assert.equal(difference.effect, "raises");
  });

  it("is told as harm where it harms", () => {
    assert.equal(pairedDifference(table(36, 2, 12, 0)).effect, "lowers");
  });

  it("is told of nothing from five cases, however clear they look", () => {
    const difference = pairedDifference(table(0, 5, 0, 0));
    assert.equal(difference.effect, "too few to tell");
    near(difference.p, 0.0625);
  });

  it("can be told from six cases that all differ in one direction", () => {
    const difference = pairedDifference(table(10, 6, 0, 0));
    assert.ok(difference.p < 0.05);
    assert.equal(difference.effect, "raises");
  });

  it("is not told where as many got worse as got better", () => {
    assert.equal(pairedDifference(table(5, 6, 5, 4)).effect, "no difference shown");
  });

  it("is unknown without any pair", () => {
    const { low, high, effect, p } = pairedDifference([]);
    assert.deepEqual([low, high, effect, p], [-1, 1, "too few to tell", 1]);
  });

  it("is resampled over cases where each has several runs, and the same seed gives the same interval", () => {
    const pairs = Array.from({ length: 12 }, (_, at) => ({ with: 0.8, without: at % 3 === 0 ? 0.8 : 0.4 }));
    const one = pairedDifference(pairs, 7);
    assert.equal(one.by, "bootstrap");
    near(one.estimate, 0.4 * (8 / 12));
    assert.deepEqual(one, pairedDifference(pairs, 7));
    assert.ok(one.low > 0.1 && one.high <= 0.4 + 1e-12);
    assert.equal(one.effect, "raises");
  });

  it("turns its sign when the two are exchanged", () => {
    const outcome = fc.constantFrom(0, 1);
    fc.assert(
      fc.property(fc.array(fc.record({ with: outcome, without: outcome }), { maxLength: 40 }), (pairs) => {
        const there = pairedDifference(pairs);
        const back = pairedDifference(pairs.map((pair) => ({ with: pair.without, without: pair.with })));
        near(there.estimate, -back.estimate, 9);
        near(there.low, -back.high, 9);
        near(there.p, back.p, 9);
        assert.ok(there.low <= there.estimate + 1e-12 && there.estimate <= there.high + 1e-12);
      }),
    );
  });

  it("is found in about one of forty trials in each direction where there is none", () => {
    // Where a feature does nothing, telling of an effect is an error; it must be as rare as the confidence says.
    let told = 0;
    const rounds = 400;
    for (let round = 0; round < rounds; round += 1) {
      const bit = bits(round);
      const pairs = Array.from({ length: 30 }, () => ({ with: bit(), without: bit() }));
      if (/raises|lowers/.test(pairedDifference(pairs).effect)) told += 1;
    }
    assert.ok(told / rounds < 0.06, `${told} of ${rounds}`);
  });
});

/** Bits of a congruential generator: another than the one under test resamples with. */
function bits(seed: number): () => number {
  let state = BigInt(seed) * 7_919n + 1n;
  return () => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffff_ffff_ffff_ffffn;
    return Number(state >> 63n);
  };
}

describe("the difference in a figure", () => {
  it("has an interval that holds the mean", () => {
    const difference = pairedMean([120, 80, 100, 140, 60, 100, 90, 110]);
    assert.equal(difference.estimate, 100);
    assert.ok(difference.low > 60 && difference.high < 140);
    assert.equal(difference.effect, "raises");
  });

  it("is a mere range, and no effect, below six cases", () => {
    const difference = pairedMean([120, 80, 100]);
    assert.deepEqual([difference.low, difference.high, difference.by], [80, 120, "range"]);
    assert.equal(difference.effect, "too few to tell");
  });
});

describe("the exact sign test", () => {
  it("gives what can be counted on paper", () => {
    assert.equal(signTest(0, 0), 1);
    assert.equal(signTest(5, 0), 2 / 32);
    assert.equal(signTest(1, 1), 1);
    near(signTest(10, 2), 158 / 4096, 9);
  });
});

describe("an interval of resampled items", () => {
  it("is a point where all items are alike", () => {
    assert.deepEqual(bootstrap([2, 2, 2], mean), { estimate: 2, low: 2, high: 2 });
  });

  it("leaves out resamples that have no figure", () => {
    const interval = bootstrap([1, 2, 3], (sample) => (sample.includes(1) ? mean(sample) : Number.NaN));
    assert.ok(Number.isFinite(interval.low) && Number.isFinite(interval.high));
  });
});
