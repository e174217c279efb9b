import assert from "node:assert/strict";
import { whyRecalled } from "../../../../src/agent/explain-hit.ts";

describe("Why a memory was recalled", () => {
  it("is one plain sentence of what speaks for it, what lifted and what lowered it", () => {
    assert.equal(
      whyRecalled({ text: 0.9, vector: 0.1, speaker: 1, relevance: 0.8, score: 0.1, verdict: -0.05 }),
      "Recalled because the one who was asked about said it and it shares words with what was asked; lifted by its good grade (+0.10); lowered by the verdict against it (−0.05).",
    );
  });

  it("says so when only the turns beside it fit, or nothing does", () => {
    assert.match(whyRecalled({ textNeighbours: 0.4 }), /what stands beside it fits/);
    assert.equal(whyRecalled({ text: undefined }), "Recalled, though nothing says why.");
  });
});
