import { CANCELLED, failure, type Failure } from "../failure.ts";
import type { RoundTape } from "../fork/committee-tape.ts";
import { oncePer } from "../once-per.ts";
import { aheadOfTime, readyInSpareTime } from "../spare-time.ts";
import { agreementOf, type Agreement } from "./agreement.ts";
import type { Member } from "./cast.ts";
import { isCancelled, type Deliberation, type Sitting, type Stopped } from "./deliberation.ts";
import { lastPositions, positionOf, type Rounds, type Speech } from "./speeches.ts";
import { heardBlocks, hearingOf, type Hearing } from "./hearing.ts";
import { makeReady } from "./material.ts";
import { inPlaces } from "./places.ts";
import { addsNothing, readContent } from "./similarity.ts";
import { hasChanged, readSpeech } from "./speech.ts";
import { sayAgain, type SaidOutcome } from "./say-again.ts";
import { readyToAsk, speak, type Part } from "./speak.ts";

/**
 * Lets the members speak in rounds until all rounds were had, they agree, nothing new comes, or it is cancelled. Who
 * fails is named and is not asked again; its last position stands. Never throws.
 */
export async function deliberate(sitting: Sitting): Promise<Deliberation> {
  const { settings, cast } = sitting;
  const rounds: (readonly Speech[])[] = [];
  let speakers = cast.members;
  for (let index = 1; ; index += 1) {
    const { speeches, stopped } = await round(index, speakers, rounds, sitting);
    rounds.push(speeches);
    if (stopped !== undefined) return { rounds, stopped };
    if (isOver(index, sitting)) return { rounds, stopped: stoppedThen(index, sitting) };
    const spoke = new Set(
      speeches.filter(({ error }) => error === undefined).map(({ member }) => member.name),
    );
    speakers = speakers.filter(({ name }) => spoke.has(name));
    if (speakers.length < 2 || index >= settings.rounds) return { rounds, stopped: "rounds" };
  }
}

async function round(
  index: number,
  speakers: readonly Member[],
  before: Rounds,
  sitting: Sitting,
): Promise<{ readonly speeches: readonly Speech[]; readonly stopped?: Stopped }> {
  const { emitter, settings } = sitting;
  const tape = sitting.tape?.rounds[index - 1];
  const own = { id: sitting.deps.identity.spanId(), parentId: emitter.agentId };
  const place = tape?.end === undefined ? own : { ...own, replays: tape.id };
  emitter.emit("round.start", place, { index, of: settings.rounds });
  const order = speakingOrder(index, speakers, sitting);
  const hearing = hearingOf(index, before, sitting);
  const speeches = await speechesOf({ order, parentId: place.id, hearing, ...(tape && { tape }) }, sitting);
  const { stopped, agreement } =
    toldAgreement(tape, sitting) ?? (await whyStop(index, speeches, before, sitting));
  emitter.emit("round.end", place, {
    index,
    positions: speeches.map(positionOf),
    ...(agreement && { "conclave.agreed": agreement.agreed, "conclave.agreement": agreement.why }),
  });
  return { speeches, ...(stopped && { stopped }) };
}

/**
 * Every second round begins with the model that the round before ended with, so that it need not be loaded again; where
 * members hear those before them, their order is a part of what is said and stays.
 */
function speakingOrder(index: number, speakers: readonly Member[], { settings }: Sitting): readonly Member[] {
  if (index % 2 === 1 || settings.strategy === "sequential") return speakers;
  const models = [...new Set(speakers.map(({ model }) => model))].reverse();
  return models.flatMap((model) => speakers.filter((speaker) => speaker.model === model));
}

/** Where in a committee somebody speaks. */
interface Turn {
  /** Who speaks, one after the other. */
  readonly order: readonly Member[];
  readonly parentId: string;
  readonly hearing: Hearing;
  /** In a fork: this round as it was had. */
  readonly tape?: RoundTape;
}

/** In a fork that only sums up, the rounds are over when all of them were told again. */
function isOver(index: number, { tape }: Sitting): boolean {
  return tape?.conclusion !== undefined && index >= tape.rounds.length;
}

function stoppedThen(index: number, { tape }: Sitting): Stopped {
  return tape?.rounds[index - 1]?.end?.data["conclave.agreed"] === true ? "agreed" : "rounds";
}

/** Whether all agreed in a round that is told again; nothing for one that is had. */
function toldAgreement(tape: RoundTape | undefined, sitting: Sitting): Decision | undefined {
  if (tape?.end === undefined) return undefined;
  const { emitter } = sitting;
  if (isCancelled(sitting)) return { stopped: "cancelled" };
  emitter.repeat(tape.end.judges, new Map([[sitting.tape?.id ?? "", emitter.agentId]]));
  const { "conclave.agreed": agreed, "conclave.agreement": why = "" } = tape.end.data;
  return agreed === undefined ? {} : { agreement: { agreed, why } };
}

async function speechesOf(turn: Turn, sitting: Sitting): Promise<readonly Speech[]> {
  const { settings, input } = sitting;
  const { order } = turn;
  if (settings.strategy !== "sequential") {
    const places = input.settings.parallelRequests;
    const all = await inPlaces(order, places, (member) => speechOf(member, turn, [], sitting));
    return all.flatMap((speech) => speech?.() ?? []);
  }
  const speeches: Speech[] = [];
  for (const member of order) {
    if (isCancelled(sitting)) break;
    const speech = await speechOf(member, turn, speeches, sitting);
    if (speech !== undefined) speeches.push(speech());
  }
  return speeches;
}

/** One speech, read while the next one is awaited; nothing when the committee was cancelled before it. */
async function speechOf(
  member: Member,
  turn: Turn,
  saidNow: readonly Speech[],
  sitting: Sitting,
): Promise<(() => Speech) | undefined> {
  if (isCancelled(sitting)) return undefined;
  const { parentId, hearing, tape: round } = turn;
  const stood = hearing.stood.get(member.name);
  const tape = round?.members.find(({ name }) => name === member.name);
  if (member.isGone === true && tape?.said === undefined) return undefined;
  if (tape?.said !== undefined) {
    const said = sayAgain(tape.said, { parentId, was: round?.id ?? "" }, sitting);
    return () => readOutcome(member, said, stood);
  }
  const tail = hearing.tail(member, saidNow);
  const part = { role: "persona" as const, parentId, tail, ...(tape?.tape && { tape: tape.tape }) };
  const meanwhile = preparing(member, turn, sitting);
  const outcome = await speak(member, meanwhile === undefined ? part : { ...part, meanwhile }, sitting);
  const error = errorOf(outcome);
  if (error !== undefined && error.code !== "cancelled") {
    const message = `${member.name} gave no answer; the committee goes on without it. ${error.message}`;
    sitting.emitter.warn("agent_failed", message, { agent: member.name, code: error.code });
  }
  const speech = aheadOfTime(() => readOutcome(member, outcome, stood));
  // What others will be shown of it, and what the same member's next one is compared with.
  readyInSpareTime(() => {
    makeReady(speech(), sitting.letters, sitting.rooms.excerpt);
    contentOf(speech());
  });
  return speech;
}

/**
 * While a member is waited for, the next one is made ready; who hears this one first can't be, nor who is asked the
 * question as another model is.
 */
function preparing(member: Member, { order, hearing }: Turn, { settings }: Sitting): Part["meanwhile"] {
  const next = order[order.indexOf(member) + 1];
  if (next === undefined || settings.strategy === "sequential") return undefined;
  if (next.model !== member.model || next.host !== member.host) return undefined;
  return (question, model) => readyToAsk(next, hearing.tail(next), question, model);
}

/** Why a member has no answer. */
function errorOf({ outcome, error }: SaidOutcome): Failure | undefined {
  if (outcome === "answered") return undefined;
  return error ?? (outcome === "cancelled" ? CANCELLED : failure("internal", "It broke off."));
}

function readOutcome(member: Member, outcome: SaidOutcome, before: Speech | undefined): Speech {
  const { agentId, answer } = outcome;
  const error = errorOf(outcome);
  if (error !== undefined) return { member, agentId, answer: "", view: "", error };
  const read = readSpeech(answer);
  // Who says no more than "Position kept." still stands where it stood.
  const said =
    read.answer !== ""
      ? { member, agentId, answer: read.answer, view: read.view }
      : { member, agentId, answer: before?.answer ?? answer, view: before?.view ?? answer };
  if (before === undefined) return said;
  const changed = hasChanged(read, before);
  const speech: Speech = {
    ...said,
    changed,
    isRepeated: aheadOfTime(() => addsNothing(contentOf(speech), contentOf(before))),
    ...(changed && read.change?.reason !== undefined && { reason: read.change.reason }),
  };
  return speech;
}

/** What a speech says; the next one of the same member is compared with it too. */
const contentOf = oncePer(({ answer }: Speech) => readContent(answer));

interface Decision {
  readonly stopped?: Stopped;
  readonly agreement?: Agreement;
}

/** Whether the committee stops here; why is a warning where it stops before its time. */
async function whyStop(
  index: number,
  speeches: readonly Speech[],
  before: Rounds,
  sitting: Sitting,
): Promise<Decision> {
  const { emitter, settings } = sitting;
  const answered = speeches.filter(({ error }) => error === undefined);
  if (isCancelled(sitting)) return { stopped: "cancelled" };
  if (answered.length === 0) return { stopped: lastPositions(before).length === 0 ? "failed" : "rounds" };
  if (before.length > 0 && answered.every(({ isRepeated }) => isRepeated?.() === true)) {
    const message = `stopped after ${index} rounds: no new content`;
    emitter.warn("stopped_early", message, { rounds: index, of: settings.rounds });
    return { stopped: "nothing_new" };
  }
  if (index >= settings.rounds) return {};
  if (overBudget(sitting)) return { stopped: "rounds" };
  const agreement = await agreementOf(answered, heardBlocks([...before, speeches], sitting), sitting);
  if (isCancelled(sitting)) return { stopped: "cancelled" };
  if (agreement?.agreed !== true) return agreement === undefined ? {} : { agreement };
  const count = index === 1 ? "1 round" : `${index} rounds`;
  emitter.warn("stopped_early", `stopped after ${count}: all agree`, { rounds: index, of: settings.rounds });
  return { stopped: "agreed", agreement };
}

/** Whether the turn's tokens, or those that were named before the start, are used up; it is told. */
function overBudget({ input, emitter, ledger, rooms }: Sitting): boolean {
  const { tokenBudget } = input.settings;
  const [used, limit] =
    tokenBudget > 0 ? [ledger.tokens(), tokenBudget] : [ledger.usage().inputTokens ?? 0, rooms.estimate];
  if (used < limit) return false;
  const message = `The committee has used ${used} of ${limit} tokens; it is summed up as it stands.`;
  emitter.warn("token_budget", message, { limit, tokens: used });
  return true;
}
