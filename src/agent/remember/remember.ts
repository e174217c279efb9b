import type { EventOf, EventSink, TurnEvent } from "../events.ts";
import { CANCELLED, describeError, failure, type Failure } from "../failure.ts";
import type { Gate } from "../gate.ts";
import type { Identity } from "../ids.ts";
import type { Episode, MemoryPort } from "../memory/port.ts";
import type { Resource } from "../memory/types.ts";
import type { ChatModel } from "../models/types.ts";
import { memorySettings, type EngineSettings, type MemorySettings } from "../settings.ts";
import { raceAbort, type Timer } from "../timer.ts";
import { personaText } from "./card.ts";
import { createLearner } from "./learner.ts";
import { annotationsOf, type Lesson } from "./lesson.ts";
import { resourcesOf } from "./resources.ts";
import { entitiesIn, intentOf } from "./rules/classify.ts";
import { saidIn } from "./said.ts";
import { createTurnNotes, type TurnNote } from "./turn-notes.ts";

/** Turns that wait for a slow memory; a later one is refused, in words. */
const MAX_WAITING = 200;

/** Episodes that are handed over at once. */
const MAX_BATCH = 20;

/** Why a turn in which something was forgotten is not remembered; no fault, and nothing to be mended. */
const FORGETS = failure("cancelled", "This turn was not remembered: it names what you had forgotten.");

/** What remembering works with. */
export interface RememberDeps {
  readonly memory: MemoryPort;
  readonly identity: Identity;
  readonly timer: Timer;
  /** Takes `memory.ingested` and `memory.learned`. Must not throw. */
  readonly publish: EventSink;
  /** Read anew for each turn. */
  readonly settings: () => EngineSettings;
  /** The model that reads turns. */
  readonly model: (name: string) => ChatModel | Failure;
  readonly gate: Gate;
}

/** Remembers answered turns and learns from them, off the answer's path: a reader of the stream like any other. */
export interface Remember {
  /** Takes the events of all turns. Never throws; of a turn's end it gives when that was taken up. */
  readonly onEvent: (event: TurnEvent) => Promise<void> | undefined;
  /** Waits until all is remembered, `ms` milliseconds at most, and stops what is still under way then. */
  flush(ms: number): Promise<void>;
}

interface Waiting {
  readonly episode: Episode;
  readonly end: EventOf<"turn.end">;
  readonly resources: readonly Resource[];
  readonly retrieved: number;
  readonly lesson: Lesson;
}

/**
 * A reader that remembers each answered turn: its episode at once, classified by rules, with the pages and files of the
 * turn; what it teaches later, when no turn runs. A private turn leaves nothing, nor does one in which the user had
 * something forgotten, nor does any when memory is off.
 */
export function createRemember(deps: RememberDeps): Remember {
  const notes = createTurnNotes();
  const learner = createLearner(deps);
  const waiting: Waiting[] = [];
  const stop = new AbortController();
  const ending = new Set<Promise<void>>();
  let working: Promise<void> | undefined;

  const work = async (): Promise<void> => {
    // Other readers of `turn.end` come first.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH);
      const problem = await remember(batch, deps, stop.signal);
      if (problem === undefined) for (const { lesson } of batch) learner.take(lesson);
    }
    working = undefined;
  };
  const onTurnEnd = (event: EventOf<"turn.end">): void => {
    const note = notes.finish(event.turnId);
    if (note === undefined || event.data.outcome !== "answered") return;
    const one = toRemember(note, event, deps);
    if (one === undefined) return;
    // By such a turn the user had something forgotten: its own words would bring it back.
    if (note.hasForgotten === true) {
      publishIngested(one, deps, 0, FORGETS);
      return;
    }
    if (waiting.length >= MAX_WAITING || stop.signal.aborted) {
      const full = failure("memory_unavailable", "Memory is too far behind; this turn was not remembered.");
      publishIngested(one, deps, 0, full);
      return;
    }
    waiting.push(one);
    working ??= work();
  };

  const takeUp = async (event: EventOf<"turn.end">): Promise<void> => {
    // A turn's end is told in one breath with its answer: whoever waits for the answer comes first.
    await new Promise<void>((resolve) => setImmediate(resolve));
    learner.answered(event.turnId);
    onTurnEnd(event);
  };

  return {
    onEvent: (event) => {
      notes.take(event);
      if (event.type === "turn.start") learner.asked(event.turnId);
      if (event.type !== "turn.end") return undefined;
      const taken = takeUp(event).finally(() => ending.delete(taken));
      ending.add(taken);
      return taken;
    },
    flush: async (ms) => {
      const cancel = deps.timer(ms, () => stop.abort());
      await Promise.allSettled(ending);
      await working;
      cancel();
      await learner.flush(ms);
    },
  };
}

function toRemember(note: TurnNote, end: EventOf<"turn.end">, deps: RememberDeps): Waiting | undefined {
  const settings = deps.settings();
  const memory = memorySettings(settings);
  const { question, answer } = note;
  if (question === undefined || answer === undefined || !memory.enabled) return undefined;
  if (note.isPrivate === true) return undefined;
  const said = saidIn(question);
  const episode = episodeOf({ note, question, answer, said, end, memory }, deps.identity);
  const { sessionId, turnId } = end;
  return {
    episode,
    end,
    resources: resourcesOf(note, { sessionId, turnId, scope: memory.scope }, deps.identity),
    retrieved: note.retrieved,
    lesson: {
      episode,
      said,
      recalled: note.recalled,
      settings,
      memory,
      persona: personaText(settings.persona),
    },
  };
}

interface EpisodeParts {
  readonly note: TurnNote;
  readonly question: string;
  readonly answer: string;
  readonly said: string;
  readonly end: EventOf<"turn.end">;
  readonly memory: MemorySettings;
}

function episodeOf({ note, question, answer, said, end, memory }: EpisodeParts, identity: Identity): Episode {
  const { sessionId, turnId, agent, respondent } = end;
  return {
    id: identity.uuid(),
    ...{ sessionId, turnId, question, answer, agent, respondent },
    model: note.model ?? "",
    time: note.time ?? end.time,
    kind: "turn",
    scope: memory.scope,
    intent: intentOf(said),
    entities: entitiesIn(said),
    references: note.references.map(({ label, uri }) => ({ label, uri })),
    sources: [...note.sources.values()],
  };
}

/** Stores the turns; gives why it could not. Pages and files are kept beside: without them the turn is remembered. */
async function remember(
  batch: readonly Waiting[],
  deps: RememberDeps,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { memory, identity } = deps;
  const began = identity.now();
  const episodes = batch.map(({ episode }) => episode);
  const raced = await raceAbort(signal, () => memory.add(episodes, signal));
  const duration = identity.now() - began;
  let problem: Failure | undefined;
  if (raced.kind === "aborted") problem = CANCELLED;
  else if (raced.kind === "thrown") {
    problem = failure("memory_unavailable", "The turn was not remembered: memory broke down.", {
      cause: describeError(raced.error),
    });
  } else if (!raced.value.ok) problem = raced.value.failure;
  for (const one of batch) publishIngested(one, deps, duration, problem);
  const unread = batch.filter(({ lesson }) => lesson.memory.learning === "off");
  if (problem === undefined && unread.length > 0) {
    // Who reads turns tells their mood too; where nobody does, rules tell it.
    const moods = unread.flatMap(({ lesson }) => annotationsOf(lesson, undefined, identity));
    await raceAbort(signal, () => memory.annotate(moods, signal));
  }
  const resources = batch.flatMap((one) => one.resources);
  if (problem === undefined && resources.length > 0) {
    await raceAbort(signal, () => memory.keep(resources, signal));
  }
  return problem;
}

function publishIngested(one: Waiting, deps: RememberDeps, durationMs: number, error?: Failure): void {
  const { sessionId, turnId, agent, respondent } = one.end;
  deps.publish({
    type: "memory.ingested",
    id: deps.identity.spanId(),
    parentId: turnId,
    time: deps.identity.now(),
    ...{ sessionId, turnId, agent, respondent },
    data: {
      "conclave.episode_ids": error === undefined ? [one.episode.id] : [],
      "conclave.duration_ms": durationMs,
      "conclave.retrieved": one.retrieved,
      ...(error && { error }),
    },
  });
}
