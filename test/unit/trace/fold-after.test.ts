import assert from "node:assert/strict";
import { foldEvent } from "../../../src/trace/fold.ts";
import { emptyTurn, type TurnModel } from "../../../src/trace/model.ts";
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
