import { builtIn } from "../agents/built-in/define.ts";
import type { Emitter } from "../emitter.ts";
import { modelOf } from "../footing.ts";
import { runAgent } from "../run-agent.ts";
import { agentTools } from "../select-tools.ts";
import { answeringAgent } from "../single.ts";
import type { AgentTape } from "../fork/tapes.ts";
import type { AgentJob, TurnAnswer, TurnDeps, TurnInput } from "../turn-types.ts";
import type { Cast, Member } from "./cast.ts";
import { nobody, unsaid, type Ending } from "./conclude.ts";
import { hold } from "./hold.ts";
import { isCancelled, type Sitting } from "./deliberation.ts";
import { positionOf, type Speech } from "./speeches.ts";
import { inPlaces } from "./places.ts";
import { readVote } from "./speech.ts";
import type { CommitteeSettings } from "./settings.ts";
import { seedOf } from "./shuffle.ts";
import { sit } from "./sitting.ts";
import { sayAgain, type SaidOutcome } from "./say-again.ts";
import { tokensLeft } from "./speak.ts";
import { verdictOf } from "./verdict.ts";
import { SAMPLE_RULE } from "./words.ts";
import { CANCELLED } from "../failure.ts";

/** How freely samples are drawn where nothing is set, or nothing but the likeliest words: those would all be the same. */
const TEMPERATURE = 0.8;

/**
 * Asks the turn's agent several times, each with a seed of its own, and answers with what most of them hold; where
 * none has more votes than others, with the one that is most like them all. Never throws.
 */
export function runSamples(
  input: TurnInput,
  settings: CommitteeSettings,
  deps: TurnDeps,
  turn: Emitter,
): Promise<TurnAnswer> {
  const sampled = { ...settings, rounds: 1, agreement: "off" as const };
  const seat = async (): Promise<Sitting> => {
    const sitting = await sit(freely(input), sampled, castOfSamples(input, settings), deps, turn);
    // Nobody hears anybody, and nobody sums up: there are no letters.
    return { ...sitting, letters: new Map<string, string>() };
  };
  return hold(input, deps, seat, sampleAll);
}

async function sampleAll(sitting: Sitting): Promise<Ending> {
  const { input, deps, emitter, cast } = sitting;
  const place = { id: deps.identity.spanId(), parentId: emitter.agentId };
  emitter.emit("round.start", place, { index: 1, of: 1 });
  const places = input.settings.parallelRequests;
  const samples = await inPlaces(cast.members, places, (member) => drawn(member, place.id, sitting));
  const speeches = samples.flatMap((speech) => speech ?? []);
  emitter.emit("round.end", place, { index: 1, positions: speeches.map(positionOf) });
  const answered = speeches.filter(({ error }) => error === undefined);
  const verdict = verdictOf(
    answered.map(({ member, answer, view }) => ({ agent: member.name, answer, view })),
  );
  const { best } = verdict;
  if (isCancelled(sitting)) return { rounds: 1, stopped: "cancelled", verdict, synthesis: unsaid(CANCELLED) };
  if (best === undefined)
    return { rounds: 1, stopped: "failed", verdict, synthesis: unsaid(nobody(speeches)) };
  const messages = [{ role: "assistant" as const, content: best.answer }];
  return {
    rounds: 1,
    stopped: "rounds",
    verdict,
    synthesis: { outcome: "answered", answer: best.answer, messages },
  };
}

/** A sample, or in a fork what it was then. */
async function drawn(member: Member, parentId: string, sitting: Sitting): Promise<Speech | undefined> {
  const [round] = sitting.tape?.rounds ?? [];
  const tape = round?.members.find(({ name }) => name === member.name);
  if (round === undefined || tape?.said === undefined) return sample(member, parentId, sitting, tape?.tape);
  return readSample(member, sayAgain(tape.said, { parentId, was: round.id }, sitting));
}

async function sample(
  member: Member,
  parentId: string,
  sitting: Sitting,
  tape: AgentTape | undefined,
): Promise<Speech | undefined> {
  const { input, deps, cast, emitter, settings, ledger } = sitting;
  if (isCancelled(sitting)) return undefined;
  const index = cast.members.indexOf(member) + 1;
  const { name, definition } = answeringAgent(input);
  const seed = input.request.options?.seed ?? seedOf(input.turnId);
  const left = tokensLeft(sitting);
  const job: AgentJob = {
    name,
    parentId,
    role: "persona",
    tools: agentTools(input.tools, definition),
    ...(definition && { definition }),
    tail: [
      { source: "task", text: SAMPLE_RULE },
      { source: "persona", text: definition?.prompt ?? "" },
    ],
    model: member.model,
    ...(member.host !== undefined && { host: member.host }),
    ...(tape && { tape }),
    sample: index,
    seed: seed + index - 1,
    limits: {
      seconds: definition?.limits.seconds ?? settings.seconds,
      ...(left !== undefined && { tokens: left }),
    },
  };
  const outcome = await runAgent(job, input, deps);
  ledger.add(outcome);
  sitting.question ??= outcome.question;
  const speech = readSample(member, outcome);
  if (speech.error !== undefined && speech.error.code !== "cancelled") {
    const message = `${member.name} gave no answer and is not counted. ${speech.error.message}`;
    emitter.warn("agent_failed", message, { agent: member.name, code: speech.error.code });
  }
  return speech;
}

function readSample(member: Member, { agentId, outcome, answer, error }: SaidOutcome): Speech {
  if (outcome === "answered") return { member, agentId, answer, view: readVote(answer) };
  return { member, agentId, answer: "", view: "", error: error ?? CANCELLED };
}

/** The samples as members: the same agent under numbers. */
function castOfSamples(input: TurnInput, { samples }: CommitteeSettings): Cast {
  const { name, definition = builtIn("agent", name, "", []) } = answeringAgent(input);
  const model = modelOf({ definition }, input);
  const members = Array.from({ length: samples }, (_, index) => ({
    name: `${name} #${index + 1}`,
    definition,
    model,
  }));
  return { members, synthesizer: { name, definition, model }, unknown: [], tooMany: [] };
}

function freely(input: TurnInput): TurnInput {
  const { request, settings } = input;
  const { definition } = answeringAgent(input);
  const set = request.options?.temperature ?? definition?.temperature ?? settings.temperature ?? 0;
  const temperature = set > 0 ? set : TEMPERATURE;
  return { ...input, request: { ...request, options: { ...request.options, temperature } } };
}
