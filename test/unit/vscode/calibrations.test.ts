import assert from "node:assert/strict";
import { keptCalibrations } from "../../../src/vscode/models/calibrations.ts";

/** A storage of the editor, and what it was given. */
function storage(held?: unknown) {
  let value = held;
  let writes = 0;
  return {
    get: () => value,
    update: (_key: string, next: unknown) => {
      value = structuredClone(next);
      writes += 1;
      return Promise.resolve();
    },
    writes: () => writes,
  };
}

describe("how a model's server counts tokens", () => {
  it("is known again after a restart", () => {
    const state = storage();
    keptCalibrations(state).keep("qwen3:8b", 1.2345);
    assert.equal(keptCalibrations(state).of("qwen3:8b"), 1.235);
    assert.equal(keptCalibrations(state).of("other"), undefined);
    assert.equal(keptCalibrations(state).of("constructor"), undefined);
  });

  it("is written only when it has changed for good", () => {
    const state = storage();
    const kept = keptCalibrations(state);
    for (const ratio of [1.2, 1.201, 1.199, 1.21, 1.3]) kept.keep("m", ratio);
    assert.equal(state.writes(), 2);
    assert.equal(kept.of("m"), 1.3);
  });

  it("is kept for so many models, those that were told of last", () => {
    const state = storage();
    const kept = keptCalibrations(state);
    for (let model = 0; model < 200; model += 1) kept.keep(`m${model}`, 1.1);
    assert.equal(Object.keys(state.get() as object).length, 64);
    assert.equal(kept.of("m199"), 1.1);
    assert.equal(kept.of("m0"), undefined);
  });

  for (const damaged of ["?", 7, null, ["a"], { m: "much" }])
    it(`counts as unknown where the storage holds ${JSON.stringify(damaged)}`, () => {
      const kept = keptCalibrations(storage(damaged));
      assert.equal(kept.of("m"), undefined);
      kept.keep("m", 1.1);
      assert.equal(kept.of("m"), 1.1);
    });

  it("is lost without a word where the storage fails", async () => {
    const kept = keptCalibrations({ get: () => undefined, update: () => Promise.reject(new Error("full")) });
    kept.keep("m", 1.1);
    await Promise.resolve();
    assert.equal(kept.of("m"), undefined);
  });
});
