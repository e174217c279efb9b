import { createCritic } from "../../../../src/agent/critic/critic.ts";
import type { CriticDeps } from "../../../../src/agent/critic/deps.ts";
import { jobKey, type CriticJob } from "../../../../src/agent/critic/jobs.ts";
import type { JobStore } from "../../../../src/agent/critic/resume.ts";
import { DEFAULT_CRITIC, type CriticSettings } from "../../../../src/agent/critic/settings.ts";
import type {
  GradeOutcome,
  GradeRequest,
  Judge,
  JudgeDeps,
  PairOutcome,
  PairRequest,
  Rubric,
} from "../../../../src/agent/critic/types.ts";
import type { Engine } from "../../../../src/agent/engine-port.ts";
import type { EventOf, TurnEvent, TurnEventType } from "../../../../src/agent/events.ts";
import { CANCELLED, success, type Result } from "../../../../src/agent/failure.ts";
import { createGate } from "../../../../src/agent/gate.ts";
import type { ChatModel } from "../../../../src/agent/models/types.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../../../src/agent/settings.ts";
import { answers, engineOver, fakeTimer, playModel, seededIdentity, type Setup } from "../support.ts";

/** A rubric as the product has them. */
export function rubric(name: string, agents: readonly string[] = []): Rubric {
  const levels = ["Useless.", "Weak.", "Fair.", "Good.", "Excellent."] as const;
  return { name, criterion: `Is it good by ${name}?`, levels: [...levels], agents, source: "built-in" };
}

/** A grade as a judge gives it. */
export function graded(score: number | null, part: Partial<GradeOutcome> = {}): Result<GradeOutcome> {
  return success({
    ...{ judge: "constrained", score, feedback: "It says what was asked.", scores: [score], spread: 0 },
    ...{ attempts: 1, durationMs: 12, inputTokens: 100, outputTokens: 20 },
    ...part,
  });
}

/** A verdict as a judge gives it. */
export function verdict(winner: "A" | "B" | null, part: Partial<PairOutcome> = {}): Result<PairOutcome> {
  return success({
    ...{ judge: "constrained", winner, feedback: "One is clearer.", orderBound: false },
    orders: (["A", "B"] as const).map((first) => ({ first, winner, feedback: "One is clearer." })),
    ...{ attempts: 2, durationMs: 30 },
    ...part,
  });
}

/** A judge that is played, and what it was asked. */
export interface PlayedJudge extends Judge {
  readonly graded: GradeRequest[];
  readonly compared: PairRequest[];
  readonly deps: JudgeDeps[];
  /** Signals of what was asked, in order. */
  readonly signals: AbortSignal[];
}

/** What a played judge does. */
export interface JudgePart {
  readonly grade?: (request: GradeRequest, signal: AbortSignal) => Promise<Result<GradeOutcome>>;
  readonly compare?: (request: PairRequest, signal: AbortSignal) => Promise<Result<PairOutcome>>;
}

/** A judge that gives 4 and finds A better, unless it is told otherwise. */
export function playJudge(part: JudgePart = {}): PlayedJudge {
  const judge: PlayedJudge = {
    ...{ graded: [], compared: [], deps: [], signals: [] },
    grade: (request, deps, signal) => {
      judge.graded.push(request);
      judge.deps.push(deps);
      judge.signals.push(signal);
      return part.grade?.(request, signal) ?? Promise.resolve(graded(4));
    },
    compare: (request, deps, signal) => {
      judge.compared.push(request);
      judge.deps.push(deps);
      judge.signals.push(signal);
      return part.compare?.(request, signal) ?? Promise.resolve(verdict("A"));
    },
  };
  return judge;
}

/** Work that waits until it is stopped. */
export function untilStopped<T>(signal: AbortSignal): Promise<Result<T>> {
  return new Promise((resolve) => {
    const stop = (): void => resolve({ ok: false, failure: CANCELLED });
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** A store of jobs that is looked into. */
export function jobStore(left: readonly CriticJob[] = []): JobStore & { readonly jobs: CriticJob[] } {
  const jobs = [...left];
  return {
    jobs,
    keep: (job) => {
      if (!jobs.some((one) => jobKey(one) === jobKey(job))) jobs.push(job);
    },
    drop: (job) => {
      const at = jobs.findIndex((one) => jobKey(one) === jobKey(job));
      if (at >= 0) jobs.splice(at, 1);
    },
    takeUp: () => Promise.resolve(left),
    release: () => Promise.resolve(),
  };
}

/** What the bed is made of. */
export interface BedPart {
  readonly settings?: Partial<CriticSettings>;
  readonly judge?: PlayedJudge;
  readonly model?: ChatModel;
  readonly engineSettings?: Partial<EngineSettings>;
  readonly setup?: Setup;
  readonly deps?: Partial<CriticDeps>;
  /** Left out: the critic hears of nothing but what the engine tells. */
  readonly rubrics?: readonly Rubric[];
}

/** An engine with a critic that reads along; the clock moves only where the test says so. */
export function bed(part: BedPart = {}) {
  const { clock, timer } = fakeTimer();
  const judge = part.judge ?? playJudge();
  const model = part.model ?? playModel([answers("Paris.")]);
  const settings: { now: CriticSettings } = { now: { ...DEFAULT_CRITIC, ...part.settings } };
  const identity = { ...seededIdentity(), now: () => Date.UTC(2026, 0, 1) + clock.now };
  const engine: Engine = engineOver(model, {
    ...{ identity, timer },
    ...part.setup,
    settings: { memory: { enabled: false }, ...part.engineSettings },
  });
  const events: TurnEvent[] = [];
  const eventsOf = (turnId: string): readonly TurnEvent[] =>
    events.filter((event) => event.turnId === turnId && event.type !== "model.delta");
  const critic = createCritic({
    settings: () => settings.now,
    engineSettings: () => ({ ...DEFAULT_ENGINE_SETTINGS, model: "tiny", ...part.engineSettings }),
    rubrics: () => ({ rubrics: part.rubrics ?? [rubric("helpfulness")], problems: [] }),
    model: () => model,
    ...{ judge, identity, timer, gate: createGate(1) },
    publish: (event) => engine.publish(event),
    events: ({ turnId }) => Promise.resolve(success(eventsOf(turnId))),
    shadow: (request, signal) => engine.shadow!(request, signal),
    ...part.deps,
  });
  engine.onEvent((event) => {
    events.push(event);
    critic.onEvent(event);
  });
  /** Waits until something holds, letting all else go on meanwhile. */
  const until = async (isMet: () => boolean): Promise<void> => {
    while (!isMet()) await new Promise((resolve) => setImmediate(resolve));
  };
  const of = <Type extends TurnEventType>(type: Type): EventOf<Type>[] =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  /** Waits until the critic has nothing to do. */
  const done = (): Promise<void> =>
    until(() => critic.view().running === null && critic.view().waiting.length === 0);
  return { engine, critic, judge, model, clock, settings, events, eventsOf, of, until, done, identity };
}
