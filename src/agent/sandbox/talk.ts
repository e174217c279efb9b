import type { Ledger } from "../committee/ledger.ts";
import { createLedger } from "../committee/ledger.ts";
import { createEmitter, type Emitter } from "../emitter.ts";
import type { SandboxCounters, SandboxStop } from "../events-sandbox.ts";
import type { Failure } from "../failure.ts";
import type { ChatMessage } from "../models/types.ts";
import { endOf, RESPONDENT } from "../run-agent.ts";
import type { EngineSettings } from "../settings.ts";
import type { TurnDeps } from "../turn-types.ts";
import type { SandboxPlan } from "./cast.ts";
import { SandboxLearning, type LearnedData } from "./learning.ts";
import { Likenesses } from "./likeness.ts";
import type { SandboxLine, SandboxOutcome } from "./types.ts";

/** The agent of a talk's turn, where its events name one. */
const SANDBOX = "sandbox";

/** The opening line is nobody's among the personas. */
const OPENING = "opening";

/** What a talk works on. */
export interface SandboxInput {
  readonly plan: SandboxPlan;
  readonly settings: EngineSettings;
  readonly sessionId: string;
  readonly turnId: string;
}

/** What a talk works with. */
export type SandboxDeps = Omit<TurnDeps, "contexts" | "onCut">;

/** A talk on its way: the only state there is. */
export interface Talk {
  readonly input: SandboxInput;
  readonly deps: SandboxDeps;
  readonly emitter: Emitter;
  /** The id of the talk's span. */
  readonly id: string;
  readonly said: SandboxLine[];
  readonly rounds: SandboxCounters[];
  readonly likenesses: Likenesses;
  readonly learning: SandboxLearning;
  readonly ledger: Ledger;
  /** Words of each persona's last message, where it was cut. */
  readonly cut: Map<string, number>;
  /** What was warned of already. */
  readonly warned: Set<string>;
  readonly began: number;
}

/** Why a talk ended before its rounds were had. */
export interface Stop {
  readonly stopped: Exclude<SandboxStop, "rounds">;
  readonly speaker?: string;
  readonly error?: Failure;
}

/** Begins a talk: its turn, and the opening line. */
export function begin(input: SandboxInput, deps: SandboxDeps): Talk {
  const { plan, sessionId, turnId, settings } = input;
  const { speakers, opening, scenario } = plan;
  const { identity } = deps;
  const emitter = createEmitter(
    { sessionId, turnId, agent: SANDBOX, respondent: RESPONDENT },
    identity,
    deps.sink,
  );
  const began = identity.now();
  const memory = plan.settings.persist ? deps.memory : undefined;
  const talk: Talk = {
    ...{ input, deps, emitter, began, said: [], rounds: [], cut: new Map(), warned: new Set() },
    id: identity.spanId(),
    likenesses: new Likenesses(opening, deps.embed, deps),
    learning: new SandboxLearning({ ...deps, memory, settings, sessionId, turnId }),
    ledger: createLedger(),
  };
  emitter.emit(
    "turn.start",
    { id: turnId, parentId: null },
    {
      "gen_ai.conversation.id": sessionId,
      "conclave.parent_turn_id": null,
      "conclave.door": plan.door,
      ...(!plan.settings.persist && { "conclave.private": true as const }),
    },
  );
  emitter.emit("query.received", { parentId: turnId }, { query: opening });
  emitter.emit(
    "sandbox.start",
    { id: talk.id, parentId: turnId },
    {
      ...{ scenario, opening, rounds: plan.settings.rounds, start: began },
      "conclave.personas": speakers.map(({ name, model }) => ({ name, model })),
    },
  );
  const line: SandboxLine = { round: 0, speaker: OPENING, model: "", role: "user", content: opening };
  talk.said.push(line);
  const none = { retrieved: 0, extracted: 0, updated: 0 };
  emitter.emit("sandbox.message", { parentId: talk.id }, { ...line, "conclave.counters": none });
  return talk;
}

/** Ends a talk and its turn. */
export function finish(talk: Talk, stop: Stop | undefined): SandboxOutcome {
  const { emitter, input, deps, said, rounds, ledger, id, began } = talk;
  const stopped = stop?.stopped ?? "rounds";
  const outcome = stopped === "failed" || stopped === "cancelled" ? stopped : "answered";
  const { speaker } = stop ?? {};
  const error = named(stop);
  const used = endOf({ usage: ledger.usage() }, deps.identity.now() - began);
  emitter.emit(
    "sandbox.end",
    { id, parentId: input.turnId },
    {
      ...{ outcome, ...used, "conclave.stopped": stopped, "conclave.rounds": rounds },
      "conclave.messages_said": said.length - 1,
      ...(speaker !== undefined && { speaker }),
      ...(error && { error }),
    },
  );
  emitter.emit(
    "turn.end",
    { id: input.turnId, parentId: null },
    {
      ...{ outcome, ...used, "conclave.steps": ledger.steps() },
      "conclave.messages": asConversation(input.plan, said),
      ...(error && { error }),
    },
  );
  const answer = said.findLast(({ role }) => role === "assistant")?.content ?? "";
  return {
    ...{ outcome, answer, stopped, messages: said, rounds },
    ...(error && { error }),
    ...(speaker !== undefined && { failed: speaker }),
  };
}

/** The talk as a question in its session goes on from it: what was said to all, and what they said. */
function asConversation({ scenario }: SandboxPlan, said: readonly SandboxLine[]): readonly ChatMessage[] {
  const [opening, ...lines] = said;
  if (opening === undefined || lines.length === 0) return [];
  const scene = scenario === "" ? [] : [`A talk among personas. The scene: ${scenario}`];
  const spoken = lines.map(({ speaker, content }) => `${speaker}: ${content}`);
  return [
    { role: "user", content: [...scene, opening.content].join("\n\n") },
    { role: "assistant", content: spoken.join("\n\n") },
  ];
}

/** The failure says whose it was. */
function named(stop: Stop | undefined): Failure | undefined {
  if (stop?.error === undefined || stop.speaker === undefined) return stop?.error;
  const { error, speaker } = stop;
  return error.message.includes(speaker)
    ? error
    : { ...error, message: `${speaker} could not go on, so the talk ended: ${error.message}` };
}

/** Tells what was learnt as the persona's, whose memory it is. */
export function emitLearned({ input, deps, emitter }: Talk, agent: string, data: LearnedData): void {
  const { turnId, sessionId } = input;
  const { identity, sink } = deps;
  const { respondent } = emitter.origin;
  const place = { id: identity.spanId(), parentId: turnId, time: identity.now(), sessionId, turnId };
  sink({ type: "memory.learned", ...place, agent, respondent, data });
}
