import assert from "node:assert/strict";
import { scoreParts, whyRecalled } from "../../../../src/agent/memory/explain-hit.ts";

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

  it("says what the critic gave, which answer was preferred, and what you said of it and when", () => {
    const now = Date.UTC(2026, 11, 5);
    const day = 86_400_000;
    const notes = {
      ...{ score: 4, scoreBy: "critic" as const, verdict: "winner" as const },
      ...{ reward: -1, rewardFor: "thumbed down", rewardAt: now - 3 * day },
    };
    const parts = { text: 0.9, relevance: 0.9, score: 0.05, verdict: 0.05, reward: -0.1 };
    assert.equal(
      whyRecalled(parts, { notes, now }),
      "Recalled because it shares words with what was asked; lifted by its good grade (critic 4/5, +0.05) and the verdict for it (preferred, +0.05); lowered by your poor opinion of it (thumbed down 3 days ago, −0.10).",
    );
    const said = scoreParts(parts, { notes, now }).map(({ name, says }) => [name, says]);
    assert.deepEqual(said, [
      ["text", undefined],
      ["score", "critic 4/5"],
      ["verdict", "preferred"],
      ["reward", "thumbed down 3 days ago"],
    ]);
  });

  it("tells your own grade from a critic's, and long times in months", () => {
    const now = Date.UTC(2026, 11, 5);
    const notes = { score: 2, scoreBy: "user" as const, rewardFor: "copied", rewardAt: Date.UTC(2026, 5, 5) };
    assert.match(
      whyRecalled({ score: -0.05, reward: 0.02 }, { notes, now }),
      /copied 6 months ago.*graded 2\/5 by you/,
    );
  });
});
