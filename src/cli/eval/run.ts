import { REPORT_SCHEMA, type EvalReport, type EvalRun } from "../../trace/eval/report.ts";
import { settingsBesideDefaults, settingsWith } from "../settings/case-settings.ts";
import type { EvalCase } from "./case/types.ts";
import { compareFeatures } from "./compare.ts";
import { AS_WRITTEN, without, type Configuration } from "./configurations.ts";
import type { EvalDeps } from "./deps.ts";
import type { RunJob } from "./job.ts";
import { runCase } from "./run-case.ts";
import { summarise } from "./summary.ts";

/** What is to be run. */
export interface EvalPlan {
  readonly cases: readonly EvalCase[];
  /** None: as the cases are written, and for comparison without the features that a case asks to compare. */
  readonly configurations: readonly Configuration[];
  readonly repeats: number;
  /** The seed of the first repeat; each further one has the next number. */
  readonly seed: number;
  /** What to say in the report beside what was run. */
  readonly notes?: readonly string[];
}

/** How far an evaluation is. */
export interface EvalProgress {
  readonly done: number;
  readonly of: number;
  /** The run that begins, or the one that has just ended. */
  readonly job: RunJob;
  readonly run?: EvalRun;
}

interface PlannedRun extends RunJob {
  /** It stands beside others for a comparison only. */
  readonly comparison: boolean;
}

/**
 * Runs cases one after the other, each with everything of its own, and says what came of it. What was run before the
 * signal fires is in the report, which says that it was cancelled. Never rejects.
 */
export async function runEvaluation(
  plan: EvalPlan,
  deps: EvalDeps & { readonly version: string; readonly onProgress?: (progress: EvalProgress) => void },
  signal: AbortSignal,
): Promise<EvalReport> {
  const startedAt = Date.now();
  const began = performance.now();
  const jobs = planRuns(plan);
  const runs: EvalRun[] = [];
  for (const [done, job] of jobs.entries()) {
    if (signal.aborted) break;
    deps.onProgress?.({ done, of: jobs.length, job });
    const run = await runCase(job, deps, signal);
    runs.push(run);
    deps.onProgress?.({ done: done + 1, of: jobs.length, job, run });
  }
  const names = [...new Set(jobs.map(({ configuration }) => configuration.name))];
  const isComparison = (name: string): boolean =>
    jobs.filter(({ configuration }) => configuration.name === name).every(({ comparison }) => comparison);
  const committees = new Set(
    plan.cases.filter(({ committee }) => committee !== undefined).map(({ name }) => name),
  );
  const { server, settings } = deps;
  return {
    schema: REPORT_SCHEMA,
    version: deps.version,
    startedAt,
    durationMs: performance.now() - began,
    outcome: signal.aborted ? "cancelled" : "finished",
    server: {
      kind: server.kind,
      ...(server.host !== undefined && { host: server.host }),
      ...(server.version !== undefined && { version: server.version }),
    },
    model: server.model,
    repeats: plan.repeats,
    seeds: seedsOf(plan),
    settings: settingsBesideDefaults(settingsWith(settings, server.settings ?? {})),
    runs,
    configurations: names.map((name) => summarise(name, runs, isComparison(name))),
    comparisons: compareFeatures(runs, names, committees),
    notes: [
      ...(server.note === undefined ? [] : [server.note]),
      ...unservedNotes(runs, names.length),
      ...(plan.notes ?? []),
    ],
  };
}

/** Says which cases are in no comparison since nobody was there to answer them. */
function unservedNotes(runs: readonly EvalRun[], configurations: number): readonly string[] {
  const lost = runs.filter(({ outcome, answerRight }) => outcome === "error" && answerRight === undefined);
  if (lost.length === 0) return [];
  const [cases, few] = [new Set(lost.map((run) => run.case)), 5];
  const more = cases.size > few ? ` and ${cases.size - few} more` : "";
  const aside = configurations > 1 ? ", and their cases are in no comparison" : "";
  return [
    `${lost.length} of ${runs.length} runs could not be made and count as failed${aside}: ${[...cases].slice(0, few).join(", ")}${more}.`,
  ];
}

function seedsOf({ seed, repeats }: EvalPlan): readonly number[] {
  return Array.from({ length: repeats }, (_, at) => seed + at);
}

/** All runs of a plan, the repeats of a case side by side. */
function planRuns(plan: EvalPlan): readonly PlannedRun[] {
  return plan.cases.flatMap((one) =>
    configurationsOf(one, plan.configurations).flatMap(({ configuration, comparison }) =>
      seedsOf(plan).map((seed, at) => ({ case: one, configuration, repeat: at + 1, seed, comparison })),
    ),
  );
}

function configurationsOf(
  { configurations: own, compare, committee }: EvalCase,
  asked: readonly Configuration[],
): readonly { readonly configuration: Configuration; readonly comparison: boolean }[] {
  const isMeant = ({ name }: Configuration): boolean => own === undefined || own.includes(name);
  if (asked.length > 0)
    return asked.filter(isMeant).map((configuration) => ({ configuration, comparison: false }));
  const beside = compare.flatMap((feature) => without(AS_WRITTEN, feature, committee !== undefined) ?? []);
  return [
    { configuration: AS_WRITTEN, comparison: false },
    ...beside.map((configuration) => ({ configuration, comparison: true })),
  ];
}
