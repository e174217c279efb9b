import { setMaxListeners } from "node:events";
import { LRUCache } from "lru-cache";
import type { EventSink } from "../events.ts";
import { CANCELLED, describeError, failure, type Failure, type Result } from "../failure.ts";
import type { Gate } from "../gate.ts";
import type { Identity } from "../ids.ts";
import type { Annotation, AnnotationValue, Episode, MemoryPort } from "../memory-port.ts";
import type { Learned, Learnt } from "../memory-types.ts";
import type { ChatModel } from "../models/types.ts";
import type { EngineSettings, MemorySettings } from "../settings.ts";
import { raceAbort, type Timer } from "../timer.ts";
import { askHelper, helperName } from "./ask-helper.ts";
import { extractionMessages } from "./extraction-prompt.ts";
import { EXTRACTION_FORMAT, readExtraction, type Extraction } from "./extraction-schema.ts";
import { proposeByModel, proposeByRules, type LearningTurn, type Proposal } from "./propose.ts";
import { learnedEvent, type Reading } from "./learned-event.ts";
import { sentimentOf } from "./rules/classify.ts";
import { isSmallTalk } from "./rules/small-talk.ts";
import { SlowModels } from "./slow-models.ts";

/** One model reads at most one turn of an agent in so long, in milliseconds. */
export const REST_MS = 10_000;

/** A model that reads longer than this is given up, in milliseconds. */
const READ_TIMEOUT_MS = 60_000;

/** Agents whose rest is kept track of. */
const MAX_AGENTS = 500;

/** Turns that wait to be read by a model; the oldest is then read by rules, so that nothing is lost. */
const MAX_WAITING = 20;

/** A reading that gave way to new questions this often is done by rules. */
const MAX_POSTPONED = 3;

/** Why such a turn is not read at all. */
const SMALL_TALK = "small talk";

/** What a remembered turn brings to be learnt from. */
export interface Lesson {
  readonly episode: Episode;
  /** The user's own words. */
  readonly said: string;
  readonly recalled: readonly string[];
  readonly settings: EngineSettings;
  readonly memory: MemorySettings;
  /** The card of the agent's own persona. */
  readonly persona: string;
}

/** What learning works with. */
export interface LearnerDeps {
  readonly memory: MemoryPort;
  readonly identity: Identity;
  readonly timer: Timer;
  /** Takes `memory.learned`. Must not throw. */
  readonly publish: EventSink;
  readonly model: (name: string) => ChatModel | Failure;
  readonly gate: Gate;
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
  /** Until when no model reads another turn of an agent; milliseconds since the epoch. */
  readonly #restUntil = new LRUCache<string, number>({ max: MAX_AGENTS });
  readonly #slow = new SlowModels();
  /** Ends the wait for the first of them; only set while a turn waits for that. */
  #wake: (() => void) | undefined;
  readonly #stop = new AbortController();
  #reading: AbortController | undefined;
  #work: Promise<void> | undefined;
  #closing = false;

  constructor(deps: LearnerDeps) {
    this.#deps = deps;
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
    this.#reading?.abort();
  }

  answered(turnId: string): void {
    this.#running.delete(turnId);
    this.#pump();
  }

  async flush(ms: number): Promise<void> {
    this.#closing = true;
    const cancel = this.#deps.timer(ms, () => this.#stop.abort());
    this.#reading?.abort();
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
      const left = (this.#restUntil.get(agent) ?? 0) - this.#deps.identity.now();
      if (this.#running.size === 0 && left <= 0) return one;
      rest = Math.min(rest, left);
      passed.add(agent);
    }
    // While a turn runs its end is what wakes.
    if (this.#running.size === 0 && rest < Infinity) this.#sleep(rest);
    return undefined;
  }

  async #learn(one: Waiting): Promise<void> {
    const began = this.#deps.identity.now();
    const { lesson } = one;
    let read: Reading;
    if (one.byRules !== undefined) read = { reason: one.byRules };
    else {
      const reading = await this.#read(lesson);
      if (reading === "postponed") {
        this.#postpone(one);
        return;
      }
      read = reading;
    }
    const turn = turnOf(lesson);
    const isSmall = one.byRules === SMALL_TALK;
    const proposal =
      read.extraction !== undefined
        ? proposeByModel(read.extraction, turn)
        : isSmall
          ? undefined
          : proposeByRules(turn);
    const stored = await this.#store(lesson, read.extraction, proposal);
    this.#deps.publish(
      learnedEvent(lesson.episode, this.#deps.identity, {
        ...read,
        ...stored,
        ...(proposal && { proposal }),
        began,
      }),
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

  /** Has a model read the turn. Gives why it could not; `postponed` when a question came between. */
  async #read({ said, episode, settings, memory }: Lesson): Promise<Reading | "postponed"> {
    const name = helperName(settings, episode.model);
    const model = this.#deps.model(name);
    if ("code" in model) return { reason: model.message };
    const { identity } = this.#deps;
    const left = this.#slow.restOf(name, identity.now());
    if (left > 0) {
      return {
        reason: `${name} took too long; it is tried again in ${Math.ceil(left / 1_000)} s`,
        model: name,
      };
    }
    this.#restUntil.set(episode.agent, identity.now() + REST_MS);
    const reading = new AbortController();
    this.#reading = reading;
    const stop = (): void => reading.abort();
    this.#stop.signal.addEventListener("abort", stop, { once: true });
    const time = { isUp: false };
    const cancel = this.#deps.timer(READ_TIMEOUT_MS, () => {
      time.isUp = true;
      reading.abort();
    });
    const job = {
      messages: extractionMessages(said, episode.time, memory.timeZone),
      format: EXTRACTION_FORMAT,
    };
    const answer = await askHelper(model, job, { settings, gate: this.#deps.gate }, reading.signal);
    cancel();
    this.#stop.signal.removeEventListener("abort", stop);
    this.#reading = undefined;
    if (time.isUp) {
      this.#slow.timedOut(name, identity.now());
      return { reason: `${name} took longer than ${READ_TIMEOUT_MS / 1_000} s`, model: name };
    }
    if (reading.signal.aborted) return "postponed";
    this.#slow.answered(name);
    if (!answer.ok) return { reason: answer.failure.message, model: name };
    const extraction = readExtraction(answer.value.text);
    const { usage } = answer.value;
    if (extraction === undefined) return { reason: `${name} gave nothing of use`, model: name, usage };
    return { extraction, model: name, usage };
  }

  #sleep(ms: number): void {
    if (this.#wake !== undefined) return;
    this.#wake = this.#deps.timer(Math.ceil(ms), () => {
      this.#wake = undefined;
      this.#pump();
    });
  }

  /** Hands over what was learnt, and how the turn was classified. */
  async #store(
    lesson: Lesson,
    extraction: Extraction | undefined,
    proposal: Proposal | undefined,
  ): Promise<{ readonly learned?: Learned; readonly error?: Failure }> {
    const { memory } = this.#deps;
    const { signal } = this.#stop;
    const notes = annotationsOf(lesson, extraction, this.#deps.identity);
    const noted = await safely(signal, () => memory.annotate(notes, signal));
    const learnt = proposal === undefined ? undefined : learntOf(lesson, proposal);
    if (learnt === undefined) return noted.ok ? {} : { error: noted.failure };
    const learned = await safely(signal, () => memory.learn(learnt, signal));
    if (learned.ok) return { learned: learned.value };
    return { error: learned.failure };
  }
}

function turnOf({ said, episode, recalled, memory: { timeZone } }: Lesson): LearningTurn {
  return {
    ...{ said, agent: episode.agent, time: episode.time, hasRecalled: recalled.length > 0 },
    ...(timeZone !== undefined && { timeZone }),
  };
}

/** Nothing when there is nothing to hand over. */
function learntOf(
  { episode, said, recalled, persona, memory }: Lesson,
  { learnt }: Proposal,
): Learnt | undefined {
  const { facts, entities, edges, interests = [] } = learnt;
  if (facts.length + entities.length + edges.length + interests.length === 0) return undefined;
  const { sessionId, turnId, time, agent } = episode;
  return {
    source: { sessionId, turnId, time },
    ...{ agent, said, recalled },
    scope: memory.scope,
    ...(persona !== "" && { persona }),
    ...learnt,
  };
}

function annotationsOf(
  { episode, said }: Lesson,
  extraction: Extraction | undefined,
  identity: Identity,
): readonly Annotation[] {
  const values: AnnotationValue[] = [
    { kind: "sentiment", value: extraction?.sentiment ?? sentimentOf(said) },
  ];
  if (extraction !== undefined) {
    const entities = extraction.entities.map(({ name }) => name);
    values.push({ kind: "class", value: { intent: extraction.intent, entities } });
  }
  const time = Math.round(identity.now());
  return values.map((value) => ({
    ...value,
    id: identity.uuid(),
    episodeId: episode.id,
    by: "classifier",
    time,
  }));
}

/** What memory answers; a memory that throws or hangs past the end is a failure like any other. */
async function safely<T>(signal: AbortSignal, work: () => Promise<Result<T>>): Promise<Result<T>> {
  const raced = await raceAbort(signal, work);
  if (raced.kind === "value") return raced.value;
  if (raced.kind === "aborted") return { ok: false, failure: CANCELLED };
  const cause = describeError(raced.error);
  return {
    ok: false,
    failure: failure("memory_unavailable", "Nothing was learnt: memory broke down.", { cause }),
  };
}
