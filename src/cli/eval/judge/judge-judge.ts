import { chooseRubric } from "../../../agent/critic/choose-rubric.ts";
import { createJudge } from "../../../agent/critic/judge.ts";
import type { Judge, JudgeCost, JudgeDeps, Rubric } from "../../../agent/critic/types.ts";
import { failed, success, type Failure, type Result } from "../../../agent/failure.ts";
import { createGate } from "../../../agent/gate.ts";
import type { ChatModel } from "../../../agent/models/types.ts";
import type { EvalJudge } from "../../../trace/eval/report.ts";
import { opinionOf } from "./judge-report.ts";
import type { JudgedGrade, JudgedPair } from "./judged.ts";
import type { LabelledSet } from "./labelled-set.ts";

/** A judge's trial. */
export interface JudgeTrial {
  readonly set: LabelledSet;
  readonly model: ChatModel;
  readonly rubrics: readonly Rubric[];
  /** Name of the rubric where neither the set nor the item names one. */
  readonly rubric: string;
  readonly settings: {
    readonly contextLength: number;
    readonly keepAlive: string | number;
    readonly samples: number;
  };
  /** Left out: the product's own. */
  readonly judge?: Judge;
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Lets a judge grade and compare what people have labelled, as it does in the product, and says how far it can be
 * trusted. Fails where the judge can't be asked, or a rubric is not there; what it says that can't be read is a grade
 * that is missing. Never throws; stops within a moment of the signal.
 */
export async function judgeTheJudge(trial: JudgeTrial, signal: AbortSignal): Promise<Result<EvalJudge>> {
  const { set, model, onProgress = () => undefined } = trial;
  const rubrics = rubricsOf(trial);
  if (!rubrics.ok) return rubrics;
  const judge = trial.judge ?? createJudge();
  const deps = depsOf(trial);
  const of = set.graded.length + set.pairs.length;
  const grades: JudgedGrade[] = [];
  const pairs: JudgedPair[] = [];
  for (const item of set.graded) {
    const { question, answer, sources = "", reference } = item;
    const request = { question, answer, sources, ...(reference !== undefined && { reference }) };
    const rubric = rubrics.value(item);
    const outcome = await judge.grade({ ...request, rubric }, deps, signal);
    if (!outcome.ok) return broken(outcome.failure, grades.length, of);
    grades.push({ item, outcome: outcome.value });
    onProgress(grades.length, of);
  }
  for (const item of set.pairs) {
    const { question, a, b, reference } = item;
    const request = {
      question,
      a,
      b,
      ...(reference !== undefined && { reference }),
      rubric: rubrics.value(item),
    };
    const outcome = await judge.compare(request, deps, signal);
    if (!outcome.ok) return broken(outcome.failure, grades.length + pairs.length, of);
    pairs.push({ item, outcome: outcome.value });
    onProgress(grades.length + pairs.length, of);
  }
  const costs: readonly JudgeCost[] = [...grades, ...pairs].map(({ outcome }) => outcome);
  const rubric = [...new Set([...set.graded, ...set.pairs].map((item) => rubrics.value(item).name))].join(
    ", ",
  );
  return success(opinionOf({ model: model.name, set, rubric, grades, pairs, costs }));
}

function depsOf({ model, settings }: JudgeTrial): JudgeDeps {
  return {
    model,
    gate: createGate(1),
    runner: { contextLength: settings.contextLength, keepAlive: settings.keepAlive },
    now: () => performance.now(),
    samples: settings.samples,
  };
}

type RubricOf = (item: { readonly rubric?: string | undefined }) => Rubric;

/** Finds the rubric of each item before anything is asked. */
function rubricsOf({ set, rubrics, rubric }: JudgeTrial): Result<RubricOf> {
  const found = new Map<string, Rubric>();
  const nameOf = (item: { readonly rubric?: string | undefined }) => item.rubric ?? set.rubric ?? rubric;
  for (const name of new Set([...set.graded, ...set.pairs].map(nameOf))) {
    const chosen = chooseRubric({ rubrics }, { agent: "", asked: name, usual: name });
    if (!chosen.ok) return chosen;
    found.set(name, chosen.value);
  }
  return success((item) => found.get(nameOf(item)) as Rubric);
}

function broken(failure: Failure, done: number, of: number): Result<EvalJudge> {
  if (failure.code === "cancelled" || done === 0) return { ok: false, failure };
  return failed(
    failure.code,
    `The judge could not be asked any more after ${done} of ${of} items. ${failure.message}`,
  );
}
