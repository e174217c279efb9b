import { NO_AGENTS } from "../agents/definition.ts";
import { TurnContexts } from "../budget/model-context.ts";
import { createLedger, type Ledger } from "../committee/ledger.ts";
import { createEmitter, type Emitter } from "../emitter.ts";
import type { Position } from "../events-committee.ts";
import type { SandboxCounters, SandboxStop } from "../events-sandbox.ts";
import { CANCELLED, describeError, failure, type Failure } from "../failure.ts";
import { endOf, RESPONDENT, runAgent } from "../run-agent.ts";
import { committeeSettings, type EngineSettings } from "../settings.ts";
import { delay } from "../timer.ts";
import type { ToolSet } from "../tool.ts";
import type { AgentOutcome, TurnDeps, TurnInput } from "../turn-types.ts";
import type { SandboxPlan } from "./cast.ts";
import { roundCounters } from "./counters.ts";
import { hearingOf, type Hearing } from "./hearing.ts";
import { SandboxLearning } from "./learning.ts";
import { Likenesses } from "./likeness.ts";
import { speakerCard, type SpeakerCard } from "./recall.ts";
import type { SandboxLine, SandboxOutcome, Speaker } from "./types.ts";
import { countWords, cutAtSentence, instruction, systemText, withoutName } from "./words.ts";

/** The agent of a talk's turn, where its events name one. */
const SANDBOX = "sandbox";

/** The opening line is nobody's among the personas. */
const OPENING = "opening";

const NO_TOOLS: ToolSet = { schemas: [], find: () => undefined };

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
interface Talk {
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
interface Stop {
  readonly stopped: Exclude<SandboxStop, "rounds">;
  readonly speaker?: string;
  readonly error?: Failure;
}

/**
 * Lets personas talk to each other, from `turn.start` to `turn.end`. Never throws: it ends after its rounds, when what
 * is said repeats itself, when it is cancelled, or when a persona fails; what was said until then stays.
 */
export async function runSandbox(input: SandboxInput, deps: SandboxDeps): Promise<SandboxOutcome> {
  const talk = begin(input, deps);
  let stop: Stop | undefined;
  try {
    stop = await allRounds(talk);
  } catch (error) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : describeError(error);
    const broken = failure("internal", "Something broke inside Conclave; the trace has the details.", { cause });
    stop = { stopped: "failed", error: broken };
  }
  return finish(talk, stop);
}

function begin(input: SandboxInput, deps: SandboxDeps): Talk {
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

async function allRounds(talk: Talk): Promise<Stop | undefined> {
  const { rounds } = talk.input.plan.settings;
  for (let round = 1; round <= rounds; round += 1) {
    const stop = await oneRound(talk, round);
    if (stop !== undefined) return stop;
  }
  await learnTheRest(talk);
  return undefined;
}

async function oneRound(talk: Talk, index: number): Promise<Stop | undefined> {
  const { emitter, input, deps, id } = talk;
  const { speakers, settings } = input.plan;
  const roundId = emitter.emit("round.start", { parentId: id }, { index, of: settings.rounds });
  const positions: Position[] = [];
  const counters: SandboxCounters[] = [];
  let stop: Stop | undefined;
  for (const speaker of speakers) {
    const isFirst = talk.said.length === 1;
    if (!isFirst && settings.delay > 0) await delay(settings.delay * 1_000, deps.signal, deps.timer);
    if (deps.signal.aborted) stop = { stopped: "cancelled", error: CANCELLED };
    else stop = await oneMessage(talk, speaker, { index, roundId, positions, counters });
    if (stop !== undefined) break;
  }
  talk.rounds.push(roundCounters(counters));
  emitter.emit("round.end", { id: roundId, parentId: id }, { index, positions });
  return stop;
}

interface Round {
  readonly index: number;
  readonly roundId: string;
  readonly positions: Position[];
  readonly counters: SandboxCounters[];
}

async function oneMessage(talk: Talk, speaker: Speaker, round: Round): Promise<Stop | undefined> {
  const { input, deps } = talk;
  const { settings, speakers } = input.plan;
  const { name, model } = speaker;
  const hearing = hearingOf(talk.said, { ...settings, name, speakers: speakers.length });
  const recalled = await recallFor(talk, speaker, hearing, round);
  if (deps.signal.aborted) return { stopped: "cancelled", error: CANCELLED };
  const outcome = await speak(talk, speaker, hearing, recalled, round);
  talk.ledger.add(outcome);
  const { agentId } = outcome;
  const whole = outcome.outcome === "answered" ? withoutName(outcome.answer, name) : "";
  if (whole === "") {
    const error = outcome.error ?? failure("empty_answer", `${name} said nothing.`);
    round.positions.push({ agent: name, agentId, model, answer: "", error });
    if (outcome.outcome === "cancelled") return { stopped: "cancelled", error };
    return { stopped: "failed", speaker: name, error };
  }
  const content = withinLimit(talk, name, whole);
  talk.said.push({ round: round.index, speaker: name, model, role: "assistant", content });
  round.positions.push({ agent: name, agentId, model, answer: content });
  const [likeness, learnt] = await Promise.all([
    talk.likenesses.take(name, content),
    talk.learning.take(speaker, { content, recalled: (recalled.card?.parts ?? []).map(({ text }) => text) }),
  ]);
  if (learnt !== undefined) emitLearned(talk, name, learnt);
  const counters: SandboxCounters = {
    retrieved: recalled.retrieved,
    extracted: learnt?.["conclave.extracted"] ?? 0,
    updated: learnt?.["conclave.updated"] ?? 0,
    ...likeness,
  };
  round.counters.push(counters);
  emitMessage(talk, agentId, counters);
  return talk.likenesses.isRepeating() ? { stopped: "repetition" } : undefined;
}

/** The card of a speaker, which the trace shows; without memory the talk goes on, and that is told once. */
async function recallFor(
  talk: Talk,
  speaker: Speaker,
  { heard }: Hearing,
  { roundId }: Round,
): Promise<SpeakerCard> {
  const { input, deps, emitter, warned } = talk;
  const { memory, identity, signal, timer } = deps;
  const now = (): number => identity.now();
  const recalling = { memory, settings: input.settings, signal, timer, now };
  const recalled = await speakerCard(speaker, heard, input.plan.settings, recalling);
  const { card, problem } = recalled;
  if (problem !== undefined && !signal.aborted && !warned.has("memory")) {
    warned.add("memory");
    const message = `The talk does without memory. ${problem}`;
    emitter.emit("warning", { parentId: talk.id }, { code: "memory_unavailable", message });
  }
  if (card !== undefined) emitter.emit("memory.card", { parentId: roundId }, { ...card });
  return recalled;
}

function speak(
  { input, deps, cut, ledger }: Talk,
  speaker: Speaker,
  { asked, turns }: Hearing,
  { card }: SpeakerCard,
  { roundId }: Round,
): Promise<AgentOutcome> {
  const { plan, settings, sessionId, turnId } = input;
  const { name, definition, model, host } = speaker;
  const question = card === undefined ? asked : `${card.text}\n\n${asked}`;
  const turn: TurnInput = {
    request: { question, door: plan.door, sessionId },
    ...{ sessionId, turnId, conversation: { turns }, tools: NO_TOOLS, agents: NO_AGENTS },
    settings: talkSettings(settings, plan),
  };
  const { tokenBudget } = settings;
  const tokens = tokenBudget > 0 ? Math.max(1, tokenBudget - ledger.tokens()) : definition.limits.tokens;
  const job = {
    ...{ name, definition, model, tools: NO_TOOLS, parentId: roundId, role: "persona" as const },
    ...(host !== undefined && { host }),
    tail: instruction(speaker, plan, cut.get(name)),
    limits: {
      steps: 1,
      seconds: definition.limits.seconds ?? committeeSettings(settings).seconds,
      ...(tokens !== undefined && { tokens }),
    },
  };
  // What a speaker is given of the talk is its own: contexts are not shared among messages.
  const own = { memory: undefined, contexts: new TurnContexts(), onCut: () => undefined };
  return runAgent(job, turn, { ...deps, ...own });
}

/** Settings of the single messages: the talk itself recalls, and keeps what it sends short. */
function talkSettings(settings: EngineSettings, plan: SandboxPlan): EngineSettings {
  const { persona: _persona, ...rest } = settings;
  return {
    ...rest,
    systemPrompt: systemText(plan),
    memory: { ...settings.memory, card: "off" },
    budget: { ...settings.budget, summary: false },
  };
}

/** What the others hear of a message; its speaker is told the next time when it was too long. */
function withinLimit({ input, cut }: Talk, name: string, text: string): string {
  const { wordLimit } = input.plan.settings;
  const words = wordLimit === 0 ? 0 : countWords(text);
  if (words <= wordLimit) {
    cut.delete(name);
    return text;
  }
  cut.set(name, words);
  return cutAtSentence(text, wordLimit);
}

function emitMessage({ emitter, said, cut }: Talk, agentId: string, counters: SandboxCounters): void {
  const line = said.at(-1);
  if (line === undefined) return;
  const words = cut.get(line.speaker);
  emitter.emit(
    "sandbox.message",
    { parentId: agentId },
    {
      ...line,
      ...(words !== undefined && { "conclave.words_said": words }),
      "conclave.counters": counters,
    },
  );
}

type Learnt = NonNullable<Awaited<ReturnType<SandboxLearning["take"]>>>;

/** It is told of as the persona's, whose memory it is. */
function emitLearned({ input, deps, emitter }: Talk, agent: string, data: Learnt): void {
  const { turnId, sessionId } = input;
  const { identity, sink } = deps;
  const { respondent } = emitter.origin;
  const place = { id: identity.spanId(), parentId: turnId, time: identity.now(), sessionId, turnId };
  sink({ type: "memory.learned", ...place, agent, respondent, data });
}

/** What still waited to be read is read at the end, and counts for the last round. */
async function learnTheRest(talk: Talk): Promise<void> {
  for (const speaker of talk.input.plan.speakers) {
    const learnt = await talk.learning.take(speaker, undefined, true);
    const last = talk.rounds.at(-1);
    if (learnt === undefined || last === undefined) continue;
    emitLearned(talk, speaker.name, learnt);
    talk.rounds[talk.rounds.length - 1] = {
      ...last,
      extracted: last.extracted + learnt["conclave.extracted"],
      updated: last.updated + learnt["conclave.updated"],
    };
  }
}

function finish(talk: Talk, stop: Stop | undefined): SandboxOutcome {
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
    { outcome, ...used, "conclave.steps": ledger.steps(), "conclave.messages": [], ...(error && { error }) },
  );
  const answer = said.findLast(({ role }) => role === "assistant")?.content ?? "";
  return {
    ...{ outcome, answer, stopped, messages: said, rounds },
    ...(error && { error }),
    ...(speaker !== undefined && { failed: speaker }),
  };
}

/** The failure says whose it was. */
function named(stop: Stop | undefined): Failure | undefined {
  if (stop?.error === undefined || stop.speaker === undefined) return stop?.error;
  const { error, speaker } = stop;
  return error.message.includes(speaker)
    ? error
    : { ...error, message: `${speaker} could not go on, so the talk ended: ${error.message}` };
}
