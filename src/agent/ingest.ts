import { LRUCache } from "lru-cache";
import type { EventOf, EventSink, TurnEvent } from "./events.ts";
import { CANCELLED, describeError, failure, type Failure } from "./failure.ts";
import type { Identity } from "./ids.ts";
import type { Episode, MemoryPort } from "./memory-port.ts";
import { raceAbort, type Timer } from "./timer.ts";

/** Turns that are followed at a time; more don't run at once. */
const MAX_TURNS = 500;

/** Episodes that wait for a slow memory; a later one is refused, in words. */
const MAX_WAITING = 200;

/** Episodes that are handed over at once. */
const MAX_BATCH = 20;

/** What ingestion works with. */
export interface IngestDeps {
  readonly memory: MemoryPort;
  readonly identity: Identity;
  readonly timer: Timer;
  /** Takes `memory.ingested`. Must not throw. */
  readonly publish: EventSink;
}

/** Remembers answered turns, off the answer's path: a reader of the stream like any other. */
export interface Ingest {
  /** Takes the events of all turns. Never throws. */
  readonly onEvent: (event: TurnEvent) => void;
  /** Waits until all is remembered, `ms` milliseconds at most, and stops what is still under way then. */
  flush(ms: number): Promise<void>;
}

interface Waiting {
  readonly episode: Episode;
  readonly end: EventOf<"turn.end">;
}

type Draft = Partial<Pick<Episode, "question" | "answer" | "model" | "time">>;

/** A reader that remembers each answered turn as one episode. */
export function createIngest(deps: IngestDeps): Ingest {
  const drafts = new LRUCache<string, Draft>({ max: MAX_TURNS });
  const waiting: Waiting[] = [];
  const stop = new AbortController();
  let working: Promise<void> | undefined;

  const work = async (): Promise<void> => {
    // Other readers of `turn.end` come first.
    await Promise.resolve();
    while (waiting.length > 0) await remember(waiting.splice(0, MAX_BATCH), deps, stop.signal);
    working = undefined;
  };
  const onTurnEnd = (event: EventOf<"turn.end">): void => {
    const draft = drafts.get(event.turnId);
    drafts.delete(event.turnId);
    const episode =
      event.data.outcome === "answered" ? toEpisode(draft ?? {}, event, deps.identity) : undefined;
    if (episode === undefined) return;
    if (waiting.length >= MAX_WAITING || stop.signal.aborted) {
      const full = failure("memory_unavailable", "Memory is too far behind; this turn was not remembered.");
      publishIngested({ episode, end: event }, deps, 0, full);
      return;
    }
    waiting.push({ episode, end: event });
    working ??= work();
  };

  return {
    onEvent: (event) => {
      if (event.type === "turn.end") onTurnEnd(event);
      else note(drafts, event);
    },
    flush: async (ms) => {
      const cancel = deps.timer(ms, () => stop.abort());
      await working;
      cancel();
    },
  };
}

function note(drafts: LRUCache<string, Draft>, event: TurnEvent): void {
  const add = (part: Draft): void => void drafts.set(event.turnId, { ...drafts.get(event.turnId), ...part });
  if (event.type === "turn.start") add({ time: event.time });
  else if (event.type === "query.received") add({ question: event.data.query });
  else if (event.type === "model.end") add({ model: event.data["gen_ai.response.model"] });
  else if (event.type === "answer.dialog") add({ answer: event.data.answer });
}

function toEpisode(draft: Draft, end: EventOf<"turn.end">, identity: Identity): Episode | undefined {
  const { question, answer, model = "", time = end.time } = draft;
  if (question === undefined || answer === undefined) return undefined;
  const { sessionId, turnId, agent, respondent } = end;
  return {
    id: identity.uuid(),
    sessionId,
    turnId,
    question,
    answer,
    agent,
    respondent,
    model,
    time,
    kind: "turn",
  };
}

async function remember(batch: readonly Waiting[], deps: IngestDeps, signal: AbortSignal): Promise<void> {
  const began = deps.identity.now();
  const episodes = batch.map(({ episode }) => episode);
  const raced = await raceAbort(signal, () => deps.memory.add(episodes, signal));
  const duration = deps.identity.now() - began;
  let problem: Failure | undefined;
  if (raced.kind === "aborted") problem = CANCELLED;
  else if (raced.kind === "thrown") {
    problem = failure("memory_unavailable", "The turn was not remembered: memory broke down.", {
      cause: describeError(raced.error),
    });
  } else if (!raced.value.ok) problem = raced.value.failure;
  for (const one of batch) publishIngested(one, deps, duration, problem);
}

function publishIngested(one: Waiting, deps: IngestDeps, durationMs: number, error?: Failure): void {
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
      ...(error && { error }),
    },
  });
}
