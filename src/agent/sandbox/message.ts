import { NO_AGENTS } from "../agents/definition.ts";
import { TurnContexts } from "../budget/model-context.ts";
import type { Position } from "../events-committee.ts";
import type { SandboxCounters } from "../events-sandbox.ts";
import { CANCELLED, failure } from "../failure.ts";
import { runAgent } from "../run-agent.ts";
import { committeeSettings, type EngineSettings } from "../settings.ts";
import { NO_TOOLS } from "../tool.ts";
import type { AgentOutcome, TurnInput } from "../turn-types.ts";
import type { SandboxPlan } from "./cast.ts";
import { hearingOf, type Hearing } from "./hearing.ts";
import { speakerCard, type SpeakerCard } from "./recall.ts";
import { emitLearned, type Stop, type Talk } from "./talk.ts";
import type { Speaker } from "./types.ts";
import { countWords, cutAtSentence, instruction, systemText, withoutName } from "./words.ts";

/** A round on its way. */
export interface Round {
  readonly index: number;
  readonly roundId: string;
  readonly positions: Position[];
  readonly counters: SandboxCounters[];
}

/**
 * Lets one persona say the next message; gives why the talk ends with it, if it does. What it recalls, says and learns is
 * told. Never throws.
 */
export async function oneMessage(talk: Talk, speaker: Speaker, round: Round): Promise<Stop | undefined> {
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
function talkSettings({ persona: _persona, ...settings }: EngineSettings, plan: SandboxPlan): EngineSettings {
  return {
    ...settings,
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
