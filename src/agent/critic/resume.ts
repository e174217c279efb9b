import { z } from "zod";
import type { CriticJob } from "./jobs.ts";

/** Where jobs stand until they are done, so that another window, or the next one, can take them up. Nothing throws. */
export interface JobStore {
  /** Keeps a job as one of this window. */
  keep(job: CriticJob): void;
  /** The job is done, or is not to be done. */
  drop(job: CriticJob): void;
  /** Jobs that nobody works on any more; from now on they are this window's, and no other one is given them. */
  takeUp(): Promise<readonly CriticJob[]>;
  /** Leaves what is not done to others, and settles when all is on disk. */
  release(): Promise<void>;
}

const place = {
  sessionId: z.string().min(1).max(200),
  turnId: z.string().min(1).max(200),
  askedBy: z.enum(["critic", "user"]),
  askedAt: z.number().nonnegative(),
  rubric: z.string().max(300).exactOptional(),
};

const job = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("grade"), ...place, agentId: z.string().max(200).exactOptional() }),
  z.object({
    kind: z.literal("compare"),
    ...place,
    model: z.string().max(300).exactOptional(),
    agent: z.string().max(300).exactOptional(),
    temperature: z.number().min(0).max(2).exactOptional(),
  }),
]);

/** A job as it was kept; undefined for anything else. */
export function readJob(value: unknown): CriticJob | undefined {
  const read = job.safeParse(value);
  return read.success ? read.data : undefined;
}
