import { SHADOW_RESPONDENT } from "../event-base.ts";
import type { TurnFork } from "../events-fork.ts";
import type { EventOf, TurnEvent } from "../events.ts";
import { failed, success, type Result } from "../failure.ts";
import type { ChatMessage } from "../models/types.ts";
import { planCommittee, planSum, type CommitteeTape } from "./committee-tape.ts";
import { editFor } from "./edits.ts";
import { cardOf, editedQuestion, isPlain, keptRecalled, keptSystem, takeApart } from "./kept-prompt.ts";
import { positionOf, type Position } from "./position.ts";
import { readSteps, stepIds, type Anew } from "./read-tapes.ts";
import type { AgentTape, KeptStart } from "./tapes.ts";

/** What a fork takes over, and where it goes on by itself. */
export interface ForkPlan {
  readonly fork: TurnFork;
  readonly kept: KeptStart;
  /** Of the agent that answers the turn alone. */
  readonly root?: AgentTape;
  readonly committee?: CommitteeTape;
}

/**
 * Makes the plan of a fork out of the events of the turn that it branches off. Fails in words where it can't branch off
 * there. Never throws.
 */
export function planFork(fork: TurnFork, all: readonly TurnEvent[]): Result<ForkPlan> {
  // What a second respondent did is no part of what the turn was.
  const events = all.filter(({ respondent }) => respondent !== SHADOW_RESPONDENT);
  const refused = whyNot(events);
  if (refused !== undefined) return failed("bad_input", refused);
  const found = positionOf(fork, events);
  if (!found.ok) return found;
  const position = found.value;
  if (position.at === "start") return success({ fork, kept: startEdits(fork, events) });
  const kept = keptAt(position, fork, events);
  if (position.at === "sum") {
    const committee = planSum(position.committee, { fork, events });
    return committee.ok ? success({ fork, kept, committee: committee.value }) : committee;
  }
  const path = pathTo(position, fork, events);
  if (!path.ok) return path;
  const { top, tape } = path.value;
  const isAlone = top.parentId === top.turnId;
  if (isAlone) return success({ fork, kept, ...(tape && { root: tape }) });
  const committee = planCommittee(top, tape, { fork, events });
  return committee.ok ? success({ fork, kept, committee: committee.value }) : committee;
}

/** The plan with the earlier turns as they are now, in place of those that were sent then. */
export function withNewPast({ kept: { past: _past, ...kept }, ...plan }: ForkPlan): ForkPlan {
  return { ...plan, kept };
}

/** Why nothing can branch off a turn; nothing when something can. */
function whyNot(events: readonly TurnEvent[]): string | undefined {
  if (events.some(({ forgotten }) => forgotten !== undefined))
    return "What this turn said was forgotten, so nothing can branch off it.";
  if (events.some(({ type }) => type === "sandbox.start"))
    return "A talk between personas has no branches. Start another one.";
  const isThere = ["turn.start", "query.received"].every((type) =>
    events.some((event) => event.type === type),
  );
  return isThere
    ? undefined
    : "The trace does not hold the beginning of this turn, so nothing can branch off it.";
}

/** Of a fork that asks all anew: the conversation that went before is kept, and what was edited. */
function startEdits(fork: TurnFork, events: readonly TurnEvent[]): KeptStart {
  const system = keptSystem(undefined, fork);
  const recalled = keptRecalled(undefined, undefined, fork);
  const past = firstPast(events);
  return { ...(system && { system }), ...(recalled && { recalled }), ...(past && { past }) };
}

/** The conversation as the first agent that was asked the turn's question was sent it. */
function firstPast(events: readonly TurnEvent[]): readonly ChatMessage[] | undefined {
  const step = events.find((event): event is EventOf<"step.start"> => event.type === "step.start");
  const request = events.find(
    (event): event is EventOf<"model.start"> => event.type === "model.start" && event.stepId === step?.id,
  );
  if (request === undefined || !isPlain(step?.data["conclave.protocol"])) return undefined;
  return takeApart(request.data["conclave.messages"])?.past;
}

type InTurn = Exclude<Position, { readonly at: "start" }>;
type InAgent = Exclude<InTurn, { readonly at: "sum" }>;

/** The agent whose prompts say how those of the fork begin. */
function agentAt(position: InTurn, events: readonly TurnEvent[]): EventOf<"agent.start"> | undefined {
  if (position.at !== "sum") return position.agent;
  return events.findLast(
    (event): event is EventOf<"agent.start"> =>
      event.type === "agent.start" && event.data["conclave.role"] === "persona",
  );
}

/** The request that is asked anew; else the last one before it, which says what stood before. */
function requestAt(
  position: InTurn,
  agent: EventOf<"agent.start">,
  events: readonly TurnEvent[],
): EventOf<"model.start"> | undefined {
  const steps = stepIds(events, agent.id);
  const at = "stepId" in position ? steps.indexOf(position.stepId) : steps.length - 1;
  const wanted = position.at === "call" ? at + 1 : at;
  const request = (stepId: string | undefined) =>
    events.find(
      (event): event is EventOf<"model.start"> => event.type === "model.start" && event.stepId === stepId,
    );
  return request(steps[wanted]) ?? request(steps[at]);
}

function keptAt(position: InTurn, fork: TurnFork, events: readonly TurnEvent[]): KeptStart {
  const agent = agentAt(position, events);
  if (agent === undefined) return {};
  const request = requestAt(position, agent, events);
  const taken = request && takeApart(request.data["conclave.messages"]);
  const isDelegate = agent.data["conclave.role"] === "delegate";
  const system = keptSystem(taken, fork);
  const recalled = isDelegate ? undefined : keptRecalled(taken, cardOf(events, agent.id), fork);
  const schema = events.find(
    (event): event is EventOf<"tool.schema"> => event.type === "tool.schema" && event.parentId === agent.id,
  );
  const plain = isPlain(schema?.data["conclave.protocol"]) && !isDelegate;
  return {
    ...(system && { system }),
    ...(plain && taken && { past: taken.past }),
    ...(recalled && { recalled }),
    ...(schema && { offered: new Set(schema.data.tools.map(({ name }) => name)) }),
  };
}

/** The tape of the agent at the top: of the one that branches off itself, or of those that asked it on the way. */
interface Path {
  readonly top: EventOf<"agent.start">;
  /** Left out: what it said is replaced. */
  readonly tape?: AgentTape;
}

function pathTo(position: InAgent, fork: TurnFork, events: readonly TurnEvent[]): Result<Path> {
  if (position.at === "answer") return success({ top: position.agent });
  const { agent, stepId } = position;
  const steps = stepIds(events, agent.id);
  const at = steps.indexOf(stepId);
  const played = position.at === "call" ? steps.slice(0, at + 1) : steps.slice(0, at);
  const anew = position.at === "call" && position.anew ? { callId: position.callId } : undefined;
  const next = steps[position.at === "call" ? at + 1 : at];
  let tape = tapeOf(agent, played, next ?? stepId, fork, events, anew);
  let top = agent;
  while (top.data["conclave.role"] === "delegate") {
    const call = events.find(
      (event): event is EventOf<"tool.request"> => event.type === "tool.request" && event.id === top.parentId,
    );
    const asker = call && agentOfStep(call.stepId, events);
    if (call?.stepId === undefined || asker === undefined)
      return failed(
        "bad_input",
        "The trace does not say who asked this agent, so nothing can branch off here.",
      );
    const before = stepIds(events, asker.id);
    const until = before.slice(0, before.indexOf(call.stepId) + 1);
    // What stood behind the question was changed for the agent that branches off alone.
    const edits = fork.edits.filter(({ part }) => part !== "tail");
    tape = tapeOf(asker, until, call.stepId, { ...fork, edits }, events, { callId: call.id, delegate: tape });
    top = asker;
  }
  return success({ top, tape });
}

function agentOfStep(
  stepId: string | undefined,
  events: readonly TurnEvent[],
): EventOf<"agent.start"> | undefined {
  const step = events.find((event) => event.type === "step.start" && event.id === stepId);
  return events.find(
    (event): event is EventOf<"agent.start"> => event.type === "agent.start" && event.id === step?.parentId,
  );
}

/** The tape of an agent: `played` steps, then it goes on as at the step `next` of then. */
function tapeOf(
  agent: EventOf<"agent.start">,
  played: readonly string[],
  next: string,
  fork: TurnFork,
  events: readonly TurnEvent[],
  anew: Anew | undefined,
): AgentTape {
  const step = events.find(
    (event): event is EventOf<"step.start"> => event.type === "step.start" && event.id === next,
  );
  const request = events.find(
    (event): event is EventOf<"model.start"> => event.type === "model.start" && event.stepId === next,
  );
  const taken = request && takeApart(request.data["conclave.messages"]);
  const asksOther = agent.data["conclave.role"] === "delegate" && editFor(fork, "question") !== undefined;
  const question = taken && (asksOther ? taken.question : editedQuestion(taken.question, fork));
  return {
    agentId: agent.id,
    agent: agent.data["gen_ai.agent.name"],
    steps: readSteps(events, played, fork, anew),
    ...(question && { question }),
    ...(step && {
      protocol: { name: step.data["conclave.protocol"], model: agent.data["gen_ai.request.model"] },
    }),
  };
}
