import type { TurnEvent } from "../../agent/events.ts";
import { analyseCommittee, type CommitteeAnalysis } from "../../trace/analysis/committee.ts";
import type { IsRight } from "../../trace/analysis/stand.ts";
import type { EvalCommittee, EvalRun } from "../../trace/eval/report.ts";
import { find, type Pattern } from "./case/pattern.ts";
import type { CaseTurn } from "./case/schema.ts";
import type { EvalCase } from "./case/types.ts";
import { AS_WRITTEN, parseConfiguration, type Configuration } from "./configurations.ts";
import type { EvalDeps } from "./deps.ts";
import { equalTokensReport, type Trio } from "./equal-tokens-report.ts";
import type { RunJob } from "./job.ts";
import { runCase } from "./run-case.ts";

/** Samples that self-consistency can be asked for. */
const SAMPLES = { least: 2, most: 25 } as const;

/** What is to be compared. */
export interface EqualTokensPlan {
  readonly cases: readonly EvalCase[];
  /** The committee; left out: as each case has it. */
  readonly committee?: Configuration;
  readonly repeats: number;
  readonly seed: number;
}

/** What came of it. */
export interface EqualTokens {
  readonly runs: readonly EvalRun[];
  readonly committee: EvalCommittee;
}

/** The ways that a committee is held against. */
const OTHERS = ["single", "self-consistency"] as const;

/**
 * Whether a case can tell a committee from others: it says what is right, a committee answers it, and it makes sense
 * without one. What only a committee can show, such as a view that is kept, would be no fair comparison.
 */
export function isForEqualTokens(one: EvalCase, committee?: Configuration): boolean {
  const saysWhatIsRight = one.dialogue.some((turn) => rightBy(turn) !== undefined);
  const isFair = OTHERS.every((name) => one.configurations?.includes(name) ?? true);
  return saysWhatIsRight && isFair && (committee !== undefined || one.committee !== undefined);
}

/**
 * Asks each case of a committee, of a single agent, and of self-consistency with as many samples as the committee's
 * tokens buy: an answer for as many tokens as the single agent took. What the members thought at first and in the end
 * is read out of the turns' events. Stops with the signal, with what there is until then. Never rejects.
 */
export async function runEqualTokens(
  plan: EqualTokensPlan,
  deps: EvalDeps & { readonly onRun?: (run: EvalRun, job: RunJob) => void },
  signal: AbortSignal,
): Promise<EqualTokens> {
  const cases = plan.cases.filter((one) => isForEqualTokens(one, plan.committee));
  const runs: EvalRun[] = [];
  const trios: Trio[] = [];
  for (const one of cases) {
    for (let repeat = 1; repeat <= plan.repeats; repeat += 1) {
      if (signal.aborted) break;
      const job = { repeat, seed: plan.seed + repeat - 1 };
      const trio = await runTrio(
        { ...job, case: one, configuration: plan.committee ?? AS_WRITTEN },
        deps,
        signal,
      );
      runs.push(...trio.runs);
      if (trio.runs.every(({ outcome }) => outcome !== "cancelled")) trios.push(trio);
    }
  }
  return { runs, committee: equalTokensReport(trios) };
}

async function runTrio(
  job: RunJob,
  deps: EvalDeps & { readonly onRun?: (run: EvalRun, job: RunJob) => void },
  signal: AbortSignal,
): Promise<Trio & { readonly runs: readonly EvalRun[] }> {
  const analyses: CommitteeAnalysis[] = [];
  const run = async (own: RunJob, listen?: EvalDeps["onEvents"]): Promise<EvalRun> => {
    const done = await runCase(own, { ...deps, ...(listen && { onEvents: listen }) }, signal);
    deps.onRun?.(done, own);
    return done;
  };
  const committee = await run(job, (_job, events) => {
    deps.onEvents?.(job, events);
    analyses.push(...analysesOf(job.case, events));
  });
  const single = await run({ ...job, configuration: named("single") });
  const samples = samplesFor(tokens(committee), tokens(single));
  const sampling = { ...job.case, committee: { ...job.case.committee, samples } };
  const sampled = await run({ ...job, case: sampling, configuration: named("self-consistency") });
  return {
    case: job.case.name,
    committee,
    single,
    sampled,
    samples,
    analyses,
    runs: [committee, single, sampled],
  };
}

/** As many samples as so many tokens buy. */
export function samplesFor(budget: number, each: number): number {
  if (each <= 0) return SAMPLES.least;
  return Math.min(SAMPLES.most, Math.max(SAMPLES.least, Math.floor(budget / each)));
}

function tokens({ inputTokens, outputTokens }: EvalRun): number {
  return inputTokens + outputTokens;
}

function named(name: (typeof OTHERS)[number]): Configuration {
  return parseConfiguration(name) ?? AS_WRITTEN;
}

/** Each turn's committee, with the turn's own idea of what is right. */
function analysesOf({ dialogue }: EvalCase, events: readonly TurnEvent[]): readonly CommitteeAnalysis[] {
  const asked = dialogue.flatMap((turn) => Array.from({ length: turn.times }, () => turn));
  const turnIds = [...new Set(events.map(({ turnId }) => turnId))];
  return turnIds.flatMap((turnId, at) => {
    const turn = asked[at];
    const isRight = turn === undefined ? undefined : rightBy(turn);
    if (isRight === undefined) return [];
    return (
      analyseCommittee(
        events.filter((event) => event.turnId === turnId),
        isRight,
      ) ?? []
    );
  });
}

/** What a turn of a case takes for a right answer; undefined where it does not say. */
export function rightBy({ expect }: CaseTurn): IsRight | undefined {
  const { contains = [], not_contains: unwanted = [] } = expect?.answer ?? {};
  if (contains.length + unwanted.length === 0) return undefined;
  const has = (text: string) => (pattern: Pattern) => find(pattern, text);
  return (text) =>
    contains.every((pattern) => has(text)(pattern) === true) &&
    unwanted.every((pattern) => has(text)(pattern) === false);
}
