import { LRUCache } from "lru-cache";
import type { EventOf, TurnEvent } from "../events.ts";
import { CANCELLED, failed, failure, success, type Failure, type Result } from "../failure.ts";
import type { CriticDeps } from "./deps.ts";
import { Idle } from "./idle.ts";
import { critiqueEvent, pairwiseEvent } from "./judged-events.ts";
import { broken, Judging, type Judged } from "./judging.ts";
import {
  isSampled,
  isWanted,
  type CompareJob,
  type CriticJob,
  type GradeJob,
  type TurnPlace,
} from "./jobs.ts";
import { MaterialNote, materialOf, type GivenAnswer, type NotJudged, type TurnMaterial } from "./material.ts";
import { JobQueue, type QueuedJob } from "./queue.ts";
import type { CriticMode } from "./settings.ts";
import type { PairOutcome, PairRequest } from "./types.ts";
import { workOn, type WorkDeps } from "./work.ts";

/** Turns whose texts are held: those that run and those that may wait. */
const MAX_NOTES = 300;

/** Why a judgement was not made that gave way to newer ones. */
const DROPPED = failure("cancelled", "newer answers waited");

/** What the critic is at. */
export interface CriticView {
  readonly running: CriticJob | null;
  /** In the order in which they are done, as far as nothing new comes. */
  readonly waiting: readonly CriticJob[];
  /** Judgements that gave way to newer ones. */
  readonly dropped: number;
}

/** What somebody asks the critic for. */
export type GradeWish = Omit<GradeJob, "kind" | "askedBy" | "askedAt">;
/** What somebody asks the critic for. */
export type CompareWish = Omit<CompareJob, "kind" | "askedBy" | "askedAt">;

/** Judges answered turns off the answer's path, one judgement at a time. Nothing of it throws or rejects. */
export interface Critic {
  /** Takes the events of all turns. */
  readonly onEvent: (event: TurnEvent) => void;
  /** Has an answer graded as soon as nothing runs. Fails in words where that can't be. */
  grade(wish: GradeWish): Promise<Result<void>>;
  /** Has respondent B answer too, and both compared, as soon as nothing runs. Fails in words where that can't be. */
  compare(wish: CompareWish): Promise<Result<void>>;
  /** Compares two texts now, in both orders; nothing is said of any turn. */
  compareTexts(
    request: Pick<PairRequest, "question" | "a" | "b">,
    signal: AbortSignal,
  ): Promise<Judged<PairOutcome>>;
  /** What is known of a turn; fails in words where it is not judged. */
  material(turn: TurnPlace): Promise<Result<TurnMaterial>>;
  /** What some turns said was forgotten: nothing more is said of them. */
  forget(isGone: (turn: TurnPlace) => boolean): void;
  /** Takes up what windows left that were closed. */
  resume(): Promise<void>;
  /** The settings may have changed. */
  changed(): void;
  /** The judge, as it would be asked now; empty where no model is chosen. */
  judge(): string;
  view(): CriticView;
  /** Calls back when the view changes; returns the way to stop. */
  onChange(listener: () => void): () => void;
  /** Stops what runs; what is not done is left to the next window. */
  dispose(): Promise<void>;
}

/** A critic with nothing to do: a reader of the stream like any other. */
export function createCritic(deps: CriticDeps): Critic {
  return new TurnCritic(deps);
}

interface Running extends QueuedJob {
  readonly stop: AbortController;
  /** It is not taken up again. */
  isOver: boolean;
}

class TurnCritic implements Critic {
  readonly #deps: CriticDeps;
  readonly #work: WorkDeps;
  readonly #judging: Judging;
  readonly #idle: Idle;
  readonly #queue = new JobQueue();
  readonly #notes = new LRUCache<string, MaterialNote>({ max: MAX_NOTES });
  readonly #listeners = new Set<() => void>();
  #running: Running | undefined;
  #working: Promise<void> = Promise.resolve();
  #dropped = 0;
  #closing = false;

  constructor(deps: CriticDeps) {
    this.#deps = deps;
    this.#judging = new Judging(deps);
    this.#work = {
      ...{ ...deps, judging: this.#judging },
      episodeOf: (turnId) => this.#notes.get(turnId)?.episodeId,
    };
    this.#idle = new Idle({
      learns: deps.learns ?? (() => false),
      now: () => deps.identity.now(),
      timer: deps.timer,
      onBusy: () => this.#running?.stop.abort(),
      onIdle: () => this.#pump(),
    });
  }

  // A field, so that it can be handed over as it is.
  readonly onEvent = (event: TurnEvent): void => {
    if (this.#closing) return;
    if (event.type === "turn.start") this.#notes.set(event.turnId, new MaterialNote(event));
    this.#notes.get(event.turnId)?.take(event);
    // The turn is queued before the critic may begin with another one.
    if (event.type === "turn.end") this.#ended(event);
    this.#idle.take(event);
  };

  async grade(wish: GradeWish): Promise<Result<void>> {
    const found = await this.#asked(wish);
    if (!found.ok) return found;
    const { personas, shadow } = found.value;
    const { agentId } = wish;
    const isThere = agentId === undefined || [...personas, shadow].some((one) => one?.parentId === agentId);
    if (!isThere) return failed("bad_input", "This agent gave no answer that could be graded.");
    this.#add({ kind: "grade", askedBy: "user", askedAt: this.#deps.identity.now(), ...wish });
    return success(undefined);
  }

  async compare(wish: CompareWish): Promise<Result<void>> {
    const { settings, shadow, events, identity } = this.#deps;
    if (settings().shadow === "off" || shadow === undefined || events === undefined)
      return off("Comparing answers is off.", "conclave.critic.shadow");
    const found = await this.#asked(wish);
    if (!found.ok) return found;
    this.#add({ kind: "compare", askedBy: "user", askedAt: identity.now(), ...wish });
    return success(undefined);
  }

  compareTexts(
    { question, a, b }: Pick<PairRequest, "question" | "a" | "b">,
    signal: AbortSignal,
  ): Promise<Judged<PairOutcome>> {
    const texts = [a, b].map((answer) => ({ ...NOBODY, parentId: "", answer }));
    const [first = NOBODY, second = NOBODY] = texts;
    return this.#judging.compare([first, second], question, { patient: true }, signal);
  }

  async material(turn: TurnPlace): Promise<Result<TurnMaterial>> {
    const found = await this.#find(turn);
    return typeof found === "string" ? failed("bad_input", WHY_NOT[found]) : found;
  }

  forget(isGone: (turn: TurnPlace) => boolean): void {
    for (const [turnId, note] of this.#notes.entries()) if (isGone(note.place)) this.#notes.delete(turnId);
    for (const job of this.#queue.remove(isGone)) this.#deps.kept?.drop(job);
    if (this.#running !== undefined && isGone(this.#running.job)) this.#end(this.#running);
    this.#tell();
  }

  async resume(): Promise<void> {
    const jobs = (await this.#deps.kept?.takeUp()) ?? [];
    for (const job of jobs) {
      // The settings may be others than those of the window that left it.
      if (isWanted(job, this.#deps.settings())) this.#add(job);
      else this.#deps.kept?.drop(job);
    }
  }

  changed(): void {
    const settings = this.#deps.settings();
    const isOff = (job: CriticJob): boolean => !isWanted(job, settings);
    for (const job of this.#queue.remove(isOff)) this.#deps.kept?.drop(job);
    if (this.#running !== undefined && isOff(this.#running.job)) this.#end(this.#running);
    this.#tell();
  }

  judge(): string {
    return this.#judging.judge();
  }

  view(): CriticView {
    return {
      running: this.#running?.job ?? null,
      waiting: this.#queue.list(),
      dropped: this.#dropped,
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async dispose(): Promise<void> {
    this.#closing = true;
    this.#idle.dispose();
    this.#running?.stop.abort();
    await this.#working;
    await this.#deps.kept?.release();
    this.#listeners.clear();
  }

  #ended({ sessionId, turnId, time }: EventOf<"turn.end">): void {
    const { mode, share, shadow } = this.#deps.settings();
    const wants = (one: CriticMode): boolean =>
      one === "all" || (one === "sampled" && isSampled(turnId, share));
    const grades = wants(mode);
    const compares = mode !== "off" && wants(shadow) && this.#deps.shadow !== undefined;
    const material =
      (grades || compares) && this.#judging.isAble() ? this.#notes.get(turnId)?.material() : undefined;
    if (material === undefined || typeof material === "string" || material.isImported) return;
    const place = { sessionId, turnId, askedBy: "critic" as const, askedAt: time };
    if (compares) this.#add({ kind: "compare", ...place });
    if (grades) this.#add({ kind: "grade", ...place });
  }

  /** What a user's wish is about; or why nothing comes of it. */
  async #asked(turn: TurnPlace): Promise<Result<TurnMaterial>> {
    if (this.#closing) return { ok: false, failure: CANCELLED };
    if (this.#deps.settings().mode === "off") return off("The critic is off.", "conclave.critic.mode");
    return this.material(turn);
  }

  async #find(turn: TurnPlace): Promise<Result<TurnMaterial> | NotJudged> {
    const held = this.#notes.get(turn.turnId)?.material();
    if (held !== undefined) return typeof held === "string" ? held : success(held);
    const read = await this.#deps.events?.(turn);
    if (read === undefined) return "unanswered";
    if (!read.ok) return read;
    const material = materialOf(turn, read.value);
    return typeof material === "string" ? material : success(material);
  }

  #add(job: CriticJob): void {
    if (this.#closing) return;
    const isPrivate = this.#deps.isPrivate?.(job.sessionId) ?? false;
    const left = this.#queue.add(job);
    if (!isPrivate && !left.includes(job)) this.#deps.kept?.keep(job);
    for (const one of left) this.#drop(one);
    this.#tell();
    this.#pump();
  }

  /** A job gives way to newer ones, which is said of its turn. */
  #drop(job: CriticJob): void {
    this.#dropped += 1;
    this.#deps.kept?.drop(job);
    this.#say(job, DROPPED);
  }

  /** Says of a job that nothing comes of it. */
  #say(job: CriticJob, problem: Failure): void {
    const { publish, identity, settings } = this.#deps;
    const held = this.#notes.get(job.turnId)?.material();
    const unknown = { ...NOBODY, parentId: job.turnId };
    const answer = held === undefined || typeof held === "string" ? unknown : held.answer;
    const about = { place: job, answer, askedBy: job.askedBy, identity };
    const outcome = { ok: false as const, failure: problem };
    const judged = { model: this.judge(), rubric: job.rubric ?? settings().rubric, outcome };
    publish(
      job.kind === "grade"
        ? critiqueEvent(judged, about, { hasReference: false })
        : pairwiseEvent(judged, about, [answer, undefined]),
    );
  }

  /** Begins with the next job, if it can begin now. */
  #pump(): void {
    if (this.#running !== undefined || this.#closing) return;
    const [first] = this.#queue.list();
    const isFree = first?.askedBy === "user" ? this.#idle.isFree() : this.#idle.isIdle();
    const next = isFree ? this.#queue.next() : undefined;
    if (next === undefined) return;
    const running = { ...next, stop: new AbortController(), isOver: false };
    this.#running = running;
    this.#tell();
    this.#working = this.#run(running);
  }

  async #run(running: Running): Promise<void> {
    const { job, stop } = running;
    let isDone: boolean;
    try {
      // A turn's end is told in one breath with its answer: whoever waits for the answer comes first.
      await new Promise<void>((resolve) => setImmediate(resolve));
      const found = await this.#find(job);
      const material = typeof found !== "string" && found.ok ? found.value : undefined;
      // What can no longer be read, or was forgotten meanwhile, is nothing to speak of.
      isDone = material === undefined || (await workOn(job, material, this.#work, stop.signal));
    } catch (error) {
      this.#say(job, broken(error));
      isDone = true;
    }
    this.#running = undefined;
    // What was asked for anew meanwhile is kept under the same name.
    if (isDone || running.isOver) {
      if (!this.#queue.has(job)) this.#deps.kept?.drop(job);
    } else for (const one of this.#queue.putBack(running)) this.#drop(one);
    this.#tell();
    this.#pump();
  }

  /** Stops a job for good. */
  #end(running: Running): void {
    running.isOver = true;
    running.stop.abort();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Who gave an answer, where that is not known. */
const NOBODY: GivenAnswer = { parentId: "", agent: "", respondent: "A", model: "", answer: "" };

/** Why a turn is not judged, for people. */
const WHY_NOT: Readonly<Record<NotJudged, string>> = {
  unanswered: "This turn has no answer that could be judged.",
  background: "Nobody asked for this turn; it is not judged.",
  forgotten: "What this turn said was forgotten, so it is not judged.",
};

function off(sentence: string, setting: string): { readonly ok: false; readonly failure: Failure } {
  return failed("bad_input", `${sentence} Turn it on in the settings.`, {
    action: "open_settings",
    target: setting,
  });
}
