import { jobKey, type CriticJob } from "./jobs.ts";

/** Judgements that wait at most: more are of answers that nobody looks at any more. */
export const MAX_WAITING = 20;

/** A job and its place: higher for what came later. */
export interface QueuedJob {
  readonly job: CriticJob;
  readonly order: number;
}

/** Jobs that wait: what the user asked for goes first, then what is newest. Bounded: the oldest ones leave. */
export class JobQueue {
  readonly #entries = new Map<string, QueuedJob>();
  #count = 0;

  /** Adds a job as the newest one; gives those that have to leave for it, maybe the job itself. */
  add(job: CriticJob): readonly CriticJob[] {
    const known = this.#entries.get(jobKey(job));
    this.#count += 1;
    // What the critic wants by itself takes nothing from what the user asked for.
    const wanted = known?.job.askedBy === "user" && job.askedBy !== "user" ? known.job : job;
    this.#entries.set(jobKey(job), { job: wanted, order: this.#count });
    return this.#overflow();
  }

  /** Puts back a job that was begun, at the place where it was; gives those that have to leave for it. */
  putBack(queued: QueuedJob): readonly CriticJob[] {
    const key = jobKey(queued.job);
    if (!this.#entries.has(key)) this.#entries.set(key, queued);
    return this.#overflow();
  }

  /** Whether the same thing waits. */
  has(job: CriticJob): boolean {
    return this.#entries.has(jobKey(job));
  }

  /** Takes the job that is to be done next. */
  next(): QueuedJob | undefined {
    const [first] = this.#sorted();
    if (first !== undefined) this.#entries.delete(jobKey(first.job));
    return first;
  }

  /** Takes out the jobs of which that holds. */
  remove(isMeant: (job: CriticJob) => boolean): readonly CriticJob[] {
    const gone = this.list().filter(isMeant);
    for (const job of gone) this.#entries.delete(jobKey(job));
    return gone;
  }

  /** What waits, in the order in which it is done. */
  list(): readonly CriticJob[] {
    return this.#sorted().map(({ job }) => job);
  }

  #sorted(): readonly QueuedJob[] {
    const isAsked = ({ job }: QueuedJob): number => (job.askedBy === "user" ? 1 : 0);
    return [...this.#entries.values()].sort((a, b) => isAsked(b) - isAsked(a) || b.order - a.order);
  }

  #overflow(): readonly CriticJob[] {
    const leaving = this.#sorted().slice(MAX_WAITING);
    for (const { job } of leaving) this.#entries.delete(jobKey(job));
    return leaving.map(({ job }) => job);
  }
}
