import type { EventOf, TurnEvent } from "../../../src/agent/events.ts";
import type { CriticHostMessage, CriticState } from "../../../src/trace/panel-critic.ts";
import { OTHER_MODEL, otherAnswers } from "../../unit/trace/support/other-answer.ts";
import { TurnScript } from "../../unit/trace/support/turn-script.ts";
import { committeeTurn } from "../../unit/trace/support/committee-turn.ts";
import { SteadyIdentity } from "../../unit/trace/support/steady-identity.ts";
import type { PanelBed } from "../../unit/trace/support/panel-bed.ts";
import { withCacheTurn } from "./turns.ts";

/** The turn of the drawing, with all that can be said of a turn once it is over, and a warning of each kind with a button. */
export async function withJudgedTurn(bed: PanelBed): Promise<void> {
  const script = await withCacheTurn(bed);
  const place = { parentId: script.turnId };
  const { emitter } = script;
  const model = { "gen_ai.request.model": "judge:8b" };
  emitter.emit("warning", place, {
    code: "web_off",
    message: "The web tools are off: no page was read.",
    detail: { tool: "web_fetch" },
  });
  emitter.emit("warning", place, {
    code: "context_cut",
    message: "The result of web_fetch was cut to 2,140 of 6,300 characters for want of room.",
    detail: { kept: 2140, of: 6300 },
  });
  emitter.emit("critique.result", place, {
    score: 4,
    feedback: "Grounded in what was recalled; the date of the second replica is right.",
    ...model,
  });
  emitter.emit("pairwise.result", place, {
    winner: "B",
    feedback: "B names where its date comes from, A does not.",
    ...model,
  });
  emitter.emit("user.feedback", place, {
    rating: "up",
    note: "short and right",
    "conclave.door": "panel",
  });
  emitter.emit("memory.learned", place, {
    "conclave.episode_ids": ["00000000-0000-4000-8000-000000000001"],
    "conclave.extracted": 1,
    "conclave.updated": 1,
    "conclave.by": "model",
    "gen_ai.request.model": "qwen3:8b",
    "gen_ai.usage.input_tokens": 900,
    "gen_ai.usage.output_tokens": 110,
    "conclave.learned": {
      added: [{ id: "a", text: "There are two replicas since 20 March" }],
      repeated: [],
      closed: [{ id: "b", text: "One node serves all requests" }],
      rejected: [],
      entities: 0,
      edges: 0,
    },
    "conclave.duration_ms": 2400,
  });
  await bed.log.flush();
}

/** The turn of a committee. */
export async function withCommitteeTurn(bed: PanelBed): Promise<void> {
  committeeTurn((event) => bed.log.append(event), {
    identity: new SteadyIdentity(Date.now() - 900_000, 700_000),
  });
  await bed.log.flush();
}

/** The critic of a window that has something to do. */
export function criticState(change: Partial<CriticState> = {}): CriticHostMessage {
  return {
    type: "critic.state",
    state: {
      ...{ mode: "all", shadow: "request", judge: "judge:8b", rubrics: ["helpfulness", "grounding"] },
      ...{ running: null, waiting: [], dropped: 0 },
      ...change,
    },
  };
}

/** What a judge says of how it judged. */
const HOW = {
  "gen_ai.request.model": "judge:8b",
  "conclave.judge": "constrained",
  "conclave.rubric": "helpfulness",
  "conclave.asked_by": "critic",
  "conclave.duration_ms": 3_200,
  "conclave.attempts": 3,
  "gen_ai.usage.input_tokens": 2_400,
  "gen_ai.usage.output_tokens": 180,
} as const;

/**
 * The turn of the drawing, graded three times over by a judge of the writer's family, answered a second time and
 * compared, thumbed, asked again, and worth something for it.
 */
export async function withComparedTurn(
  bed: PanelBed,
  verdict: Partial<EventOf<"pairwise.result">["data"]> = {},
): Promise<TurnScript> {
  const script = await withCacheTurn(bed);
  const { emitter, sessionId, turnId } = script;
  const place = { parentId: turnId };
  emitter.emit("critique.result", place, {
    score: 4,
    feedback:
      "Grounded in what was **recalled**; the date of the second replica is right.\n\nIt does not say *where* the date comes from.",
    ...HOW,
    "conclave.scores": [4, 5, 4],
    "conclave.spread": 1,
    "conclave.same_family": "qwen3",
  });
  const sink = (event: TurnEvent): void => bed.log.append(event);
  const other = otherAnswers(script, sink);
  bed.log.append({
    ...{ id: "b0b0b0b0b0b0b0b0", parentId: other, time: Date.now(), sessionId, turnId },
    ...{ agent: "second", respondent: "B", type: "critique.result" },
    data: {
      score: 3,
      feedback: "Says where its date comes from, and no more.",
      ...HOW,
      "conclave.attempts": 1,
    },
  });
  emitter.emit("pairwise.result", place, {
    winner: "B",
    feedback: "B names where its date comes from, A does not.",
    ...HOW,
    "conclave.orders": [
      { first: "A", winner: "B", feedback: "The second answer names its source." },
      { first: "B", winner: "B", feedback: "The first answer names its source." },
    ],
    "conclave.a": { agent: "conclave", model: "qwen3:8b" },
    "conclave.b": { agent: "second", model: OTHER_MODEL, temperature: 0.2 },
    ...verdict,
  });
  emitter.emit("user.feedback", place, { rating: "up", note: "short and right", "conclave.door": "panel" });
  emitter.emit("user.feedback", place, {
    rating: "down",
    "conclave.door": "chat",
    "conclave.implicit": "asked_again",
    "conclave.evidence": "And which cache was it that we took in the end?",
  });
  emitter.emit("reward.event", place, {
    reward: 0.35,
    reason: "thumbs up, asked again",
    "gen_ai.request.model": "qwen3:8b",
    "conclave.sources": [
      { kind: "thumbs", worth: 0.5, time: Date.now() - 60_000, event: "e1" },
      { kind: "asked_again", worth: -0.15, time: Date.now(), event: "e2" },
    ],
  });
  await bed.log.flush();
  return script;
}

/** Answers of the last weeks, each with its grade; every fifth one could not be graded. */
export async function withGradedDays(bed: PanelBed): Promise<void> {
  for (let index = 0; index < 15; index += 1) {
    const identity = new SteadyIdentity(Date.now() - (index + 1) * 36 * 3_600_000, (index + 1) * 1_000);
    const question = `What did we decide about cache ${index}?`;
    const script = new TurnScript((event) => bed.log.append(event), { question, identity });
    script.ask().reply({ content: "It stays." }).stepEnd().answered("It stays.");
    const isGraded = index % 5 !== 4;
    script.emitter.emit(
      "critique.result",
      { parentId: script.turnId },
      {
        score: isGraded ? 1 + ((index * 7 + 3) % 5) : null,
        feedback: isGraded ? "Grounded in what was given, but longer than it needs to be." : "",
        ...HOW,
        ...(!isGraded && { "conclave.ungraded": "not graded (cut off)", "conclave.raw": "The answer is" }),
      },
    );
  }
  await bed.log.flush();
}
