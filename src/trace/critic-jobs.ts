import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { jobKey, withoutTexts, type CriticJob } from "../agent/critic/jobs.ts";
import { readJob, type JobStore } from "../agent/critic/resume.ts";
import { underLock } from "./file-lock.ts";

/** Jobs that are taken up at most: the newest. More are of answers that nobody looks at any more. */
const MAX_TAKEN = 20;

/** Files that are looked at when jobs are taken up. */
const MAX_FILES = 1_000;

/** So long after it was asked for, a job is of no use to anybody; milliseconds. */
const OLD_MS = 7 * 24 * 3_600_000;

/** This run of this process: a later one may get the same number. */
const RUN = randomUUID();

const kept = z.object({
  owner: z.object({ host: z.string(), pid: z.int().positive(), run: z.string() }).nullable(),
  job: z.unknown(),
});

interface Found {
  readonly path: string;
  readonly job: CriticJob;
}

/**
 * The critic's jobs as files, one each, so that several windows may use one folder: each names the process that works on
 * it. What a process left that ended is taken up by the next one that looks, and by no other.
 */
export class CriticJobs implements JobStore {
  readonly #folder: string;
  readonly #own = new Map<string, CriticJob>();
  /** Writes come one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #made: Promise<unknown> | undefined;

  /** @param folder where the files are; made when needed */
  constructor(folder: string) {
    this.#folder = folder;
  }

  keep(job: CriticJob): void {
    this.#own.set(jobKey(job), job);
    void this.#then(() => this.#write(job, true));
  }

  drop(job: CriticJob): void {
    this.#own.delete(jobKey(job));
    void this.#then(() => rm(this.#path(job), { force: true }));
  }

  async takeUp(): Promise<readonly CriticJob[]> {
    const taken = this.#then(() => underLock(join(this.#folder, ".lock"), () => this.#take()));
    return (await taken) ?? [];
  }

  async release(): Promise<void> {
    for (const job of this.#own.values()) void this.#then(() => this.#write(job, false));
    await this.#last;
  }

  /** Does it after all that was asked for before; what fails costs only itself: then the job ends with the window. */
  #then<T>(work: () => Promise<T>): Promise<T | undefined> {
    const done = this.#last.then(work).catch(() => undefined);
    this.#last = done;
    return done;
  }

  async #write(job: CriticJob, isOurs: boolean): Promise<void> {
    this.#made ??= mkdir(this.#folder, { recursive: true });
    await this.#made;
    const owner = isOurs ? { host: hostname(), pid: process.pid, run: RUN } : null;
    const path = this.#path(job);
    // A window that looks meanwhile sees the old file or the new one, never a part.
    await writeFile(`${path}.tmp`, JSON.stringify({ owner, job: withoutTexts(job) }), "utf8");
    await rename(`${path}.tmp`, path);
  }

  /** Takes what nobody works on, the oldest first; clears away what is of no use. */
  async #take(): Promise<readonly CriticJob[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(".json"));
    const found: Found[] = [];
    for (const name of names.slice(0, MAX_FILES)) {
      const path = join(this.#folder, name);
      const job = await leftJob(path);
      if (job === "broken") await rm(path, { force: true });
      else if (job !== undefined) found.push({ path, job });
    }
    found.sort((a, b) => a.job.askedAt - b.job.askedAt);
    const old = found.splice(0, Math.max(0, found.length - MAX_TAKEN));
    for (const { path } of old) await rm(path, { force: true });
    for (const { job } of found) {
      this.#own.set(jobKey(job), job);
      await this.#write(job, true);
    }
    return found.map(({ job }) => job);
  }

  #path(job: CriticJob): string {
    const name = createHash("sha256").update(jobKey(job)).digest("hex").slice(0, 32);
    return join(this.#folder, `${name}.json`);
  }
}

/** The job of a file that nobody works on; undefined for one that somebody does. */
async function leftJob(path: string): Promise<CriticJob | "broken" | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    // Another window may just have dropped it.
    return error instanceof SyntaxError ? "broken" : undefined;
  }
  const read = kept.safeParse(value);
  const job = read.success ? readJob(read.data.job) : undefined;
  if (!read.success || job === undefined || Date.now() - job.askedAt > OLD_MS) return "broken";
  const { owner } = read.data;
  return owner !== null && isAlive(owner) ? undefined : job;
}

/** Whether a process runs on. Of other machines that can't be told: theirs are left to them. */
function isAlive({ host, pid, run }: { host: string; pid: number; run: string }): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return run === RUN;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
