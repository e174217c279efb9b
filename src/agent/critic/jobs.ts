import type { JudgedFor } from "../events-judged.ts";
import type { CriticSettings } from "./settings.ts";

/** A turn, named. */
export interface TurnPlace {
  readonly sessionId: string;
  readonly turnId: string;
}

interface Asked extends TurnPlace {
  readonly askedBy: JudgedFor;
  /** Milliseconds since the epoch. What was said of the turn since then counts as done. */
  readonly askedAt: number;
  /** Name of the rubric; left out: what the settings and the agent say. */
  readonly rubric?: string;
  /** A reference answer. */
  readonly reference?: string;
}

/** An answer to be graded: the turn's with those of its personas where the settings say so, or one agent's own. */
export interface GradeJob extends Asked {
  readonly kind: "grade";
  /** The span of the agent whose own answer is meant; left out: the turn's. */
  readonly agentId?: string;
}

/** A second answer to a turn's question, compared with the first. What is left out is as the settings say. */
export interface CompareJob extends Asked {
  readonly kind: "compare";
  readonly model?: string;
  readonly agent?: string;
  readonly temperature?: number;
}

/** A piece of the critic's work. */
export type CriticJob = GradeJob | CompareJob;

/** Whether the critic still has to do something of a kind for a turn, as its view says; what it has done is told already. */
export function isAhead(
  { running, waiting }: { readonly running: CriticJob | null; readonly waiting: readonly CriticJob[] },
  kind: CriticJob["kind"],
  turnId: string,
): boolean {
  return [running, ...waiting].some((job) => job?.kind === kind && job.turnId === turnId);
}

/** What tells jobs apart: the same thing asked for twice is done once. */
export function jobKey(job: CriticJob): string {
  const about =
    job.kind === "grade"
      ? [job.agentId ?? "", job.rubric ?? ""]
      : [job.model ?? "", job.agent ?? "", job.temperature ?? "", job.rubric ?? ""];
  return JSON.stringify([job.kind, job.sessionId, job.turnId, ...about]);
}

/** What marks an answer in a turn: the agent's span, or the turn; of respondent B apart. With a rubric: judged by it. */
export function answerKey(parentId: string | null, respondent: string, rubric?: string): string {
  const answer = `${respondent} ${parentId ?? ""}`;
  return rubric === undefined ? answer : `${answer} ${rubric.trim().toLowerCase()}`;
}

/** A job as it may lie on a disk: names alone, nothing of what was said. */
export function withoutTexts<Job extends CriticJob>({ reference: _, ...job }: Job): Omit<Job, "reference"> {
  return job;
}

/** Whether the settings have a job done: what the critic does by itself ends where it only works on request. */
export function isWanted(
  { kind, askedBy }: CriticJob,
  { mode, shadow }: Pick<CriticSettings, "mode" | "shadow">,
): boolean {
  const own = kind === "grade" ? mode : shadow;
  if (mode === "off" || own === "off") return false;
  return askedBy === "user" || own !== "request";
}

/** Whether a turn is one of a share of them, told by its id alone: the same turn is always the same. */
export function isSampled(turnId: string, share: number): boolean {
  return fractionOf(turnId) < share;
}

/** FNV-1a with a last stir, as a number from 0 up to 1: ids that differ little lie far apart. */
function fractionOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}
