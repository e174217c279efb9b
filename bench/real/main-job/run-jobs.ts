import { join } from "node:path";
import type { Failure, Result } from "../../../src/agent/failure.ts";
import { failed, success } from "../../../src/agent/failure.ts";
import type { Settings } from "../../../src/cli/settings/schema.ts";
import { harmless } from "../../../src/cli/terminal.ts";
import { askJob, fileName, samenessOf, type ReadyJob } from "./ask-job.ts";
import { jobKey, type Half, type Job, type ReadHalf } from "./plan.ts";
import type { ProductDeps } from "./product.ts";
import type { AskedRecord, RecordFile } from "./records.ts";
import type { ToldRows } from "./report.ts";
import { score } from "./score.ts";
import { tell, toldHash } from "./tell.ts";
import { ToldFolder, type Said } from "./told.ts";

/** What jobs are run with. */
export interface JobDeps {
  readonly product: ProductDeps;
  readonly halves: readonly ReadHalf[];
  readonly records: RecordFile;
  /** Settings of what is told to a model's memory, and of a question. */
  readonly tellSettings: (model: string) => Promise<Result<Settings>>;
  readonly askSettings: (job: Job) => Promise<Result<Settings>>;
  /** Absolute path of the results' folder. */
  readonly out: string;
  /** What was told before is told again. */
  readonly isFresh: boolean;
  /** Git commit of the product. */
  readonly commit: string;
  /** Takes a line for each thing that is done. */
  readonly say: (line: string) => void;
}

/** What was run. */
export interface JobsRun {
  /** Of all jobs that have one, those of earlier runs among them, in the order of the jobs. */
  readonly records: readonly AskedRecord[];
  /** Records of earlier runs that did not hold any more. */
  readonly replaced: readonly AskedRecord[];
  readonly told: readonly ToldRows[];
  /** Why it ended before the end. */
  readonly failure?: Failure;
}

/** Jobs over the same data. */
interface Group {
  readonly model: string;
  readonly half: Half;
  readonly set: ReadHalf["set"];
  readonly settings: Settings;
  readonly folder: ToldFolder;
  /** Hash of what is told. */
  readonly told: string;
  readonly jobs: readonly ReadyJob[];
}

/** Tells what is to be told and asks what was not yet asked. Stops with the signal. */
export async function runJobs(jobs: readonly Job[], deps: JobDeps, signal: AbortSignal): Promise<JobsRun> {
  const groups: Group[] = [];
  for (const own of grouped(jobs)) {
    const group = await groupOf(own, deps);
    if (!group.ok) return { records: [], replaced: [], told: [], failure: group.failure };
    groups.push(group.value);
  }
  const records = new Map<string, AskedRecord>();
  const replaced = groups.flatMap((group) => takeOver(group, records, deps));
  let failure: Failure | undefined;
  for (const group of groups) {
    const done = await runGroup(group, records, deps, signal);
    if (!done.ok) failure = done.failure;
    if (failure !== undefined) break;
  }
  return {
    records: jobs.flatMap((job) => records.get(jobKey(job)) ?? []),
    replaced,
    told: await toldRows(groups),
    ...(failure !== undefined && { failure }),
  };
}

/** Jobs of one model and half together, in their order. */
function grouped(jobs: readonly Job[]): readonly (readonly [Job, ...Job[]])[] {
  const groups = new Map<string, [Job, ...Job[]]>();
  for (const job of jobs) {
    const key = JSON.stringify([job.model, job.half]);
    const there = groups.get(key);
    if (there === undefined) groups.set(key, [job]);
    else there.push(job);
  }
  return [...groups.values()];
}

async function groupOf(jobs: readonly [Job, ...Job[]], deps: JobDeps): Promise<Result<Group>> {
  const { model, half } = jobs[0];
  const set = deps.halves.find((one) => one.half === half)?.set;
  if (set === undefined) return failed("internal", `The ${half} half of the set was not read.`);
  const settings = await deps.tellSettings(model);
  if (!settings.ok) return settings;
  const ready: ReadyJob[] = [];
  for (const job of jobs) {
    const own = await deps.askSettings(job);
    if (!own.ok) return own;
    ready.push({ ...job, settings: own.value });
  }
  const told = toldHash({ set, settings: settings.value });
  // What was told before stays, whatever else is told: it took long.
  const folder = new ToldFolder(join(deps.out, "main-job", "told", `${fileName(model)}-${half}-${told}`));
  return success({ ...{ model, half, set, told, folder }, settings: settings.value, jobs: ready });
}

/** Takes over what earlier runs asked, scored anew. Gives the records that do not hold any more. */
function takeOver(
  { jobs, told }: Group,
  taken: Map<string, AskedRecord>,
  { records }: JobDeps,
): readonly AskedRecord[] {
  return jobs.flatMap((job) => {
    const same = records.findSame(job, samenessOf(job, told));
    const { kind, language } = job.question;
    if (same !== undefined)
      taken.set(jobKey(job), { ...same, kind, language, score: score(job.question, same) });
    const before = records.find(job);
    return same === undefined && before !== undefined ? [before] : [];
  });
}

async function runGroup(
  { model, half, set, settings, folder, told, jobs }: Group,
  records: Map<string, AskedRecord>,
  deps: JobDeps,
  signal: AbortSignal,
): Promise<Result<true>> {
  const waiting = jobs.filter((job) => !records.has(jobKey(job)));
  if (waiting.length === 0) return success(true);
  if (deps.isFresh) await folder.empty();
  const onSaid = (said: Said, number: number, of: number): void =>
    deps.say(`[${number}/${of}] told ${saidWords(said)} (${model}, ${half} half)`);
  const telling = { set, settings, folder, commit: deps.commit, onSaid };
  const data = await tell(telling, deps.product, signal);
  if (!data.ok) return data;
  const ground = { data: data.value.data, pages: set.pages, told };
  for (const [at, job] of waiting.entries()) {
    const record = await askJob(job, ground, deps, signal);
    if (!record.ok) return record;
    records.set(jobKey(job), record.value);
    await deps.records.add(record.value);
    deps.say(`[${at + 1}/${waiting.length}] ${askedWords(record.value)}`);
  }
  return success(true);
}

async function toldRows(groups: readonly Group[]): Promise<readonly ToldRows[]> {
  const rows = await Promise.all(
    groups.map(async ({ model, half, folder }) => {
      const note = await folder.read();
      return note === undefined ? [] : [{ ...note, name: `${model}, ${half} half` }];
    }),
  );
  return rows.flat();
}

function saidWords({ id, ended, stored, learntBy, facts, seconds, error }: Said): string {
  const learnt =
    learntBy === undefined ? "not read" : `read by ${learntBy === "rules" ? "rules" : "the model"}`;
  const became = stored ? `stored, ${learnt}, ${facts} facts` : `not stored (${error ?? ended})`;
  return harmless(`${id}: ${became}, ${seconds.toFixed(0)} s`);
}

function askedWords({
  question,
  model,
  recall,
  score: { right, why },
  seconds,
  answer,
}: AskedRecord): string {
  const said = answer.replace(/\s+/gu, " ").slice(0, 100).toWellFormed();
  const fault = right ? "" : `; ${why.join("; ")}`;
  return harmless(
    `${right ? "right" : "WRONG"} ${question} (${model}, ${recall}), ${seconds.toFixed(1)} s: "${said}"${fault}`,
  );
}
