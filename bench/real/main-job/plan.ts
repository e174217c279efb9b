import { shuffled } from "../../../src/agent/committee/shuffle.ts";
import { KINDS, type Question, type QuestionSet } from "./schema.ts";

/** The halves of the set, each a file of its own: one to work with, one that is kept back. */
export const HALVES = ["first", "second"] as const;
/** A half of the set. */
export type Half = (typeof HALVES)[number];

/** What `conclave.memory.recall` may be. */
export const RECALLS = ["model", "first", "auto"] as const;
/** How memory is recalled; `default` where the product has no such setting. */
export type Recall = (typeof RECALLS)[number] | "default";

/** A half of the set as it was read. */
export interface ReadHalf {
  readonly half: Half;
  readonly set: QuestionSet;
}

/** A question with the half it is of. */
export interface HalfQuestion {
  readonly half: Half;
  readonly question: Question;
}

/** A row of the table: who answers, and how. */
export interface Row {
  readonly model: string;
  readonly recall: Recall;
}

/** A question of a row. */
export interface Job extends Row, HalfQuestion {
  /** Given to the model, so that the same question has the same answer where the model allows it. */
  readonly seed: number;
}

/** A job's name as one text: what it, and its record, are known by. */
export function jobKey({ model, half, recall, seed, question }: Job): string {
  return keyOf({ model, half, recall, seed, question: question.id });
}

/** What names a job, with its question's id. */
export type JobName = Pick<Job, "model" | "half" | "recall" | "seed"> & { readonly question: string };

/** A name as one text. */
export function keyOf({ model, half, recall, seed, question }: JobName): string {
  return JSON.stringify([model, half, recall, seed, question]);
}

/** What questions are taken. */
export interface Choice {
  /** Ids; none: all. */
  readonly only: readonly string[];
  /** So many at most; left out: all. */
  readonly sample?: number;
  readonly seed: number;
}

/** The questions to ask, in the order of their files. Ids that no question has are strays. */
export function chosenQuestions(
  halves: readonly ReadHalf[],
  { only, sample, seed }: Choice,
): { readonly questions: readonly HalfQuestion[]; readonly strays: readonly string[] } {
  const all = halves.flatMap(({ half, set }) => set.questions.map((question) => ({ half, question })));
  const strays = only.filter((id) => !all.some(({ question }) => question.id === id));
  const named = only.length === 0 ? all : all.filter(({ question }) => only.includes(question.id));
  if (sample === undefined || sample >= named.length) return { questions: named, strays };
  const taken = new Set(spread(named, sample, seed));
  return { questions: named.filter((one) => taken.has(one)), strays };
}

/** So many questions, of as many kinds as can be: kinds take turns, in an order that the seed determines. */
function spread(questions: readonly HalfQuestion[], count: number, seed: number): readonly HalfQuestion[] {
  const mixed = shuffled(questions, `questions ${seed}`);
  const piles = shuffled(KINDS, `kinds ${seed}`).map((kind) =>
    mixed.filter(({ question }) => question.kind === kind),
  );
  const deepest = Math.max(0, ...piles.map(({ length }) => length));
  const dealt = Array.from({ length: deepest }, (_, layer) => piles.flatMap((pile) => pile[layer] ?? []));
  return dealt.flat().slice(0, count);
}

/** All that is to be asked: model by model and half by half, so that each model is loaded, and told, once. */
export function jobsOf(
  rows: readonly Row[],
  questions: readonly HalfQuestion[],
  seed: number,
): readonly Job[] {
  const models = [...new Set(rows.map(({ model }) => model))];
  return models.flatMap((model) =>
    HALVES.flatMap((half) =>
      rows
        .filter((row) => row.model === model)
        .flatMap((row) =>
          questions.filter((one) => one.half === half).map((one) => ({ ...row, ...one, seed })),
        ),
    ),
  );
}
