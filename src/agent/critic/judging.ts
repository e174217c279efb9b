import { CANCELLED, describeError, failed, failure, success, type Failure, type Result } from "../failure.ts";
import { contextLengthFor } from "../models/capabilities.ts";
import type { ChatModel, ModelInfo } from "../models/types.ts";
import { SlowModels } from "../remember/slow-models.ts";
import { raceAbort } from "../timer.ts";
import { chooseRubric } from "./choose-rubric.ts";
import type { JudgingDeps } from "./deps.ts";
import { judgeFamily } from "./family.ts";
import type { GivenAnswer, TurnMaterial } from "./material.ts";
import type { GradeOutcome, JudgeDeps, PairOutcome, Rubric } from "./types.ts";

/** How long a judge may take for one sample of a grade, and for both orders of a comparison; milliseconds. */
export const GRADE_MS = 180_000;
export const COMPARE_MS = 360_000;

/** Grades of models with fewer parameters are noise, and would weigh in what is recalled (docs/evidence.md). */
const JUDGES_FROM = 2.5e9;

/** What a judgement is made for. */
export interface JudgingWish {
  /** Name of the rubric. */
  readonly rubric?: string;
  readonly reference?: string;
}

/** A judgement and how it came about; a failure says why the judge could not be asked. */
export interface Judged<T> {
  readonly model: string;
  readonly rubric: string;
  readonly sameFamily?: string;
  readonly outcome: Result<T>;
}

interface Asked {
  readonly model: ChatModel;
  readonly rubric: Rubric;
  readonly deps: JudgeDeps;
  readonly info: ModelInfo;
}

/**
 * Has the judge of the settings look at answers, within its time. A judge that took too long is left alone for a while
 * by everybody but the user. Nothing of it throws; it stops within a moment of the signal.
 */
export class Judging {
  readonly #deps: JudgingDeps;
  readonly #slow = new SlowModels();

  constructor(deps: JudgingDeps) {
    this.#deps = deps;
  }

  /** The judge, as it would be asked now; empty where no model is chosen. */
  judge(): string {
    const own = this.#deps.settings().model.trim();
    return own === "" ? this.#deps.engineSettings().model.trim() : own;
  }

  /** Whether the judge is large enough to be asked without anybody's wish, as far as its size is known by now. */
  isAble(): boolean {
    const name = this.judge();
    const model = name === "" ? undefined : this.#deps.model(name);
    const known = model === undefined || "code" in model ? undefined : model.known?.();
    return (known?.parameters ?? Infinity) >= JUDGES_FROM;
  }

  /** Grades one answer. */
  grade(
    answer: GivenAnswer,
    { question, sources }: Pick<TurnMaterial, "question" | "sources">,
    wish: JudgingWish & { readonly patient?: true },
    signal: AbortSignal,
  ): Promise<Judged<GradeOutcome>> {
    const limitMs = GRADE_MS * this.#deps.settings().samples;
    const { reference } = wish;
    return this.#judged([answer], wish, limitMs, signal, ({ rubric, deps }, own) =>
      this.#deps.judge.grade(
        { question, answer: answer.answer, sources, rubric, ...(reference !== undefined && { reference }) },
        deps,
        own,
      ),
    );
  }

  /** Compares two answers, in both orders. */
  compare(
    [a, b]: readonly [GivenAnswer, GivenAnswer],
    question: string,
    wish: JudgingWish & { readonly patient?: true },
    signal: AbortSignal,
  ): Promise<Judged<PairOutcome>> {
    const { reference } = wish;
    return this.#judged([a, b], wish, COMPARE_MS, signal, ({ rubric, deps }, own) =>
      this.#deps.judge.compare(
        { question, a: a.answer, b: b.answer, rubric, ...(reference !== undefined && { reference }) },
        deps,
        own,
      ),
    );
  }

  async #judged<T>(
    answers: readonly GivenAnswer[],
    wish: JudgingWish & { readonly patient?: true },
    limitMs: number,
    signal: AbortSignal,
    work: (asked: Asked, signal: AbortSignal) => Promise<Result<T>>,
  ): Promise<Judged<T>> {
    const name = this.judge();
    const named = wish.rubric ?? this.#deps.settings().rubric;
    const limited = this.#within(limitMs, signal);
    try {
      const asked = await this.#ask(name, answers[0]?.agent ?? "", wish, limited.signal);
      if (!asked.ok) return { model: name, rubric: named, outcome: this.#late(asked, name, limited) };
      const { rubric, info } = asked.value;
      const raced = await raceAbort(limited.signal, () => work(asked.value, limited.signal));
      const outcome = this.#late(resultOf(raced), name, limited);
      if (outcome.ok) this.#slow.answered(name);
      const sameFamily = answers
        .map(({ model }) => (model === "" ? undefined : judgeFamily(info, { name: model })))
        .find((family) => family !== undefined);
      return { model: name, rubric: rubric.name, outcome, ...(sameFamily !== undefined && { sameFamily }) };
    } finally {
      limited.end();
    }
  }

  /** What is asked, and of whom; or why it can't be. */
  async #ask(
    name: string,
    agent: string,
    { rubric: wanted, patient }: JudgingWish & { readonly patient?: true },
    signal: AbortSignal,
  ): Promise<Result<Asked>> {
    const { settings, engineSettings, rubrics, model: find, gate, identity } = this.#deps;
    const { rubric: usual, samples } = settings();
    const rubric = chooseRubric(rubrics(), { agent, usual, ...(wanted !== undefined && { asked: wanted }) });
    if (!rubric.ok) return rubric;
    if (name === "")
      return failed("no_model", "No chat model is chosen yet. Select one.", { action: "select_model" });
    const left = this.#slow.restOf(name, identity.now());
    if (left > 0 && patient !== true)
      return failed("timeout", `${name} took too long; it is asked again in ${Math.ceil(left / 1_000)} s.`);
    const model = find(name);
    if ("code" in model) return { ok: false, failure: model };
    const described = await raceAbort(signal, () => model.describe(signal));
    if (described.kind === "aborted") return { ok: false, failure: CANCELLED };
    const known = described.kind === "value" && described.value.ok ? described.value.value : undefined;
    const { contextLength, keepAlive } = engineSettings();
    const runner = { contextLength: contextLengthFor(contextLength, known), keepAlive };
    const deps: JudgeDeps = { model, gate, runner, samples, now: () => identity.now() };
    return success({ model, rubric: rubric.value, deps, info: known ?? { name, capabilities: [] } });
  }

  #within(ms: number, signal: AbortSignal): Limited {
    const own = new AbortController();
    const stop = (): void => own.abort();
    let isUp = false;
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const cancel = this.#deps.timer(ms, () => {
      isUp = true;
      stop();
    });
    return {
      signal: own.signal,
      seconds: ms / 1_000,
      isUp: () => isUp,
      end: () => {
        cancel();
        signal.removeEventListener("abort", stop);
      },
    };
  }

  /** A judge whose time was up has not been cancelled. */
  #late<T>(outcome: Result<T>, name: string, { isUp, seconds }: Limited): Result<T> {
    if (outcome.ok || !isUp()) return outcome;
    this.#slow.timedOut(name, this.#deps.identity.now());
    return failed("timeout", `${name} took longer than ${seconds} s.`);
  }
}

interface Limited {
  readonly signal: AbortSignal;
  readonly seconds: number;
  readonly isUp: () => boolean;
  readonly end: () => void;
}

function resultOf<T>(raced: Awaited<ReturnType<typeof raceAbort<Result<T>>>>): Result<T> {
  if (raced.kind === "value") return raced.value;
  return { ok: false, failure: raced.kind === "aborted" ? CANCELLED : broken(raced.error) };
}

/** A bug of ours costs one judgement. */
export function broken(thrown: unknown): Failure {
  return failure("internal", "Judging broke inside Conclave.", { cause: describeError(thrown) });
}
