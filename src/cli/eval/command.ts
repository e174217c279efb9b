import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describeError } from "../../agent/failure.ts";
import { systemTimer } from "../../agent/timer.ts";
import type { EvalReport, EvalRun } from "../../trace/eval/report.ts";
import { isSet, readArguments } from "../arguments.ts";
import { agentFiles, dataFolder, modelsFolder, type CliParts } from "../places.ts";
import { headline } from "../report/markdown.ts";
import { reportAs, writeReport } from "../report/write.ts";
import { EXIT, harmless, type Terminal } from "../terminal.ts";
import type { EvalDeps } from "./deps.ts";
import { runEqualTokens } from "./equal-tokens.ts";
import type { RunJob } from "./job.ts";
import { judgeTheJudge } from "./judge/judge-judge.ts";
import type { ModelServer } from "./model-server.ts";
import { EVAL_HELP, EVAL_OPTIONS } from "./options.ts";
import { runEvaluation, type EvalProgress } from "./run.ts";
import { readCases, readWish, type EvalWish } from "./wish.ts";

/** Longest wait for what comes after an answer, in milliseconds: replies of a script are at once there. */
const PATIENCE_MS = { scripted: 30_000, live: 180_000 } as const;
/** Longest run, in milliseconds. */
const RUN_MS = { scripted: 120_000, live: 3_600_000 } as const;

/** Runs cases and prints or writes the report. Gives the exit code. Never rejects. */
export async function evaluate(
  args: readonly string[],
  terminal: Terminal,
  parts: CliParts,
  signal: AbortSignal,
): Promise<number> {
  const refuse = (message: string): number => {
    terminal.err(`${harmless(message)}\n`);
    return EXIT.badInput;
  };
  const given = readArguments(args, EVAL_OPTIONS);
  if (!given.ok) return refuse(given.failure.message);
  if (isSet(given.value, "help")) {
    terminal.out(EVAL_HELP);
    return EXIT.ok;
  }
  const cases = await readCases(given.value, terminal, parts);
  if (!cases.ok) return refuse(cases.failure.message);
  if (isSet(given.value, "check")) {
    const { length } = cases.value;
    terminal.err(`${length} ${length === 1 ? "case" : "cases"} can be run.\n`);
    return EXIT.ok;
  }
  const wish = await readWish(cases.value, given.value, terminal, parts);
  if (!wish.ok) return refuse(wish.failure.message);
  const folder = await folderFor(wish.value);
  if (folder !== undefined) return refuse(folder);
  const report = await run(wish.value, terminal, parts, signal);
  const written = await give(report, wish.value, terminal);
  if (!written) return EXIT.failed;
  if (signal.aborted) return EXIT.cancelled;
  return isClean(report, wish.value) ? EXIT.ok : EXIT.failed;
}

/** Makes the report's folder before anything is run: hours of runs must not end in a place that can't be written. */
async function folderFor({ report }: EvalWish): Promise<string | undefined> {
  if (report === undefined) return undefined;
  try {
    await mkdir(report, { recursive: true });
    return undefined;
  } catch (error) {
    return `The report can't be written into ${report}: ${describeError(error)}.`;
  }
}

/** Everything that is wished for, one after the other. */
async function run(
  wish: EvalWish,
  terminal: Terminal,
  parts: CliParts,
  signal: AbortSignal,
): Promise<EvalReport> {
  const { cases, configurations, repeats, seed, settings, judge } = wish;
  const server = wish.server ?? NOBODY;
  const deps = depsOf(wish, server, terminal, parts);
  const onProgress = (progress: EvalProgress): void => sayProgress(progress, terminal);
  const plan = { cases, configurations, repeats, seed };
  let report = await runEvaluation(plan, { ...deps, version: parts.version, onProgress }, signal);
  if (wish.isForEqualTokens && !signal.aborted) {
    const { committee } = await runEqualTokens({ cases, repeats, seed }, trioDeps(deps, terminal), signal);
    report = { ...report, committee };
  }
  if (judge !== undefined && !signal.aborted) {
    const { contextLength, keepAlive, criticSamples: samples, criticRubric: rubric } = settings;
    const onJudged = (done: number, of: number): void => terminal.err(`[${done}/${of}] judged\n`);
    const trial = { ...judge, rubrics: deps.rubrics().rubrics, rubric, onProgress: onJudged };
    const judged = await judgeTheJudge({ ...trial, settings: { contextLength, keepAlive, samples } }, signal);
    const model = wish.server === undefined ? judge.model.name : report.model;
    report = judged.ok
      ? { ...report, model, judge: judged.value }
      : {
          ...report,
          model,
          notes: [...report.notes, `The judge could not be judged: ${judged.failure.message}`],
        };
  }
  return { ...report, outcome: signal.aborted ? "cancelled" : report.outcome };
}

/** Who answers where no case is run. */
const NOBODY: ModelServer = {
  kind: "live",
  model: "",
  start: () => Promise.reject(new Error("no case is to be run")),
};

function depsOf(wish: EvalWish, server: ModelServer, terminal: Terminal, parts: CliParts): EvalDeps {
  const { settings, report: folder } = wish;
  const catalog = agentFiles(terminal.cwd).catalog();
  const rubrics = parts.rubrics(terminal.cwd);
  const models = modelsFolder(dataFolder(undefined, terminal));
  return {
    ...{ server, settings, timer: systemTimer, reader: parts.reader },
    agents: catalog,
    rubrics: () => rubrics,
    memory: (store, own) => parts.memory(store, own, models),
    patienceMs: PATIENCE_MS[server.kind],
    runMs: RUN_MS[server.kind],
    ...(folder !== undefined && { traces: join(folder, "traces") }),
  };
}

/** Runs of the same case and configuration are in the report itself: these have traces in a folder of their own. */
function trioDeps(deps: EvalDeps, terminal: Terminal) {
  const { traces } = deps;
  return {
    ...deps,
    ...(traces !== undefined && { traces: join(traces, "equal-tokens") }),
    onRun: ({ outcome }: EvalRun, { case: one, configuration, seed }: RunJob): void => {
      const who = configuration.base === "as-written" ? "the committee" : configuration.name;
      terminal.err(`${harmless(`equal tokens: ${outcome} ${one.name} (${who}, seed ${seed})`)}\n`);
    },
  };
}

/** Writes the report where it is wanted, or prints it. False where it could not be written, which is said. */
async function give(
  report: EvalReport,
  { report: folder, formats }: EvalWish,
  terminal: Terminal,
): Promise<boolean> {
  if (folder === undefined) {
    for (const format of formats) terminal.out(reportAs(report, format));
    return true;
  }
  const written = await writeReport(report, folder, formats);
  if (!written.ok) {
    terminal.err(`${written.failure.message} ${written.failure.cause ?? ""}\n`);
    // What was found is not lost with the folder.
    terminal.out(reportAs(report, "md"));
    return false;
  }
  terminal.out(`${headline(report)}.\n${written.value.join("\n")}\n`);
  return true;
}

/** Whether all that was meant to pass did. */
function isClean({ configurations, judge }: EvalReport, wish: EvalWish): boolean {
  const passed = configurations.every((one) => one.comparison || one.passed === one.runs);
  return passed && (wish.judge === undefined || judge !== undefined);
}

/** One line a run, when it is over. */
function sayProgress({ done, of, job, run: ended }: EvalProgress, terminal: Terminal): void {
  if (ended === undefined) return;
  const first = ended.checks.find(({ passed }) => !passed);
  const why = ended.error ?? (first === undefined ? "" : `${first.name}: ${first.reason}`);
  const line = `[${done}/${of}] ${ended.outcome} ${job.case.name} (${job.configuration.name}, seed ${job.seed})${why === "" ? "" : `: ${why}`}`;
  terminal.err(`${harmless(line.replace(/\s+/gu, " ").slice(0, 500))}\n`);
}
