import type { TurnFork } from "../events-fork.ts";
import type { EventOf, TurnEvent } from "../events.ts";
import { failed, success, type Result } from "../failure.ts";
import { isJsonObject } from "../json.ts";
import type { Json } from "../models/types.ts";
import { editFor } from "./edits.ts";

/** Where a fork leaves the turn that it branches off. */
export type Position =
  /** At its beginning: all is asked anew. */
  | { readonly at: "start" }
  /** A step is asked anew. */
  | { readonly at: "step"; readonly agent: EventOf<"agent.start">; readonly stepId: string }
  /** A tool's call gave something else, or (`anew`) is made once more. */
  | {
      readonly at: "call";
      readonly agent: EventOf<"agent.start">;
      readonly stepId: string;
      readonly callId: string;
      readonly anew: boolean;
    }
  /** What an agent of a committee said is something else. */
  | { readonly at: "answer"; readonly agent: EventOf<"agent.start"> }
  /** All that the members of a committee said stays, and is summed up anew. */
  | { readonly at: "sum"; readonly committee: EventOf<"committee.start"> };

/** Finds where a fork leaves its turn; fails in words where that is not in the turn, or can't be. */
export function positionOf(fork: TurnFork, events: readonly TurnEvent[]): Result<Position> {
  const id = fork.eventId;
  if (id === undefined) return success({ at: "start" });
  const target = events.find((event) => event.id === id);
  if (target === undefined)
    return failed(
      "bad_input",
      "That place is no longer in the trace of the turn, so nothing can branch off there.",
    );
  const wrong = wrongEdit(fork);
  if (wrong !== undefined) return failed("bad_input", wrong);
  switch (target.type) {
    case "turn.start":
    case "query.received":
      return success({ at: "start" });
    case "step.start":
      return stepPosition(target.id, events);
    case "model.start":
      return stepPosition(target.stepId, events);
    case "tool.request":
      return callPosition(target, fork, events);
    case "agent.start":
      return agentPosition(target, fork, events);
    case "committee.start":
      return success({ at: "sum", committee: target });
    default:
      return failed("bad_input", "A turn branches off at its question, a step, a tool's call or an answer.");
  }
}

/** Why an edit can't be made; nothing when all can. */
function wrongEdit(fork: TurnFork): string | undefined {
  if (editFor(fork, "question")?.trim() === "") return "There is no question to answer.";
  const args = editFor(fork, "tool_arguments");
  if (args === undefined) return undefined;
  try {
    if (isJsonObject(JSON.parse(args) as Json)) return undefined;
  } catch {
    // Said below.
  }
  return 'The arguments of a call are one JSON object, such as {"query": "..."}.';
}

function stepPosition(stepId: string | undefined, events: readonly TurnEvent[]): Result<Position> {
  const step = events.find((event) => event.type === "step.start" && event.id === stepId);
  const agent = events.find(
    (event): event is EventOf<"agent.start"> => event.type === "agent.start" && event.id === step?.parentId,
  );
  if (step === undefined || agent === undefined)
    return failed("bad_input", "The trace does not say which agent that step is of.");
  return success({ at: "step", agent, stepId: step.id });
}

function callPosition(
  call: EventOf<"tool.request">,
  fork: TurnFork,
  events: readonly TurnEvent[],
): Result<Position> {
  const step = stepPosition(call.stepId, events);
  if (!step.ok || step.value.at !== "step") return step;
  if (call.data["conclave.chained"] === true)
    return failed(
      "bad_input",
      "This tool was called with the agent's output: branch off at the step before it.",
    );
  const { agent, stepId } = step.value;
  const anew = editFor(fork, "tool_result", call.id) === undefined;
  return success({ at: "call", agent, stepId, callId: call.id, anew });
}

function agentPosition(
  agent: EventOf<"agent.start">,
  fork: TurnFork,
  events: readonly TurnEvent[],
): Result<Position> {
  if (editFor(fork, "answer", agent.id) === undefined) {
    const first = events.find((event) => event.type === "step.start" && event.parentId === agent.id);
    if (first === undefined) return success({ at: "start" });
    return success({ at: "step", agent, stepId: first.id });
  }
  if (agent.data["conclave.role"] !== "persona")
    return failed(
      "bad_input",
      "Only what a member of a committee said can be changed: others go on from it.",
    );
  return success({ at: "answer", agent });
}
