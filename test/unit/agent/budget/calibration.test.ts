import assert from "node:assert/strict";
import fc from "fast-check";
import { Calibration } from "../../../../src/agent/budget/calibration.ts";
import { createModelLessons } from "../../../../src/agent/model-lessons.ts";

const contextLength = 8_192;

function counted(calibration: Calibration, estimate: number, count: number): boolean {
  return calibration.add({ estimate, counted: count, contextLength }).truncated;
}

describe("the estimate of a model's tokens", () => {
  it("is taken as it is before the server counted anything", () => {
    assert.equal(new Calibration().ratio, 1);
  });

  it("follows what the server counts, long prompts more than short ones", () => {
    const calibration = new Calibration();
    for (let turn = 0; turn < 5; turn += 1) counted(calibration, 100, 180);
    assert.equal(calibration.ratio, 1.8);
    counted(calibration, 4_000, 4_800);
    assert.equal(calibration.ratio, 1.2);
  });

  it("is not led astray by a single count that is off", () => {
    const calibration = new Calibration();
    for (let turn = 0; turn < 6; turn += 1) counted(calibration, 1_000, 1_100);
    counted(calibration, 1_000, 2_900);
    assert.equal(calibration.ratio, 1.1);
  });

  it("forgets a tokenizer that is no longer the model's", () => {
    const calibration = new Calibration();
    for (let turn = 0; turn < 20; turn += 1) counted(calibration, 1_000, 1_500);
    for (let turn = 0; turn < 20; turn += 1) counted(calibration, 1_000, 1_100);
    assert.equal(calibration.ratio, 1.1);
  });

  for (const [how, estimate, count] of [
    ["as long as the whole context", 7_000, 8_192],
    ["well below what was sent", 6_000, 3_000],
    ["half of the context", 8_000, 4_100],
    ["the whole context of a server that has a shorter one", 8_000, 4_096],
  ] as const) {
    it(`leaves out a prompt that was cut: counted ${how}`, () => {
      const calibration = new Calibration();
      counted(calibration, 1_000, 1_050);
      assert.equal(counted(calibration, estimate, count), true);
      assert.equal(calibration.ratio, 1.05);
    });
  }

  it("takes no short prompt, and no count that no server could mean, for a cut", () => {
    const calibration = new Calibration();
    assert.equal(counted(calibration, 200, 10), false);
    assert.equal(counted(calibration, 5_000, 12), false);
    assert.equal(calibration.ratio, 1);
  });

  it("rises when the server refuses what was thought to fit", () => {
    const calibration = new Calibration();
    for (let turn = 0; turn < 9; turn += 1) counted(calibration, 2_000, 2_000);
    calibration.refused({ estimate: 6_000, contextLength });
    assert.ok(calibration.ratio > 1.3);
  });

  it("stays within its bounds whatever is counted", () => {
    const number = fc.oneof(fc.nat(100_000), fc.constantFrom(0, 1, Number.NaN, Number.MAX_SAFE_INTEGER));
    fc.assert(
      fc.property(
        fc.array(fc.record({ estimate: number, counted: number, contextLength: number })),
        (prompts) => {
          const calibration = new Calibration();
          for (const prompt of prompts) {
            calibration.add(prompt);
            calibration.refused(prompt);
          }
          assert.ok(calibration.ratio >= 0.4 && calibration.ratio <= 3, `${calibration.ratio}`);
        },
      ),
    );
  });

  it("begins where it stood before, and goes by what is counted from then on", () => {
    const calibration = new Calibration(1.4);
    assert.equal(calibration.ratio, 1.4);
    // Of a model that was pulled anew: no prompt was cut, it is another tokenizer.
    assert.equal(counted(calibration, 2_000, 1_500), false);
    assert.equal(calibration.ratio, 0.75);
    for (const wrong of [0, -1, 40, Number.NaN]) assert.equal(new Calibration(wrong).ratio, 1);
  });

  it("is handed on when it was counted, and not when the server cut the prompt", () => {
    const kept = new Map([["a", 1.4]]);
    const store = {
      of: (model: string) => kept.get(model),
      keep: (model: string, ratio: number) => void kept.set(model, ratio),
    };
    const lessons = createModelLessons(store);
    assert.equal(lessons.calibration("a"), 1.4);
    lessons.counted("a", { estimate: 2_000, counted: 2_400, contextLength });
    lessons.counted("a", { estimate: 8_000, counted: 4_096, contextLength });
    assert.equal(kept.get("a"), 1.2);
    assert.equal(createModelLessons(store).calibration("a"), 1.2);
  });

  it("is kept for each model apart", () => {
    const lessons = createModelLessons();
    lessons.counted("a", { estimate: 1_000, counted: 1_500, contextLength });
    assert.equal(lessons.calibration("a"), 1.5);
    assert.equal(lessons.calibration("b"), 1);
  });
});
