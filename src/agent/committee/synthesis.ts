import type { Verdict } from "../events-committee.ts";
import { CANCELLED, type Failure } from "../failure.ts";
import type { ChatMessage } from "../models/types.ts";
import type { AgentOutcome } from "../turn-types.ts";
import type { Outcome } from "../events.ts";
import { asTask, fromOthers } from "./behind.ts";
import type { Member } from "./cast.ts";
import { isCancelled, type Sitting } from "./deliberation.ts";
import type { Speech } from "./speeches.ts";
import { positionsBlock } from "./material.ts";
import type { ChainedResult, StructuredOutput } from "../structured/output-types.ts";
import { keepDissent } from "./dissent.ts";
import { speak } from "./speak.ts";
import { labelLine, SMALL_RULES, SYNTHESIS_RULE } from "./words.ts";

/** How often a synthesis is tried. */
const TRIES = 2;

/** Failures that the same model would meet again at once: another one is asked instead. */
const OF_THE_MODEL: ReadonlySet<Failure["code"]> = new Set([
  "model_missing",
  "no_model",
  "unauthorized",
  "timeout",
  "runner_stopped",
  "context_overflow",
  "empty_answer",
]);

/** What a committee answers. */
export interface Synthesis {
  readonly outcome: Outcome;
  readonly answer: string;
  /** What the conversation goes on with. */
  readonly messages: readonly ChatMessage[];
  readonly error?: Failure;
  /** The object that a structured synthesizer gave; `answer` shows it. */
  readonly output?: StructuredOutput;
  /** What the tool gave that was called with it. */
  readonly chained?: ChainedResult;
}

/**
 * Sums the members' positions up. When that fails it is tried once more, by another model where the first one is not to
 * be had; then the best single answer stands in, labelled with the real cause. Never throws, and never empty.
 */
export async function synthesize(
  positions: readonly Speech[],
  earlier: readonly string[],
  verdict: () => Verdict,
  sitting: Sitting,
): Promise<Synthesis> {
  const { cast, emitter } = sitting;
  const causes: Failure[] = [];
  let speaker = cast.synthesizer;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const outcome = await attemptBy(speaker, positions, earlier, sitting, attempt === 1);
    if (outcome.outcome === "answered") return taken(outcome, positions, verdict());
    if (outcome.outcome === "cancelled" || isCancelled(sitting)) {
      return { outcome: "cancelled", answer: outcome.answer, messages: outcome.messages, error: CANCELLED };
    }
    if (outcome.error !== undefined) causes.push(outcome.error);
    if (attempt === TRIES) break;
    speaker = next(speaker, outcome.error, positions, verdict());
    const message = `${speaker.name} could not sum up (${outcome.error?.message ?? "no answer"}). It is tried once more with ${speaker.model}.`;
    emitter.warn("retried", message, { agent: speaker.name, model: speaker.model });
  }
  return standIn(positions, verdict(), causes, sitting);
}

function attemptBy(
  speaker: Member,
  positions: readonly Speech[],
  earlier: readonly string[],
  sitting: Sitting,
  first: boolean,
): Promise<AgentOutcome> {
  const { emitter, letters, rooms } = sitting;
  const tape = first ? sitting.tape?.conclusion?.tape : undefined;
  const block = positionsBlock(positions, letters, rooms.positions(speaker));
  const material = fromOthers([...earlier, block]);
  const tail = [...material, asTask(SYNTHESIS_RULE, SMALL_RULES.synthesis), ...sitting.seatOf(speaker).own];
  const part = { role: "synthesizer" as const, parentId: emitter.agentId, tail };
  return speak(speaker, tape === undefined ? part : { ...part, tape }, sitting);
}

/** What was summed up, and the views that it lost; an object is left as it is. */
function taken(outcome: AgentOutcome, positions: readonly Speech[], verdict: Verdict): Synthesis {
  const { answer, messages, output, chained } = outcome;
  const given = { outcome: "answered" as const, ...(output && { output }), ...(chained && { chained }) };
  const whole = output === undefined ? keepDissent(answer, positions, verdict) : answer;
  if (whole === answer) return { ...given, answer, messages };
  return {
    ...given,
    answer: whole,
    messages: [...messages.slice(0, -1), { role: "assistant", content: whole }],
  };
}

/** Who tries next: the same one, with the model of the best answer where its own is not to be had. */
function next(
  speaker: Member,
  cause: Failure | undefined,
  positions: readonly Speech[],
  { best }: Verdict,
): Member {
  if (cause === undefined || !OF_THE_MODEL.has(cause.code)) return speaker;
  const able = positions.find(({ member }) => member.name === best?.agent && member.model !== speaker.model);
  const other = able ?? positions.find(({ member }) => member.model !== speaker.model);
  if (other === undefined) return speaker;
  const { name, definition } = speaker;
  const { model, host } = other.member;
  return { name, definition, model, ...(host !== undefined && { host }) };
}

function standIn(
  positions: readonly Speech[],
  { best }: Verdict,
  causes: readonly Failure[],
  { emitter, cast }: Sitting,
): Synthesis {
  const cause = [...new Set(causes.map(({ message }) => message))].join(" Then: ");
  const label = `no synthesis: ${cause === "" ? `${cast.synthesizer.name} gave no answer.` : cause}`;
  emitter.warn("no_synthesis", label, { agent: cast.synthesizer.name });
  const stands = positions.find(({ member }) => member.name === best?.agent) ?? positions[0];
  if (stands === undefined) {
    const [error] = causes;
    return { outcome: "failed", answer: "", messages: [], ...(error && { error }) };
  }
  const others = positions.filter((speech) => speech !== stands);
  const parts = [
    `The best single answer stands in, by ${stands.member.name}${best === undefined ? "" : ` (${best.by})`}:`,
    stands.answer,
    ...(others.length === 0 ? [] : ["#### The other answers"]),
    ...others.map(({ member, answer }) => `**${member.name}**\n\n${answer}`),
  ];
  const kept = parts.join("\n\n");
  const answer = `${labelLine(label)}${kept}`;
  // What went wrong with a server is no part of the conversation.
  return { outcome: "answered", answer, messages: [{ role: "assistant", content: kept }] };
}
