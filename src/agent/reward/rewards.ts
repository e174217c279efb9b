import { LRUCache } from "lru-cache";
import type { EventOf, EventSink, TurnEvent, TurnEventType } from "../events.ts";
import type { Identity } from "../ids.ts";
import type { Annotation, MemoryPort } from "../memory/port.ts";
import { raceAbort, type Timer } from "../timer.ts";
import { currentReward, JUDGED_TYPES, JudgedTurn, type JudgedAnswer } from "./judged-turn.ts";
import { notesOf } from "./notes.ts";

/** Turns that are held: the latest that were judged or that ran. */
const MAX_TURNS = 500;
/** Events that wait for a slow memory; what comes beyond is written when its turn is judged the next time. */
const MAX_JOBS = 2_000;
/** Notes that could not be written and are tried again; so many are handed over at once. */
const MAX_UNWRITTEN = 2_000;
const BATCH = 500;
/** Notes of one turn that are known to be written; beyond, they are written again, which changes nothing. */
const MAX_WRITTEN = 1_000;
/** Forgotten turns that are known to a window. */
const MAX_GONE = 10_000;

/** Where a turn's events are read from when they were not heard: the log on disk. */
export interface TurnEventsPort {
  /**
   * The events of one turn of the types that are wanted, in order; none where nothing is known of it. Must not reject.
   */
  turnEvents(
    place: { readonly sessionId: string; readonly turnId: string },
    types: ReadonlySet<TurnEventType>,
    signal: AbortSignal,
  ): Promise<readonly TurnEvent[]>;
}

/** What rewards are made with. */
export interface RewardDeps {
  readonly memory: Pick<MemoryPort, "annotate">;
  readonly identity: Pick<Identity, "spanId" | "now">;
  readonly timer: Timer;
  /** Takes `reward.event`. Must not throw. */
  readonly publish: EventSink;
  readonly turns: TurnEventsPort;
  /** Whether a session lives in this window alone; left out: as its turns say when they begin. */
  readonly isPrivate?: (sessionId: string) => boolean;
}

/** Lets what people and critics think of answers change what is remembered: a reader of the stream like any other. */
export interface Rewards {
  /** Takes the events of all turns. Never throws. */
  onEvent(event: TurnEvent): void;
  /** Nothing more is written of these turns. */
  forget(turnIds: readonly string[]): void;
  /** Waits until all is written, `ms` milliseconds at most, and stops what is still under way then. */
  flush(ms: number): Promise<void>;
}

/** What sets off that notes are written. */
const STARTING: ReadonlySet<TurnEventType> = new Set<TurnEventType>([
  ...(["memory.ingested", "shadow.answer", "user.feedback"] as const),
  ...(["critique.result", "critique.corrected", "pairwise.result"] as const),
]);

/** What people say may follow on what they said in another window: the log alone knows all of it. */
const BY_PEOPLE: ReadonlySet<TurnEventType> = new Set<TurnEventType>(["user.feedback", "critique.corrected"]);

/**
 * A reader that writes what is said of answers on the episodes that hold them (`score`, `verdict`, `feedback`,
 * `reward`), as soon as both are there in whichever order, and tells what feedback is worth (`reward.event`). Of
 * private and forgotten turns, and of those taken from somebody else's file, nothing gets into memory.
 */
export function createRewards(deps: RewardDeps): Rewards {
  return new RewardReader(deps);
}

class RewardReader implements Rewards {
  readonly #deps: RewardDeps;
  readonly #turns = new LRUCache<string, JudgedTurn>({ max: MAX_TURNS });
  readonly #gone = new LRUCache<string, true>({ max: MAX_GONE });
  readonly #jobs: TurnEvent[] = [];
  readonly #unwritten = new Map<string, Annotation>();
  readonly #stop = new AbortController();
  /** What was heard of the turn that is read from the log meanwhile. */
  #reading: { readonly turnId: string; readonly heard: TurnEvent[] } | undefined;
  #working: Promise<void> | undefined;

  constructor(deps: RewardDeps) {
    this.#deps = deps;
  }

  onEvent(event: TurnEvent): void {
    if (!JUDGED_TYPES.has(event.type) || this.#gone.has(event.turnId)) return;
    if (event.type === "turn.start" && !this.#turns.has(event.turnId)) {
      this.#turns.set(event.turnId, new JudgedTurn(event.sessionId, event.turnId));
    }
    this.#turns.get(event.turnId)?.take(event);
    if (this.#reading?.turnId === event.turnId) this.#reading.heard.push(event);
    if (!STARTING.has(event.type) || this.#jobs.length >= MAX_JOBS || this.#stop.signal.aborted) return;
    this.#jobs.push(event);
    this.#working ??= this.#work();
  }

  forget(turnIds: readonly string[]): void {
    for (const turnId of turnIds) {
      this.#gone.set(turnId, true);
      const turn = this.#turns.get(turnId);
      this.#turns.delete(turnId);
      if (turn === undefined) continue;
      turn.isForgotten = true;
      for (const { id } of notesOf(turn)) this.#unwritten.delete(id);
    }
  }

  async flush(ms: number): Promise<void> {
    const cancel = this.#deps.timer(ms, () => this.#stop.abort());
    await this.#working;
    cancel();
  }

  async #work(): Promise<void> {
    // Other readers of the event come first.
    await Promise.resolve();
    for (let event = this.#jobs.shift(); event !== undefined; event = this.#jobs.shift()) {
      if (this.#stop.signal.aborted) break;
      const turn = await this.#turnOf(event);
      if (turn === undefined || this.#gone.has(event.turnId)) continue;
      turn.take(event);
      if (turn.isForgotten) continue;
      if (event.type === "user.feedback") this.#tellRewards(turn);
      await this.#write(turn);
    }
    this.#working = undefined;
  }

  /** All that is known of an event's turn; undefined where it is nowhere. */
  async #turnOf(event: TurnEvent): Promise<JudgedTurn | undefined> {
    const known = this.#turns.get(event.turnId);
    if (known?.isWhole === true && !BY_PEOPLE.has(event.type)) return known;
    const { sessionId, turnId } = event;
    const heard: TurnEvent[] = [];
    this.#reading = { turnId, heard };
    const { signal } = this.#stop;
    const raced = await raceAbort(signal, () =>
      this.#deps.turns.turnEvents({ sessionId, turnId }, JUDGED_TYPES, signal),
    );
    this.#reading = undefined;
    const events = raced.kind === "value" ? raced.value : [];
    // A log that can't be read, or that is not there, knows less than this window does.
    if (!events.some(({ type }) => type === "turn.start")) return this.#turns.get(turnId);
    const turn = new JudgedTurn(sessionId, turnId);
    for (const one of [...events, ...heard]) turn.take(one);
    for (const id of known?.written ?? []) turn.written.add(id);
    if (!this.#gone.has(turnId)) this.#turns.set(turnId, turn);
    return turn;
  }

  /** Tells what feedback is worth where that has changed. */
  #tellRewards(turn: JudgedTurn): void {
    for (const answer of turn.answers()) {
      const event = rewardEvent(turn, answer, this.#deps.identity);
      if (event === undefined) continue;
      answer.told = { reward: event.data.reward, reason: event.data.reason };
      this.#deps.publish(event);
    }
  }

  async #write(turn: JudgedTurn): Promise<void> {
    const isPrivate = this.#deps.isPrivate?.(turn.sessionId) ?? turn.isPrivate;
    if (isPrivate || turn.isImported) return;
    if (turn.written.size > MAX_WRITTEN) turn.written.clear();
    for (const note of notesOf(turn)) {
      if (turn.written.has(note.id) || this.#unwritten.size >= MAX_UNWRITTEN) continue;
      this.#unwritten.set(note.id, note);
      turn.written.add(note.id);
    }
    while (this.#unwritten.size > 0) if (!(await this.#annotate())) return;
  }

  /** Writes some of what is not written yet; false where memory does not take it. */
  async #annotate(): Promise<boolean> {
    const notes = [...this.#unwritten.values()].slice(0, BATCH);
    const { signal } = this.#stop;
    const raced = await raceAbort(signal, () => this.#deps.memory.annotate(notes, signal));
    // Memory that is off or broken may be back the next time.
    if (raced.kind !== "value" || !raced.value.ok) return false;
    for (const { id } of notes) this.#unwritten.delete(id);
    return true;
  }
}

function rewardEvent(
  { sessionId, turnId }: JudgedTurn,
  answer: JudgedAnswer,
  identity: RewardDeps["identity"],
): EventOf<"reward.event"> | undefined {
  const reward = currentReward(answer);
  const { told } = answer;
  if (reward === undefined || (told === undefined && reward.sources.length === 0)) return undefined;
  if (told?.reward === reward.reward && told.reason === reward.reason) return undefined;
  return {
    type: "reward.event",
    id: identity.spanId(),
    parentId: answer.place,
    time: identity.now(),
    ...{ sessionId, turnId, agent: answer.agent, respondent: answer.respondent },
    data: {
      reward: reward.reward,
      reason: reward.reason,
      ...(answer.model !== "" && { "gen_ai.request.model": answer.model }),
      "conclave.sources": reward.sources,
      ...(answer.episodes.length > 0 && { "conclave.episode_ids": answer.episodes }),
    },
  };
}
