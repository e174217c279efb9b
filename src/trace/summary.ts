import type { EventOf, TurnEvent } from "../agent/events.ts";
import { isOthersOwn } from "./respondent.ts";
import { oneLine } from "./text.ts";

const ANSWER_LENGTH = 80;
const QUESTION_LENGTH = 160;
const ERROR_LENGTH = 80;
const NAME_LENGTH = 100;
/** Names of tools or agents that a row holds. */
const MAX_NAMES = 20;

/** How a turn stands. `interrupted`: its log ends without an end, and nobody is working on it. */
export type TurnStatus = "running" | "answered" | "failed" | "cancelled" | "interrupted";

/** A turn as one row of a list. Plain data: it is kept on disk as the index of a session. */
export interface TurnSummary {
  readonly sessionId: string;
  readonly turnId: string;
  readonly parentTurnId: string | null;
  /** Start of the turn, milliseconds since the epoch. */
  readonly time: number;
  readonly agent: string;
  readonly door: string;
  /** On one line, cut. */
  readonly question: string;
  /** The answer's first 80 characters on one line; empty until there is one. */
  readonly answer: string;
  /** Whether the model thought aloud. */
  readonly thinking: boolean;
  readonly toolCalls: number;
  /** Names of the tools that were called, each once. */
  readonly tools: readonly string[];
  /** Names of the agents that worked on it beside the one that answers, each once. */
  readonly agents: readonly string[];
  /** The model that answered first; empty while none was asked. */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly durationMs: number | null;
  readonly status: TurnStatus;
  /** What went wrong, on one line. */
  readonly error: string | null;
  /** The critic's grade, 1-5. */
  readonly grade: number | null;
  readonly feedback: "up" | "down" | null;
  /** A person gave the grade. */
  readonly corrected?: true;
  /** Whose answer a judge found better, the turn's (A) or the other; absent while nobody compared them. */
  readonly compared?: "A" | "B" | "tie";
  /** When its text was forgotten, milliseconds since the epoch; absent when it was not. */
  readonly forgotten?: number;
  /** It lives in this window alone. */
  readonly private?: true;
  /** The turn that it branches off. */
  readonly fork?: string;
  /** Where in that turn: the id of the event; absent where it branches off at the question. */
  readonly forkAt?: string;
  /** The file that it came from. */
  readonly imported?: string;
}

/** The rows of one session by turn id, oldest first. */
export type SummaryRows = Map<string, TurnSummary>;

function newRow(event: TurnEvent): TurnSummary {
  return {
    sessionId: event.sessionId,
    turnId: event.turnId,
    parentTurnId: event.type === "turn.start" ? event.data["conclave.parent_turn_id"] : null,
    time: event.time,
    agent: event.agent,
    door: event.type === "turn.start" ? event.data["conclave.door"] : "",
    question: "",
    answer: "",
    thinking: false,
    toolCalls: 0,
    tools: [],
    agents: [],
    model: "",
    inputTokens: 0,
    outputTokens: 0,
    durationMs: null,
    status: "running",
    error: null,
    grade: null,
    feedback: null,
  };
}

/** What an event changes in its turn's row; undefined when it changes nothing. */
function change(row: TurnSummary, event: TurnEvent): Partial<TurnSummary> | undefined {
  if (isOthersOwn(event)) return undefined;
  switch (event.type) {
    case "query.received":
      return { question: oneLine(event.data.query, QUESTION_LENGTH) };
    case "turn.start":
      return startChange(event.data);
    case "agent.start":
      return agentChange(row, event);
    case "model.end":
      return modelChange(row, event);
    case "tool.request":
      return { toolCalls: row.toolCalls + 1, tools: withName(row.tools, event.data.name) };
    case "answer.dialog":
      return { answer: oneLine(event.data.answer, ANSWER_LENGTH) };
    case "sandbox.message":
      return event.data.role === "assistant"
        ? { answer: oneLine(event.data.content, ANSWER_LENGTH) }
        : undefined;
    case "turn.end":
      return {
        status: event.data.outcome,
        durationMs: event.data["conclave.duration_ms"],
        inputTokens: event.data["gen_ai.usage.input_tokens"] ?? row.inputTokens,
        outputTokens: event.data["gen_ai.usage.output_tokens"] ?? row.outputTokens,
        error: event.data.error === undefined ? null : oneLine(event.data.error.message, ERROR_LENGTH),
      };
    case "critique.result":
      // A grade that a person has put right stays so.
      return isOfTurn(event) && row.corrected === undefined ? { grade: event.data.score } : undefined;
    case "critique.corrected":
      return isOfTurn(event) ? { grade: event.data.score, corrected: true } : undefined;
    case "pairwise.result":
      return { compared: event.data.winner ?? "tie" };
    case "user.feedback":
      // What was only concluded is no thumb.
      return isOfTurn(event) && event.data["conclave.implicit"] === undefined
        ? { feedback: event.data.rating === "none" ? null : event.data.rating }
        : undefined;
    default:
      return undefined;
  }
}

/** The names with one more, at most so many. */
function withName(names: readonly string[], name: string): readonly string[] {
  const short = oneLine(name, NAME_LENGTH);
  return names.includes(short) || names.length >= MAX_NAMES ? names : [...names, short];
}

function startChange(data: EventOf<"turn.start">["data"]): Partial<TurnSummary> | undefined {
  const { "conclave.fork": fork, "conclave.imported": imported } = data;
  if (fork === undefined && imported === undefined) return undefined;
  return {
    ...(fork && { fork: fork.turnId, ...(fork.eventId !== undefined && { forkAt: fork.eventId }) }),
    ...(imported && { imported: oneLine(imported.from, NAME_LENGTH) }),
  };
}

function agentChange(row: TurnSummary, { agent, data }: EventOf<"agent.start">): Partial<TurnSummary> {
  const model = row.model === "" ? oneLine(data["gen_ai.request.model"], NAME_LENGTH) : row.model;
  // A member of a committee is not who answers.
  return data["conclave.role"] === undefined
    ? { agent, model }
    : { agents: withName(row.agents, agent), model };
}

/** Whether it is said of the turn's answer, and not of one persona's. */
function isOfTurn({ parentId, turnId }: TurnEvent): boolean {
  return parentId === null || parentId === turnId;
}

function modelChange(row: TurnSummary, { data, replays }: EventOf<"model.end">) {
  // What is repeated was paid for in the turn that it comes from.
  if (replays !== undefined) return { thinking: row.thinking || data.thinking !== "" };
  return {
    thinking: row.thinking || data.thinking !== "",
    inputTokens: row.inputTokens + (data["gen_ai.usage.input_tokens"] ?? 0),
    outputTokens: row.outputTokens + (data["gen_ai.usage.output_tokens"] ?? 0),
  };
}

/** Folds one event into the rows of its session. Gives the changed row, or undefined when nothing changed. */
export function applySummary(rows: SummaryRows, event: TurnEvent): TurnSummary | undefined {
  const known = rows.get(event.turnId);
  const row = known ?? newRow(event);
  const changed = change(row, event);
  if (changed === undefined && known !== undefined) return undefined;
  // Of a branch only what it took over from a turn may be forgotten.
  const isOwn = event.replays === undefined;
  const forgotten = isOwn && event.forgotten !== undefined ? { forgotten: event.forgotten } : {};
  const next = { ...row, ...changed, ...forgotten };
  rows.set(event.turnId, next);
  return next;
}
