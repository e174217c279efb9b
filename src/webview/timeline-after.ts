import type { Grade, Judging } from "../trace/judgements.ts";
import { agentName, cellsInOrder, type TurnModel } from "../trace/model.ts";
import { whyUngraded } from "../trace/judged-words.ts";
import { duration } from "./format.ts";
import { wayTo } from "./shown-cells.ts";
import type { Bar, Lane, Tone } from "./timeline-lane.ts";

/** Judgements that are drawn; of a large committee each persona has one. */
const MAX_JOBS = 60;

/** A piece of work that was done for a turn once it was over. */
interface Job {
  readonly lane: string;
  readonly cellId: string;
  readonly what: string;
  readonly tone: Tone;
  /** When it was done, milliseconds since the epoch. */
  readonly time: number;
  /** How long it took; undefined where the log does not say. */
  readonly ms: number | undefined;
}

/** What was done after the answer. */
export interface AfterLanes {
  readonly lanes: readonly Lane[];
  /** How long all of it took as far as that is known, in milliseconds. */
  readonly took: number;
  /** How wide the scale is on which the bars stand. */
  readonly whole: number;
}

/**
 * What a turn had done after its answer: grades and comparisons by the critic, and the second answer. Hours may lie
 * between: what ran is laid end to end, in the order in which it ended, on a scale that begins at 0. What is not known
 * to have taken any time is as wide as the others are on average.
 */
export function afterLanes(turn: TurnModel): AfterLanes {
  const jobs = jobsOf(turn)
    .sort((one, other) => one.time - other.time)
    .slice(0, MAX_JOBS);
  const known = jobs.flatMap(({ ms }) => (ms === undefined ? [] : [ms]));
  const took = known.reduce((sum, ms) => sum + ms, 0);
  const usual = took > 0 ? took / known.length : 1;
  const lanes = new Map<string, Lane>();
  let at = 0;
  for (const job of jobs) {
    const from = at;
    at += job.ms ?? usual;
    const lane = lanes.get(job.lane) ?? { name: job.lane, bars: [], left: 0 };
    lanes.set(job.lane, lane);
    lane.bars.push(barOf(job, from, at));
  }
  return { lanes: [...lanes.values()], took, whole: at };
}

/** What all judgements of a turn cost: tokens, and milliseconds as far as they are known. */
export function judgingCost(turn: TurnModel): {
  readonly tokens: number;
  readonly ms: number;
} {
  const grades = [
    turn,
    ...cellsInOrder(turn).filter((cell) => cell.kind === "agent"),
    ...(turn.other ? [turn.other] : []),
  ];
  const made: readonly (Judging | undefined)[] = [
    ...grades.map(({ grade }) => criticsOf(grade)),
    turn.pairwise,
  ];
  const known = made.filter((one) => one !== undefined);
  const sum = (of: (one: Judging) => number | undefined) =>
    known.reduce((total, one) => total + (of(one) ?? 0), 0);
  return {
    tokens: sum(({ inputTokens }) => inputTokens) + sum(({ outputTokens }) => outputTokens),
    ms: sum(({ durationMs }) => durationMs),
  };
}

/** What a critic gave, also where a person has put another grade in its place; undefined where none did. */
function criticsOf(grade: Grade | undefined): Omit<Grade, "corrected" | "given"> | undefined {
  const critics = grade?.corrected === undefined ? grade : grade.given;
  return critics?.time === undefined ? undefined : critics;
}

function barOf({ cellId, what, tone, ms }: Job, from: number, to: number): Bar {
  const took = ms === undefined ? "" : `: ${duration(ms)}`;
  return {
    cellId,
    key: `${cellId}/${what}`,
    title: `${what}${took}, after the answer`,
    parts: [{ from, to, tone }],
  };
}

function jobsOf(turn: TurnModel): Job[] {
  const { grade, pairwise, shadow, other } = turn;
  const pair = `${turn.turnId}/pairwise`;
  return [
    ...gradeJob(grade, `${turn.turnId}/grade`, "Grade"),
    ...cellsInOrder(turn).flatMap((cell) =>
      cell.kind === "agent"
        ? gradeJob(cell.grade, placeOf(turn, cell.id), `Grade of ${agentName(cell)}`)
        : [],
    ),
    ...gradeJob(other?.grade, pair, "Grade of answer B"),
    ...(pairwise === undefined
      ? []
      : [
          {
            ...{ lane: "critic", cellId: pair, what: "Comparison of A and B", tone: "grade" as const },
            ...{ time: pairwise.time, ms: pairwise.durationMs },
          },
        ]),
    ...(shadow === undefined
      ? []
      : [
          {
            ...{ lane: `B: ${shadow.agent}`, cellId: pair, what: "Second answer", tone: "model" as const },
            ...{ time: shadow.time, ms: shadow.durationMs },
          },
        ]),
  ];
}

/** The round that shows a persona; agents have no cell of their own. */
function placeOf(turn: TurnModel, agentId: string): string {
  return wayTo(turn, agentId).find((key) => turn.cells.has(key)) ?? `${turn.turnId}/grade`;
}

/** A critic's grade, also where a person has put another in its place. */
function gradeJob(grade: Grade | undefined, cellId: string, what: string): readonly Job[] {
  const critics = criticsOf(grade);
  if (critics?.time === undefined) return [];
  const { score, time, durationMs } = critics;
  const said = score === null ? (whyUngraded(critics) ?? "none given") : `${score} of 5`;
  return [{ lane: "critic", cellId, what: `${what}, ${said}`, tone: "grade", time, ms: durationMs }];
}
