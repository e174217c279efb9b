import assert from "node:assert/strict";
import { foldEvent } from "../../../src/trace/fold.ts";
import { bestSingle, bestSingleWords } from "../../../src/trace/judged-words.ts";
import { emptyTurn, type TurnModel } from "../../../src/trace/model.ts";
import { applySummary, type SummaryRows } from "../../../src/trace/summary.ts";
import { committeeTurn } from "./support/committee-turn.ts";
import { SteadyIdentity } from "./support/steady-identity.ts";
import { TurnScript } from "./support/turn-script.ts";

/** A turn that has ended, and the way to say something of it. */
function ended(): { readonly turn: TurnModel; readonly script: TurnScript } {
  const turn = emptyTurn("s", "t", 0);
  const script = new TurnScript((event) => foldEvent(turn, event), { identity: new SteadyIdentity() });
  script.ask().reply({ content: "Yes." }).answered("Yes.");
  return { turn, script };
}

const graded = (score: number | null) => ({ score, feedback: "Grounded.", "gen_ai.request.model": "judge" });
const corrected = (score: number | null) => ({ score, reason: "Wrong day.", "conclave.by": "you" });

describe("what is said of a turn afterwards", () => {
  it("counts the grade that a person gave, beside the critic's", () => {
    const { turn, script } = ended();
    const place = { parentId: script.turnId };
    script.emitter.emit("critique.result", place, graded(4));
    script.emitter.emit("critique.corrected", place, corrected(2));
    assert.deepEqual(
      [turn.grade?.score, turn.grade?.corrected?.reason, turn.grade?.given?.score],
      [2, "Wrong day.", 4],
    );
    script.emitter.emit("critique.corrected", place, corrected(3));
    assert.deepEqual(
      [turn.grade?.score, turn.grade?.given?.score],
      [3, 4],
      "the latest one, the same critic's",
    );
  });

  it("keeps a person's grade when the critic grades once more", () => {
    const { turn, script } = ended();
    const place = { parentId: script.turnId };
    script.emitter.emit("critique.corrected", place, corrected(2));
    script.emitter.emit("critique.result", place, graded(5));
    assert.deepEqual([turn.grade?.score, turn.grade?.given?.score], [2, 5]);
  });

  it("takes the latest thumb with its note, and none when it is taken back", () => {
    const { turn, script } = ended();
    const place = { parentId: script.turnId };
    script.emitter.emit("user.feedback", place, { rating: "up", "conclave.door": "panel" });
    script.emitter.emit("user.feedback", place, { rating: "down", note: "late", "conclave.door": "panel" });
    assert.deepEqual([turn.feedback?.rating, turn.feedback?.note], ["down", "late"]);
    script.emitter.emit("user.feedback", place, { rating: "none", "conclave.door": "panel" });
    assert.equal(turn.feedback, undefined);
  });

  it("keeps all that a judge says of how it judged, and reads a log that has none of it", () => {
    const { turn, script } = ended();
    const place = { parentId: script.turnId };
    script.emitter.emit("critique.result", place, graded(4));
    assert.deepEqual(Object.keys(turn.grade ?? {}).sort(), ["eventId", "feedback", "model", "score", "time"]);
    script.emitter.emit("critique.result", place, {
      ...graded(null),
      "conclave.judge": "prometheus",
      "conclave.rubric": "grounding",
      "conclave.asked_by": "user",
      "conclave.duration_ms": 900,
      "conclave.attempts": 3,
      "conclave.same_family": "qwen3",
      "conclave.raw": "I say",
      "conclave.scores": [null, 4, null],
      "conclave.spread": 0,
      "conclave.ungraded": "not graded (cut off)",
      "conclave.reference": true,
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 2,
      error: { code: "timeout", message: "Too slow." },
    });
    assert.deepEqual(turn.grade, {
      ...{ eventId: turn.grade?.eventId, time: turn.grade?.time },
      ...{ score: null, feedback: "Grounded.", model: "judge", judge: "prometheus", rubric: "grounding" },
      ...{ askedBy: "user", durationMs: 900, attempts: 3, sameFamily: "qwen3", raw: "I say" },
      ...{ scores: [null, 4, null], spread: 0, ungraded: "not graded (cut off)", reference: true },
      ...{ inputTokens: 10, outputTokens: 2, error: { code: "timeout", message: "Too slow." } },
    });
  });

  it("says no more why there was no grade once a person has given one", () => {
    const { turn, script } = ended();
    const place = { parentId: script.turnId };
    script.emitter.emit("critique.result", place, {
      ...graded(null),
      "conclave.ungraded": "not graded (cut off)",
    });
    script.emitter.emit("critique.corrected", place, corrected(3));
    assert.deepEqual(
      [turn.grade?.score, turn.grade?.ungraded, turn.grade?.given?.ungraded],
      [3, undefined, "not graded (cut off)"],
    );
  });

  it("keeps what was concluded apart from the thumb, the latest of each kind, and takes it back", () => {
    const { turn, script } = ended();
    const place = { parentId: script.turnId };
    const concluded = (
      sign: "asked_again" | "copied",
      rating: "up" | "down" | "none",
      evidence: string,
    ): void => {
      script.emitter.emit("user.feedback", place, {
        ...{ rating, "conclave.door": "chat", "conclave.implicit": sign, "conclave.evidence": evidence },
      });
    };
    script.emitter.emit("user.feedback", place, { rating: "up", "conclave.door": "panel" });
    concluded("asked_again", "down", "And which cache?");
    concluded("copied", "up", "two lines");
    concluded("asked_again", "down", "But which cache?");
    assert.equal(turn.feedback?.rating, "up", "what was said stays");
    assert.deepEqual(
      turn.signs?.map(({ sign, rating, evidence }) => [sign, rating, evidence]),
      [
        ["copied", "up", "two lines"],
        ["asked_again", "down", "But which cache?"],
      ],
    );
    concluded("asked_again", "none", "");
    concluded("copied", "none", "");
    assert.equal(turn.signs, undefined);
    const rows: SummaryRows = new Map();
    applySummary(rows, {
      ...{ id: "x", parentId: script.turnId, time: 1, sessionId: "s", turnId: script.turnId },
      ...{ agent: "user", respondent: "A", type: "user.feedback" },
      data: { rating: "down", "conclave.door": "chat", "conclave.implicit": "contradicted" },
    });
    assert.equal(rows.get(script.turnId)?.feedback, null, "it is no thumb in the list either");
  });

  it("holds a reward with what it is made of and whose it is; none once all of it was taken back", () => {
    const { turn, script } = ended();
    const place = { parentId: script.turnId };
    const sources = [{ kind: "thumbs" as const, worth: 0.5, time: 1, event: "e" }];
    script.emitter.emit("reward.event", place, {
      ...{ reward: 0.5, reason: "thumbs up", "gen_ai.request.model": "qwen3:8b" },
      "conclave.sources": sources,
    });
    assert.deepEqual(turn.reward, {
      time: turn.reward?.time,
      ...{ value: 0.5, reason: "thumbs up", agent: "conclave", model: "qwen3:8b", sources },
    });
    script.emitter.emit("reward.event", place, { reward: 0, reason: "taken back", "conclave.sources": [] });
    assert.equal(turn.reward, undefined);
  });

  it("keeps a row's grade as a person gave it when the critic grades once more, and notes comparisons", () => {
    const rows: SummaryRows = new Map();
    const script = new TurnScript((event) => void applySummary(rows, event), {
      identity: new SteadyIdentity(),
    });
    const place = { parentId: script.turnId };
    script.emitter.emit("critique.corrected", place, corrected(2));
    script.emitter.emit("critique.result", place, graded(5));
    script.emitter.emit("pairwise.result", place, {
      ...{ winner: null, feedback: "Both.", "gen_ai.request.model": "judge" },
    });
    const row = rows.get(script.turnId);
    assert.deepEqual([row?.grade, row?.corrected, row?.compared], [2, true, "tie"]);
  });

  it("says whether a synthesis beat the best single answer, where both were graded", () => {
    const turn = emptyTurn("s", "t", 0);
    const { sessionId, turnId } = committeeTurn((event) => foldEvent(turn, event));
    const members = [...turn.cells.values()].filter(
      (cell) => cell.kind === "agent" && cell.role === "persona",
    );
    const give = (parentId: string, score: number | null): void => {
      foldEvent(turn, {
        ...{ id: `g${parentId}${score}`, parentId, time: 1, sessionId, turnId, agent: "a", respondent: "A" },
        type: "critique.result",
        data: graded(score),
      });
    };
    assert.equal(bestSingle(turn), undefined);
    members.forEach(({ id }, at) => give(id, at === 1 ? 4 : 2));
    assert.equal(bestSingle(turn), undefined, "the synthesis has no grade yet");
    for (const [score, words] of [
      [5, "beat the"],
      [4, "equalled, but did not beat, the"],
      [3, "did not beat the"],
    ] as const) {
      give(turnId, score);
      const best = bestSingle(turn);
      assert.ok(best && bestSingleWords(best).includes(`(${score}) ${words} best single answer`), words);
    }
    give(turnId, null);
    assert.equal(bestSingle(turn), undefined, "no grade beats nothing");
  });

  it("is of a persona where it stands under that persona, and not of the turn", () => {
    const turn = emptyTurn("s", "t", 0);
    const { sessionId, turnId } = committeeTurn((event) => foldEvent(turn, event));
    const member = [...turn.cells.values()].find((cell) => cell.kind === "agent" && cell.role === "persona");
    assert.ok(member?.kind === "agent");
    const before = member.revision;
    foldEvent(turn, {
      ...{ id: "f", parentId: member.id, time: 1, sessionId, turnId, agent: "user", respondent: "A" },
      type: "user.feedback",
      data: { rating: "up", "conclave.door": "panel" },
    });
    assert.deepEqual([member.feedback?.rating, turn.feedback], ["up", undefined]);
    assert.ok(member.revision > before, "it is drawn again");
  });
});
