import { setMaxListeners } from "node:events";
import type { EventSink } from "../events.ts";
import { describeError, failure } from "../failure.ts";
import type { MemoryPort } from "../memory/port.ts";
import { learnedEvent, type Reading } from "./learned-event.ts";
import { turnOf, type Lesson } from "./lesson.ts";
import { ModelReader, type ModelReaderDeps } from "./model-reader.ts";
import { proposeByModel, proposeByRules, type Proposal } from "./propose.ts";
import { isSmallTalk } from "./rules/small-talk.ts";
import { storeLesson } from "./store-lesson.ts";

/** Turns that wait to be read by a model; the oldest is then read by rules, so that nothing is lost. */
const MAX_WAITING = 20;

/** A reading that gave way to new questions this often is done by rules. */
const MAX_POSTPONED = 3;

/** Why such a turn is not read at all. */
const SMALL_TALK = "small talk";

/** What learning works with. */
export interface LearnerDeps extends ModelReaderDeps {
  readonly memory: MemoryPort;
  /** Takes `memory.learned`. Must not throw. */
  readonly publish: EventSink;
}

/** Reads remembered turns for what is to be learnt, one after the other, whenever no turn runs. */
export interface Learner {
  take(lesson: Lesson): void;
  /** A question is being answered: a reading under way gives way to it, and waits until `answered`. */
  asked(turnId: string): void;
  answered(turnId: string): void;
  /** Has rules read what still waits; stops after `ms` milliseconds at most. */
  flush(ms: number): Promise<void>;
}

interface Waiting {
  readonly lesson: Lesson;
  postponed: number;
  /** Why no model is to read it, once that is so. */
  byRules: string | undefined;
}

/** A learner with nothing to do. Nothing of it throws or rejects. */
export function createLearner(deps: LearnerDeps): Learner {
  return new TurnLearner(deps);
}

class TurnLearner implements Learner {
  readonly #deps: LearnerDeps;
  readonly #waiting: Waiting[] = [];
  readonly #running = new Set<string>();
  readonly #reader: ModelReader;
  /** Ends the wait for the first of them; only set while a turn waits for that. */
  #wake: (() => void) | undefined;
  readonly #stop = new AbortController();
  #work: Promise<void> | undefined;
  #closing = false;

  constructor(deps: LearnerDeps) {
    this.#deps = deps;
    this.#reader = new ModelReader(deps);
    setMaxListeners(64, this.#stop.signal);
  }

  take(lesson: Lesson): void {
    const { learning } = lesson.memory;
    if (learning === "off") return;
    const small = isSmallTalk(lesson.said) ? SMALL_TALK : undefined;
    const rules = learning === "rules" ? "the settings say so" : undefined;
    this.#waiting.push({ lesson, postponed: 0, byRules: small ?? rules ?? this.#closingReason() });
    if (this.#waiting.filter(({ byRules }) => byRules === undefined).length > MAX_WAITING) {
      const oldest = this.#waiting.find(({ byRules }) => byRules === undefined);
      if (oldest !== undefined) oldest.byRules = "too many turns waited for a model";
    }
    this.#pump();
  }

  asked(turnId: string): void {
    this.#running.add(turnId);
    this.#reader.giveWay();
  }

  answered(turnId: string): void {
    this.#running.delete(turnId);
    this.#pump();
  }

  async flush(ms: number): Promise<void> {
    this.#closing = true;
    const cancel = this.#deps.timer(ms, () => this.#stop.abort());
    this.#reader.giveWay();
    for (const one of this.#waiting) one.byRules ??= this.#closingReason();
    this.#pump();
    while (this.#work !== undefined) await this.#work;
    cancel();
    this.#wake?.();
    this.#wake = undefined;
  }

  #closingReason(): string | undefined {
    return this.#closing ? "Conclave is closing" : undefined;
  }

  /** Starts the next piece of work, if there is one that can start now. */
  #pump(): void {
    if (this.#work !== undefined) return;
    const next = this.#next();
    if (next === undefined) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#work = this.#learn(next)
      .catch((error: unknown) => this.#tellBroken(next, error))
      .finally(() => {
        this.#work = undefined;
        this.#pump();
      });
  }

  /** The turns of one agent are read in their order; a model reads only while nobody waits for an answer. */
  #next(): Waiting | undefined {
    const passed = new Set<string>();
    let rest = Infinity;
    for (const one of this.#waiting) {
      const { agent } = one.lesson.episode;
      if (passed.has(agent)) continue;
      if (one.byRules !== undefined) return one;
      const left = this.#reader.restOf(agent);
      if (this.#running.size === 0 && left <= 0) return one;
      rest = Math.min(rest, left);
      passed.add(agent);
    }
    // While a turn runs its end is what wakes.
    if (this.#running.size === 0 && rest < Infinity) this.#sleep(rest);
    return undefined;
  }

  async #learn(one: Waiting): Promise<void> {
    const { identity, publish } = this.#deps;
    const began = identity.now();
    const { lesson, byRules } = one;
    const read =
      byRules === undefined ? await this.#reader.read(lesson, this.#stop.signal) : { reason: byRules };
    if (read === "postponed") {
      this.#postpone(one);
      return;
    }
    const proposal = proposalOf(lesson, read, byRules);
    const stored = await storeLesson(lesson, read.extraction, proposal, this.#deps, this.#stop.signal);
    publish(
      learnedEvent(lesson.episode, identity, { ...read, ...stored, ...(proposal && { proposal }), began }),
    );
  }

  /** A bug of ours costs one turn, and is told. */
  #tellBroken({ lesson }: Waiting, thrown: unknown): void {
    const cause = describeError(thrown);
    const error = failure("internal", "Nothing was learnt: something broke inside Conclave.", { cause });
    this.#deps.publish(
      learnedEvent(lesson.episode, this.#deps.identity, { error, began: this.#deps.identity.now() }),
    );
  }

  #postpone(one: Waiting): void {
    one.postponed += 1;
    if (this.#closing) one.byRules = this.#closingReason();
    else if (one.postponed >= MAX_POSTPONED) one.byRules = "new questions came before a model could read it";
    this.#waiting.unshift(one);
  }

  #sleep(ms: number): void {
    if (this.#wake !== undefined) return;
    this.#wake = this.#deps.timer(Math.ceil(ms), () => {
      this.#wake = undefined;
      this.#pump();
    });
  }
}

/** What is made of what was read: by rules where no model read it, and nothing of small talk. */
function proposalOf(
  lesson: Lesson,
  { extraction }: Reading,
  byRules: string | undefined,
): Proposal | undefined {
  const turn = turnOf(lesson);
  if (extraction !== undefined) return proposeByModel(extraction, turn);
  return byRules === SMALL_TALK ? undefined : proposeByRules(turn);
}
