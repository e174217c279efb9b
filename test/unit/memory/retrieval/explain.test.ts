import assert from "node:assert/strict";
import { explainHit } from "../../../../src/agent/explain-hit.ts";

describe("Why a memory was recalled", () => {
  it("is one plain sentence of what speaks for it", () => {
    assert.equal(
      explainHit({ parts: { text: 0.9, vector: 0.1, speaker: 1, relevance: 0.8, score: 0.1 } }),
      "Recalled because it holds words of the question and the one named said it; raised by a good grade.",
    );
  });

  it("says what lowered it, and when nothing speaks for it but that the rest is worse", () => {
    assert.equal(
      explainHit({ parts: { text: 0.1, verdict: -0.05, reward: -0.1 } }),
      "Recalled because nothing else came nearer to the question; lowered by a duel lost and bad feedback.",
    );
  });
});
