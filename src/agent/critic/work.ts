import { failure, type Failure } from "../failure.ts";
import type { CriticDeps } from "./deps.ts";
import { critiqueEvent, pairwiseEvent } from "./judged-events.ts";
import type { Judging } from "./judging.ts";
import { answerKey, type CompareJob, type CriticJob, type GradeJob } from "./jobs.ts";
import type { GivenAnswer, TurnMaterial } from "./material.ts";

/** What the work on a job is done with. */
export interface WorkDeps extends Pick<
  CriticDeps,
  "settings" | "identity" | "publish" | "events" | "shadow"
> {
  readonly judging: Judging;
  /** The episode that the turn's answer is remembered as, where that is known by now. */
  readonly episodeOf: (turnId: string) => string | undefined;
}

/**
 * Does what a job asks for, as far as the turn's events don't say that it was done: so it may be stopped at any moment
 * and begun anew. False when it was stopped.
 */
export function workOn(
  job: CriticJob,
  material: TurnMaterial,
  deps: WorkDeps,
  signal: AbortSignal,
): Promise<boolean> {
  return job.kind === "grade"
    ? gradeAll(job, answersOf(job, material, deps), material, deps, signal)
    : compare(job, material, deps, signal);
}

/** The answers that are meant. */
function answersOf(job: GradeJob, material: TurnMaterial, deps: WorkDeps): readonly GivenAnswer[] {
  const { answer, personas, shadow } = material;
  const { agentId } = job;
  if (agentId !== undefined) {
    const own = [...personas, ...(shadow ? [shadow] : [])].find(({ parentId }) => parentId === agentId);
    return own === undefined ? [] : [own];
  }
  const all = job.askedBy === "critic" && deps.settings().personas;
  return all ? [answer, ...personas] : [answer];
}

async function gradeAll(
  job: CriticJob,
  answers: readonly GivenAnswer[],
  material: TurnMaterial,
  deps: WorkDeps,
  signal: AbortSignal,
): Promise<boolean> {
  for (const answer of answers) {
    // A grade by another rubric is not the one that was asked for.
    const judgedAt = material.judged.get(answerKey(answer.parentId, answer.respondent, job.rubric)) ?? 0;
    const isNew = job.reference !== undefined || judgedAt < job.askedAt;
    if (!isNew) continue;
    const judged = await deps.judging.grade(answer, material, wishOf(job), signal);
    if (signal.aborted) return false;
    const about = { place: material, answer, askedBy: job.askedBy, identity: deps.identity };
    deps.publish(critiqueEvent(judged, about, { hasReference: job.reference !== undefined }));
  }
  return true;
}

function wishOf({ rubric, reference, askedBy }: CriticJob) {
  return {
    ...(rubric !== undefined && { rubric }),
    ...(reference !== undefined && { reference }),
    ...(askedBy === "user" && { patient: true as const }),
  };
}

async function compare(
  job: CompareJob,
  material: TurnMaterial,
  deps: WorkDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const { answer: a, shadow } = material;
  const { askedBy } = job;
  const about = { place: material, answer: a, askedBy, identity: deps.identity };
  const isThere = shadow !== undefined && shadow.time >= job.askedAt && isMeant(shadow, job);
  const b = isThere ? shadow : await secondAnswer(job, a, deps, signal);
  if (b === "stopped") return false;
  if (b === "told") return true;
  if ("code" in b) {
    const { rubric } = deps.settings();
    const judged = { model: deps.judging.judge(), rubric, outcome: { ok: false as const, failure: b } };
    deps.publish(pairwiseEvent(judged, about, [a, undefined]));
    return true;
  }
  if (!isThere || material.comparedAt < shadow.time) {
    const judged = await deps.judging.compare([a, b], material.question, wishOf(job), signal);
    if (signal.aborted) return false;
    // Memory may have been slower than the first answer's critic.
    const episodeId = a.episodeId ?? deps.episodeOf(job.turnId);
    const first = { ...a, ...(episodeId !== undefined && { episodeId }) };
    deps.publish(pairwiseEvent(judged, about, [first, b]));
  }
  // What was said of A by then need not be said again; B is a new answer.
  const first = material.judged.has(answerKey(a.parentId, a.respondent)) ? [b] : [a, b];
  return gradeAll(job, first, material, deps, signal);
}

/** Has respondent B answer; or says why it could not be asked. What it failed with is told by its own event. */
async function secondAnswer(
  job: CompareJob,
  a: GivenAnswer,
  { settings, events, shadow }: WorkDeps,
  signal: AbortSignal,
): Promise<GivenAnswer | Failure | "told" | "stopped"> {
  if (events === undefined || shadow === undefined)
    return failure("bad_input", "Nobody is there to compare with.");
  const read = await events(job);
  if (!read.ok) return read.failure;
  const wish = respondentB(job, a, settings());
  const isAsked = job.askedBy === "user";
  const request = {
    events: read.value,
    ...wish,
    askedBy: job.askedBy,
    ...(isAsked && { live: true as const }),
  };
  const ran = await shadow(request, signal);
  if (signal.aborted) return "stopped";
  if (!ran.ok) return ran.failure;
  const { value } = ran;
  if (value.outcome !== "answered") return "told";
  const { agentId: parentId, agent, model, temperature, answer, episodeId } = value;
  return {
    ...{ parentId, agent, respondent: "B", model, answer },
    ...(temperature !== undefined && { temperature }),
    ...(episodeId !== undefined && { episodeId }),
  };
}

/** Whether an answer is by whom the job names: meanwhile another job may have had somebody else answer. */
function isMeant(b: GivenAnswer, { agent, model, temperature }: CompareJob): boolean {
  return (
    (agent === undefined || agent.toLowerCase() === b.agent.toLowerCase()) &&
    (model === undefined || model === b.model) &&
    (temperature === undefined || temperature === b.temperature)
  );
}

/** Who B is: what the job says, then the settings; what both leave open is as it was for A. */
function respondentB(
  job: CompareJob,
  a: GivenAnswer,
  { shadowAgent, shadowModel, shadowTemperature }: ReturnType<WorkDeps["settings"]>,
) {
  const agent = job.agent ?? (shadowAgent.trim() || undefined);
  // Another agent has a model and a temperature of its own.
  const asBefore = agent === undefined ? a : undefined;
  const model = job.model ?? (shadowModel.trim() || asBefore?.model || undefined);
  const temperature = job.temperature ?? shadowTemperature ?? asBefore?.temperature;
  return {
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
  };
}
