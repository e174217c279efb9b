import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { failed, success, type Result } from "../../../src/agent/failure.ts";
import { EXIT, harmless } from "../../../src/cli/terminal.ts";
import { problemLine } from "../../../src/cli/eval/words.ts";
import { bundledHost, removeBundledHost } from "../../../test/unit/memory/support.ts";
import { MAIN_JOB_HELP, readMainJobWish, type MainJobWish } from "../main-job/options.ts";
import {
  chosenQuestions,
  jobsOf,
  type HalfQuestion,
  type Job,
  type ReadHalf,
  type Row,
} from "../main-job/plan.ts";
import { realDeps } from "../main-job/product.ts";
import { readQuestions } from "../main-job/read-set.ts";
import { RecordFile } from "../main-job/records.ts";
import { productNotes, reportAsMarkdown } from "../main-job/report.ts";
import { knowsRecall, rowSettings, rowsOf, settingsFault, tellSettings } from "../main-job/row-settings.ts";
import { runJobs, type JobsRun } from "../main-job/run-jobs.ts";
import { productCommit } from "../main-job/stamp.ts";
import { findModels, type ModelSource } from "../model-source.ts";
import type { Part, RealBench } from "../part.ts";

/** Faults of the set that are told at once. */
const MAX_TOLD = 20;

/** The questions that the product is for: what was said, what never was, what needs no memory, what stands on a page. */
export const MAIN_JOB: Part = {
  name: "main-job",
  about: "tells the product conversations and asks about them",
  run: async (args, bench) => {
    const { terminal, root } = bench;
    const refuse = (message: string): number => {
      terminal.err(`${harmless(message)}\n`);
      return EXIT.badInput;
    };
    const wish = readMainJobWish(args, { cwd: terminal.cwd, root });
    if (!wish.ok) return refuse(wish.failure.message);
    if (wish.value === "help") {
      terminal.out(MAIN_JOB_HELP);
      return EXIT.ok;
    }
    const plan = await planOf(wish.value, bench);
    if (!plan.ok) return refuse(plan.failure.message);
    const source = await findModels(
      {
        models: wish.value.models,
        ...(wish.value.host !== undefined && { host: wish.value.host }),
        log: (line) => terminal.err(`${line}\n`),
      },
      bench.scripts,
    );
    if (!source.ok) {
      refuse(source.failure.message);
      return source.failure.code === "bad_input" ? EXIT.badInput : EXIT.failed;
    }
    if ("absent" in source.value) {
      terminal.out(`${source.value.absent}\n`);
      return EXIT.ok;
    }
    try {
      return await runPlan({ ...plan.value, wish: wish.value, source: source.value }, bench);
    } finally {
      await source.value.close();
      await removeBundledHost();
    }
  },
};

/** What is to be asked, whichever models answer. */
interface Plan {
  readonly halves: readonly ReadHalf[];
  readonly questions: readonly HalfQuestion[];
  readonly records: RecordFile;
}

/** Reads all that a run goes by, so that what is wrong with it is said before any model is fetched. */
async function planOf(wish: MainJobWish, { terminal }: RealBench): Promise<Result<Plan>> {
  const fault = await settingsFault([...wish.settings, ...wish.tellSettings], terminal.cwd);
  if (fault !== undefined) return failed("bad_input", fault);
  const halves: ReadHalf[] = [];
  for (const half of wish.halves) {
    const path = join(wish.from, `${half}.yaml`);
    const { set, problems } = await readQuestions(path, relative(terminal.cwd, path));
    const lines = problems.slice(0, MAX_TOLD).map(problemLine).join("\n");
    if (set === undefined) return failed("bad_input", lines);
    if (lines !== "") terminal.err(`${harmless(lines)}\n`);
    halves.push({ half, set });
  }
  const { questions, strays } = chosenQuestions(halves, wish.choice);
  if (strays.length > 0) return failed("bad_input", `There is no question ${strays.join(", ")}.`);
  const records = await RecordFile.open(join(wish.out, "main-job.json"));
  return records.ok ? success({ halves, questions, records: records.value }) : records;
}

/** A plan with those who answer. */
interface ReadyPlan extends Plan {
  readonly wish: MainJobWish;
  readonly source: ModelSource;
}

async function runPlan(plan: ReadyPlan, bench: RealBench): Promise<number> {
  const { halves, questions, records, wish, source } = plan;
  const { terminal, root, signal } = bench;
  const rows = rowsOf(source.models, wish.recalls);
  const jobs = jobsOf(rows, questions, wish.choice.seed);
  if (wish.isFresh) await records.drop(jobs);
  const commit = await productCommit(root);
  const say = (line: string): void => terminal.err(`${line}\n`);
  const ran = await runJobs(
    jobs,
    {
      product: { ...realDeps(await bundledHost(), root), onProblem: say },
      tellSettings: (model) => tellSettings(model, source, wish.tellSettings, terminal.cwd),
      askSettings: (job) => rowSettings(job, source, wish.settings, terminal.cwd),
      ...{ halves, records, out: wish.out, isFresh: wish.isFresh, commit, say },
    },
    signal,
  );
  await records.add(...ran.records);
  await report({ rows, ran, jobs, commit }, plan, bench);
  if (signal.aborted) return EXIT.cancelled;
  if (ran.failure === undefined) return EXIT.ok;
  terminal.err(`${harmless(ran.failure.message)} ${harmless(ran.failure.cause ?? "")}\n`);
  return EXIT.failed;
}

/** What a run came to. */
interface RanPlan {
  readonly rows: readonly Row[];
  readonly ran: JobsRun;
  readonly jobs: readonly Job[];
  readonly commit: string;
}

async function report(
  { rows, ran, jobs, commit }: RanPlan,
  { wish }: ReadyPlan,
  { terminal, signal }: RealBench,
): Promise<void> {
  const { records, told, replaced, failure } = ran;
  const ended = signal.aborted
    ? "It was stopped"
    : failure === undefined
      ? undefined
      : `It broke off (${failure.message})`;
  const notes = [
    ...(ended === undefined ? [] : [`${ended}; the same command goes on.`]),
    `Halves: ${wish.halves.join(" and ")}. Settings beside the defaults: ${wish.settings.join(", ") || "none"}.`,
    ...(knowsRecall()
      ? []
      : ["The product has no setting conclave.memory.recall: the rows are called default."]),
    ...productNotes(records, commit, replaced),
    ...told
      .filter((one) => one.commit !== commit)
      .map((one) => `${one.name} was told by ${one.commit}; --fresh tells it anew.`),
  ];
  const seed = wish.choice.seed;
  const text = reportAsMarkdown({ ...{ rows, records, told, notes, commit, seed }, wanted: jobs.length });
  await writeFile(join(wish.out, "main-job.md"), text);
  terminal.out(`${text}\nWritten to ${relative(terminal.cwd, join(wish.out, "main-job.md"))}.\n`);
}
