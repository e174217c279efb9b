import type { Position } from "../events-committee.ts";
import type { SandboxCounters } from "../events-sandbox.ts";
import { CANCELLED, describeError, failure } from "../failure.ts";
import { delay } from "../timer.ts";
import { roundCounters } from "./counters.ts";
import { oneMessage } from "./message.ts";
import {
  begin,
  emitLearned,
  finish,
  type SandboxDeps,
  type SandboxInput,
  type Stop,
  type Talk,
} from "./talk.ts";
import type { SandboxOutcome } from "./types.ts";

/**
 * Lets personas talk to each other, from `turn.start` to `turn.end`. Never throws: it ends after its rounds, when what
 * is said repeats itself, when it is cancelled, or when a persona fails; what was said until then stays.
 */
export async function runSandbox(input: SandboxInput, deps: SandboxDeps): Promise<SandboxOutcome> {
  const talk = begin(input, deps);
  let stop: Stop | undefined;
  try {
    stop = await allRounds(talk);
    if (stop === undefined || stop.stopped === "repetition") await learnTheRest(talk);
  } catch (error) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : describeError(error);
    const broken = failure("internal", "Something broke inside Conclave; the trace has the details.", {
      cause,
    });
    stop = { stopped: "failed", error: broken };
  }
  return finish(talk, stop);
}

async function allRounds(talk: Talk): Promise<Stop | undefined> {
  const { rounds } = talk.input.plan.settings;
  for (let round = 1; round <= rounds; round += 1) {
    const stop = await oneRound(talk, round);
    if (stop !== undefined) return stop;
  }
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
