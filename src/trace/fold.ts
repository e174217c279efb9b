import type { EventOf, TurnEvent, TurnEventType } from "../agent/events.ts";
import {
  foldCorrected,
  foldCritique,
  foldFeedback,
  foldPairwise,
  foldReward,
  foldShadow,
  foldTaken,
} from "./fold-after.ts";
import { addCell, closeOpenCells, endCell, touch } from "./fold-cells.ts";
import {
  foldCommitteeEnd,
  foldCommitteeStart,
  foldRanking,
  foldRoundEnd,
  foldRoundStart,
} from "./fold-committee.ts";
import { foldBudget, foldCompacted, foldOutput, foldRestored } from "./fold-context.ts";
import { foldModelDelta, foldModelEnd, foldModelStart, settleAnswer } from "./fold-model.ts";
import {
  foldCard,
  foldLearned,
  foldSandboxEnd,
  foldSandboxMessage,
  foldSandboxStart,
} from "./fold-sandbox.ts";
import { foldToolRequest, foldToolResult } from "./fold-tool.ts";
import { emptyTurn, type SessionModel, type TurnModel } from "./model.ts";
import { isOthersOwn } from "./respondent.ts";

function foldTurnStart(turn: TurnModel, event: EventOf<"turn.start">): void {
  turn.parentTurnId = event.data["conclave.parent_turn_id"];
  turn.door = event.data["conclave.door"];
  turn.start = event.time;
  turn.agent = event.agent;
  const fork = event.data["conclave.fork"];
  if (fork !== undefined) turn.fork = fork;
  const imported = event.data["conclave.imported"];
  if (imported !== undefined) turn.imported = imported;
}

function foldQuery(turn: TurnModel, event: EventOf<"query.received">): void {
  turn.question = event.data.query;
  addCell(turn, event, {
    kind: "question",
    text: event.data.query,
    references: event.data.references ?? [],
    status: "done",
    end: event.time,
  });
}

function foldAgentStart(turn: TurnModel, event: EventOf<"agent.start">): void {
  const { data } = event;
  const role = data["conclave.role"];
  const host = data["conclave.host"];
  const sample = data["conclave.sample"];
  if (role === undefined) turn.agent = event.agent;
  addCell(turn, event, {
    kind: "agent",
    model: data["gen_ai.request.model"],
    state: "idle",
    answer: "",
    inputTokens: 0,
    outputTokens: 0,
    toolCalls: 0,
    ...(role !== undefined && { role }),
    ...(host !== undefined && { host }),
    ...(sample !== undefined && { sample }),
  });
}

function foldTransition(turn: TurnModel, event: EventOf<"agent.transition">): void {
  const parent = event.parentId === null ? undefined : turn.cells.get(event.parentId);
  if (parent?.kind === "agent") parent.state = event.data.to;
}

function foldAgentEnd(turn: TurnModel, event: EventOf<"agent.end">): void {
  const agent = turn.cells.get(event.id);
  if (agent?.kind !== "agent") return;
  if (event.data.error !== undefined) agent.error = event.data.error;
  const { outcome } = event.data;
  endCell(agent, event.time, outcome === "answered" ? "done" : outcome);
}

function foldWarning(turn: TurnModel, event: EventOf<"warning">): void {
  const { code, message, detail } = event.data;
  addCell(turn, event, {
    kind: "warning",
    code,
    message,
    ...(detail === undefined ? {} : { detail }),
    status: "done",
    end: event.time,
  });
}

function foldCheck(turn: TurnModel, event: EventOf<"model.check">): void {
  const { time, data: check } = event;
  const {
    "conclave.duration_ms": durationMs,
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
  } = check;
  const spent = { start: time - durationMs, end: time, durationMs, inputTokens, outputTokens };
  addCell(turn, event, { kind: "check", check, status: "done", ...spent });
}

function foldTurnEnd(turn: TurnModel, event: EventOf<"turn.end">): void {
  const { outcome, error } = event.data;
  turn.status = outcome;
  turn.end = event.time;
  turn.durationMs = event.data["conclave.duration_ms"];
  turn.steps = event.data["conclave.steps"];
  turn.inputTokens = event.data["gen_ai.usage.input_tokens"] ?? turn.inputTokens;
  turn.outputTokens = event.data["gen_ai.usage.output_tokens"] ?? turn.outputTokens;
  closeOpenCells(turn, event.time, outcome === "cancelled" ? "cancelled" : "failed");
  if (error === undefined) return;
  turn.error = error;
  if (outcome !== "failed") return;
  addCell(
    turn,
    { ...event, id: `${event.turnId}/error`, parentId: null },
    { kind: "error", failure: error, status: "failed", end: event.time },
  );
}

function foldIngested(turn: TurnModel, event: EventOf<"memory.ingested">): void {
  const { error } = event.data;
  turn.remembered = {
    episodeIds: event.data["conclave.episode_ids"],
    ...(event.data["conclave.retrieved"] !== undefined && { retrieved: event.data["conclave.retrieved"] }),
    ...(error === undefined ? {} : { error }),
  };
}

function foldDialog(turn: TurnModel, event: EventOf<"answer.dialog">): void {
  turn.answer = event.data.answer;
  turn.sources = event.data["conclave.sources"] ?? [];
}

function foldStep(turn: TurnModel, event: EventOf<"step.start">): void {
  turn.steps = Math.max(turn.steps, event.data.index);
  addCell(turn, event, {
    kind: "step",
    index: event.data.index,
    protocol: event.data["conclave.protocol"],
  });
}

function foldSchema(turn: TurnModel, event: EventOf<"tool.schema">): void {
  turn.tools = event.data.tools.map((tool) => tool.name);
  turn.protocol = event.data["conclave.protocol"];
  const { "conclave.recall": by, "conclave.recall_reason": why = "" } = event.data;
  if (by !== undefined) turn.recall = by === "first" ? `before the model. ${why}` : "the model";
}

const FOLDS: { readonly [Type in TurnEventType]: (turn: TurnModel, event: EventOf<Type>) => void } = {
  "turn.start": foldTurnStart,
  "query.received": foldQuery,
  "agent.start": foldAgentStart,
  "agent.transition": foldTransition,
  "tool.schema": foldSchema,
  "step.start": foldStep,
  "step.end": (turn, event) => touch(turn, event.id, (step) => endCell(step, event.time, "done")),
  "model.start": foldModelStart,
  "model.delta": foldModelDelta,
  "model.end": foldModelEnd,
  "tool.request": foldToolRequest,
  "tool.result": foldToolResult,
  "model.check": foldCheck,
  warning: foldWarning,
  "committee.start": foldCommitteeStart,
  "round.start": foldRoundStart,
  "round.end": foldRoundEnd,
  "committee.ranking": foldRanking,
  "committee.end": foldCommitteeEnd,
  "output.structured": foldOutput,
  "context.budget": foldBudget,
  "context.compacted": foldCompacted,
  "context.restored": foldRestored,
  "sandbox.start": foldSandboxStart,
  "sandbox.message": foldSandboxMessage,
  "sandbox.end": foldSandboxEnd,
  "response.generation": (turn, event) => settleAnswer(turn, event, event.data.answer),
  "agent.end": foldAgentEnd,
  "answer.dialog": foldDialog,
  "turn.end": foldTurnEnd,
  "memory.ingested": foldIngested,
  "memory.learned": foldLearned,
  "memory.card": foldCard,
  "user.feedback": foldFeedback,
  "reward.event": foldReward,
  "critique.result": foldCritique,
  "critique.corrected": foldCorrected,
  "pairwise.result": foldPairwise,
  "shadow.answer": foldShadow,
  "shadow.taken": foldTaken,
};

/**
 * Folds one event into its turn, in place, in a time that does not grow with the turn. Any order and any repetition
 * is survived; the log (which holds no deltas) and the live stream come to the same model at the end of the turn.
 */
export function foldEvent(turn: TurnModel, event: TurnEvent): void {
  turn.revision += 1;
  // Of a branch only what it took over from a turn may be forgotten.
  if (event.forgotten !== undefined && event.replays === undefined) turn.forgotten = event.forgotten;
  if (!Object.hasOwn(FOLDS, event.type)) return;
  const fold = FOLDS[event.type] as (turn: TurnModel, event: TurnEvent) => void;
  const model = modelOf(turn, event);
  if (model !== turn) beforeOther(model, event);
  fold(model, event);
}

/** The model that an event belongs to: the turn's, or that of respondent B in it, which begins with its first event. */
export function modelOf(turn: TurnModel, event: TurnEvent): TurnModel {
  if (!isOthersOwn(event)) return turn;
  turn.other ??= { ...emptyTurn(turn.sessionId, turn.turnId, event.time), question: turn.question };
  return turn.other;
}

/** Another run of respondent B takes the place of the one before. */
function beforeOther(other: TurnModel, event: TurnEvent): void {
  other.revision += 1;
  if (event.type !== "agent.start" || event.data["conclave.role"] !== "shadow") return;
  if (other.cells.has(event.id)) return;
  Object.assign(other, { status: "running", agent: event.agent, start: event.time, answer: "" });
  delete other.end;
  delete other.error;
}

/** Says of a turn whose log has no end that nobody works on it any more. Cells that ran are interrupted. */
export function markInterrupted(turn: TurnModel): void {
  if (turn.other !== undefined) markInterrupted(turn.other);
  if (turn.status !== "running") return;
  turn.status = "interrupted";
  turn.revision += 1;
  let last = turn.start;
  for (const cell of turn.cells.values()) last = Math.max(last, cell.end ?? cell.start);
  closeOpenCells(turn, last, "interrupted");
}

/** A session of which nothing is known yet. */
export function emptySession(sessionId: string): SessionModel {
  return { sessionId, turns: new Map() };
}

/** Folds an event into its session, in place; gives the turn that changed. Events of other sessions are passed over. */
export function foldSession(session: SessionModel, event: TurnEvent): TurnModel | undefined {
  if (event.sessionId !== session.sessionId) return undefined;
  let turn = session.turns.get(event.turnId);
  if (turn === undefined) {
    turn = emptyTurn(event.sessionId, event.turnId, event.time);
    session.turns.set(event.turnId, turn);
  }
  foldEvent(turn, event);
  return turn;
}
