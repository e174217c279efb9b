import assert from "node:assert/strict";
import fc from "fast-check";
import { sharesOf } from "../../../../src/agent/budget/settings.ts";
import { partLimits } from "../../../../src/agent/budget/shares.ts";

const size = { contextLength: 32_768, maxOutputTokens: 8_192, calibration: 1, shares: {} };

describe("the shares of a context", () => {
  it("are a quarter each for system, history and memory, an eighth for tools and answer", () => {
    assert.deepEqual(partLimits(size), {
      prompt: 28_672,
      system: 8_192,
      tools: 4_096,
      history: 8_192,
      memory: 8_192,
      answer: 4_096,
    });
  });

  it("leave the answer no more than it may use, and a useful rest of a short context", () => {
    assert.equal(partLimits({ ...size, maxOutputTokens: 500 }).answer, 500);
    assert.equal(partLimits({ ...size, contextLength: 1_024 }).answer, 256);
    assert.equal(partLimits({ ...size, contextLength: 512 }).answer, 128);
  });

  it("are smaller in estimated tokens for a model whose server counts more of them", () => {
    const { prompt, answer } = partLimits({ ...size, calibration: 2 });
    assert.equal(prompt, 14_336);
    assert.equal(answer, 4_096, "as the server counts");
  });

  it("can be used whatever the settings say", () => {
    const value = fc.oneof(fc.double(), fc.constantFrom(-5, 0, 100, 1e9, Number.NaN, Infinity));
    const shares = fc.record({ system: value, tools: value, history: value, memory: value, answer: value });
    fc.assert(
      fc.property(shares, fc.integer({ min: 1, max: 1_000_000 }), (given, contextLength) => {
        const all = Object.values<number>({ ...sharesOf(given) });
        assert.ok(all.every((share) => share >= 0 && share <= 100.001));
        assert.ok(all.reduce((sum, share) => sum + share, 0) <= 100.001);
        const { prompt, answer } = partLimits({ ...size, shares: given, contextLength });
        assert.ok(answer >= 0 && prompt >= 0 && prompt + answer <= contextLength);
      }),
    );
  });
});
