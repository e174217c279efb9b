import { z } from "zod";

/*
 * What an evaluation found. The report is written by `src/cli/eval`, kept as JSON, and drawn by the panel. It may come
 * from a file: everything is bounded and checked before it is used.
 */

/** The version of the report's form. */
export const REPORT_SCHEMA = "conclave-eval/1";

/** Features of the product that a report compares with and without. */
export const FEATURES = ["memory", "tools", "critic", "committee"] as const;
/** A feature of the product that a report compares with and without. */
export type Feature = (typeof FEATURES)[number];

/** UTF-16 units of a text, and of a name. */
export const MAX_TEXT = 100_000;
/** UTF-16 units of a text, and of a name. */
export const MAX_NAME = 300;
/** Turns of one run, and checks of all of them. */
export const MAX_TURNS = 20_000;
/** Turns of one run, and checks of all of them. */
export const MAX_CHECKS = 100_000;

/** Traces of one run. */
export const MAX_TRACES = 100;

const text = z.string().max(MAX_TEXT);
const name = z.string().max(MAX_NAME);
const count = z.number().min(0);
const whole = z.int().min(0);
const share = z.number().min(0).max(1);
const list = <T extends z.ZodType>(item: T, most = 10_000) => z.array(item).max(most).readonly();

const interval = z.object({ estimate: z.number(), low: z.number(), high: z.number() }).readonly();

const usage = {
  /** Model calls with the tool calls they asked for, of all turns. */
  steps: count,
  inputTokens: count,
  outputTokens: count,
  /** Milliseconds in which servers read prompts. */
  prefillMs: count,
  /** Milliseconds from questions to the ends of their turns. */
  totalMs: count,
  /** Requests, calls and outputs that were tried once more. */
  retries: count,
  /** Calls and outputs that were mended before they were used. */
  repairs: count,
};

const toolCalls = z
  .object({
    /** Calls that the case expects; 0 where it says nothing of calls. */
    expected: count,
    made: count,
    /** Made calls that are none of those expected, or that named no tool or had arguments that did not fit. */
    wrong: count,
    /** Expected calls that were not made. */
    missing: count,
  })
  .readonly();

const check = z
  .object({
    /** What was checked, such as `answer contains`. */
    name,
    passed: z.boolean(),
    /** What was wanted and what was found. */
    reason: text,
    /** From 1: the turn of the dialogue; left out: the run as a whole. */
    turn: whole.optional(),
  })
  .readonly();

const turn = z
  .object({
    turnId: name,
    sessionId: name,
    question: text,
    answer: text,
    outcome: z.enum(["answered", "failed", "cancelled"]),
    /** Names of the tools in the order of their calls. */
    tools: list(name, 1_000),
    /** The critic's grade, 1-5; null: it gave none; left out: it was not asked. */
    grade: z.number().min(1).max(5).nullable().optional(),
    error: text.optional(),
  })
  .readonly();

/** How a run ended: by its checks, by something that kept it from being run, or not at all. */
const outcome = z.enum(["passed", "failed", "error", "cancelled"]);

const run = z
  .object({
    case: name,
    /** Its file, relative to the folder that was asked for. */
    file: text,
    tags: list(name, 100),
    configuration: name,
    /** From 1. */
    repeat: whole,
    seed: whole,
    outcome,
    /**
     * What the user gets was right: how the turns ended and what they answered, whichever way. Left out where the case
     * says nothing of answers. Features are compared by this: how a feature works must not prove that it helps.
     */
    answerRight: z.boolean().optional(),
    /** What kept it from being run. */
    error: text.optional(),
    checks: list(check, MAX_CHECKS),
    turns: list(turn, MAX_TURNS),
    toolCalls,
    ...usage,
    /** Mean of the critic's grades of its turns. */
    grade: z.number().min(1).max(5).optional(),
    /** The trace files of its sessions, relative to the report's folder. */
    traces: list(name, MAX_TRACES),
  })
  .readonly();

const rate = z
  .object({
    ...interval.unwrap().shape,
    cases: whole,
    trials: whole,
  })
  .readonly();

const configuration = z
  .object({
    name,
    /** What it is, in words. */
    description: text,
    /** It stands beside others for a comparison only: what fails in it fails nothing. */
    comparison: z.boolean(),
    runs: whole,
    passed: whole,
    failed: whole,
    errors: whole,
    /** The share of runs that passed, at 95 % confidence, by cases. */
    success: rate,
    toolCalls,
    /** Means of a run. */
    mean: z.object({ ...usage, seconds: count, grade: z.number().min(1).max(5).optional() }).readonly(),
    /** Steps of a question, on average. */
    stepsPerQuestion: count,
    /** Of the calls expected, the share that was made. */
    callsRight: share.optional(),
  })
  .readonly();

/** What a paired comparison shows. */
export const EFFECTS = ["raises", "lowers", "no difference shown", "too few to tell"] as const;

const difference = z
  .object({
    ...interval.unwrap().shape,
    pairs: whole,
    /** Pairs with more of it with the feature. */
    more: whole,
    less: whole,
    p: share,
    effect: z.enum(EFFECTS),
    by: z.enum(["score", "bootstrap", "range"]),
  })
  .readonly();

const comparison = z
  .object({
    feature: z.enum(FEATURES),
    /** Names of the two configurations. */
    with: name,
    without: name,
    /** Cases that came out well in both, in one alone, in neither. */
    both: whole,
    onlyWith: list(name),
    onlyWithout: list(name),
    neither: whole,
    success: difference,
    tokens: difference,
    seconds: difference,
    /** One plain sentence: whether it helps on these cases. */
    verdict: text,
  })
  .readonly();

const tokens = { inputTokens: count, outputTokens: count };

/** A committee beside a single agent and self-consistency at the same cost, out of the traces. */
const committee = z
  .object({
    /** What was compared, such as `blind`, `single`, `self-consistency`. */
    rows: list(
      z
        .object({
          name,
          turns: whole,
          right: whole,
          success: interval,
          ...tokens,
          seconds: count,
          /** In words, where a row is no measurement of its own, such as how samples were matched to the tokens. */
          note: text.optional(),
        })
        .readonly(),
      100,
    ),
    /** Members whose answer changed from wrong to right and from right to wrong between their first and last. */
    flips: z.object({ toRight: whole, toWrong: whole, changed: whole, of: whole }).readonly(),
    /** Of members who stood against a majority, how many took its answer over. */
    conformity: z.object({ yielded: whole, of: whole, share: interval }).readonly(),
    /** Turns in which the synthesis was right and the best single answer was not, and the other way round. */
    synthesis: z.object({ better: whole, worse: whole, same: whole }).readonly(),
    verdict: text,
  })
  .readonly();

/** How far a judge can be trusted, on a labelled set. */
const judge = z
  .object({
    model: name,
    kind: name.optional(),
    rubric: name,
    /** The labelled set: its file, and how many items. */
    set: name,
    items: whole,
    /** Agreement of grades with the labels beyond chance; left out where there is none to speak of. */
    kappa: interval.optional(),
    weightedKappa: interval.optional(),
    /** The same of verdicts between two answers. */
    pairKappa: interval.optional(),
    /** Verdicts that turned with the order of the answers. */
    flips: z.object({ ...interval.unwrap().shape, flips: whole, of: whole }).readonly(),
    noGrade: z.object({ ...interval.unwrap().shape, none: whole, of: whole }).readonly(),
    /** How often each grade was given, and how often the labels have it. */
    distribution: list(
      z.object({ score: z.number().min(1).max(5), given: whole, labelled: whole }).readonly(),
      5,
    ),
    seconds: count,
    ...tokens,
    verdict: text,
    notes: list(text, 100).optional(),
  })
  .readonly();

/** The check of a report. */
export const EVAL_REPORT = z
  .object({
    schema: z.literal(REPORT_SCHEMA),
    /** Of the product. */
    version: name,
    /** Milliseconds since the epoch. */
    startedAt: z.number(),
    durationMs: count,
    /** Cancelled: what had been run until then. */
    outcome: z.enum(["finished", "cancelled"]),
    /** Scripted: replies were played, so that it says whether the product works and nothing of a model. */
    server: z
      .object({ kind: z.enum(["scripted", "live"]), host: name.optional(), version: name.optional() })
      .readonly(),
    model: name,
    repeats: whole,
    seeds: list(whole, 1_000),
    /** Settings other than the product's defaults, by their full names. */
    settings: z.record(name, z.unknown()).readonly(),
    runs: list(run, 100_000),
    configurations: list(configuration, 100),
    comparisons: list(comparison, 500),
    committee: committee.optional(),
    judge: judge.optional(),
    /** What kept files from being used, and what else to know; one sentence each. */
    notes: list(text, 1_000),
  })
  .readonly();

/** What an evaluation found. */
export type EvalReport = z.output<typeof EVAL_REPORT>;
/** One run of one case in one configuration. */
export type EvalRun = z.output<typeof run>;
/** One thing that was checked in a run. */
export type EvalCheck = z.output<typeof check>;
/** One turn of a run. */
export type EvalTurn = z.output<typeof turn>;
/** All runs of one configuration together. */
export type EvalConfiguration = z.output<typeof configuration>;
/** A feature with and without, case by case. */
export type EvalComparison = z.output<typeof comparison>;
/** A committee beside a single agent and self-consistency. */
export type EvalCommittee = z.output<typeof committee>;
/** How far a judge can be trusted. */
export type EvalJudge = z.output<typeof judge>;

/** Reads a report from JSON text, such as a file; undefined where it is none. Never throws. */
export function readReport(json: string): EvalReport | undefined {
  try {
    const checked = EVAL_REPORT.safeParse(JSON.parse(json));
    return checked.success ? checked.data : undefined;
  } catch {
    return undefined;
  }
}
