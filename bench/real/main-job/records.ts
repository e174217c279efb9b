import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { describeError, failed, success, type Result } from "../../../src/agent/failure.ts";
import { HALVES, jobKey, keyOf, RECALLS, type Job } from "./plan.ts";
import { KINDS, LANGUAGES } from "./schema.ts";
import { ENDINGS } from "./score.ts";

const text = z.string();
const texts = z.array(text).readonly();
const count = z.int().min(0);
const seconds = z.number().min(0);

const RECORD = z
  .object({
    model: text,
    half: z.enum(HALVES),
    recall: z.enum([...RECALLS, "default"]),
    seed: z.int(),
    question: text,
    kind: z.enum(KINDS),
    language: z.enum(LANGUAGES),
    /** As the set has it: with `{{pages}}`. */
    ask: text,
    ended: z.enum(ENDINGS),
    answer: text,
    error: text.exactOptional(),
    /** From the question to the end of its turn; what is learnt afterwards does not count. */
    seconds,
    /** From the question to the first text of the answer that stayed; absent where none came. */
    firstTextSeconds: seconds.exactOptional(),
    modelCalls: count,
    /** Names of the tools that were called, in their order. */
    tools: texts,
    inputTokens: count,
    outputTokens: count,
    /** Codes and sentences. */
    warnings: texts,
    /** What memory recalled stood before the question. */
    recalled: z.boolean(),
    /** From the results' folder. */
    trace: text.exactOptional(),
    /** As it was scored last; scored anew whenever a report is made. */
    score: z.object({
      right: z.boolean(),
      answerRight: z.boolean(),
      calledTool: z.boolean(),
      why: texts,
    }),
    /** Which product answered: its git commit, and a hash of the settings beside its defaults. */
    product: z.object({ commit: text, settings: text }),
    /** Hash of what memory was told. */
    told: text,
    /** When it was asked, as ISO 8601 has it. */
    at: text,
  })
  .readonly();

const FILE = z.array(RECORD);

/** What came of one question. */
export type AskedRecord = z.output<typeof RECORD>;

/** What is to be the same, for what was asked in an earlier run to hold. */
export interface Sameness {
  readonly ask: string;
  readonly told: string;
  readonly settings: string;
}

/** The records of a folder of results: a JSON file that is whole after each question. */
export class RecordFile {
  readonly #path: string;
  readonly #records: Map<string, AskedRecord>;

  private constructor(path: string, records: readonly AskedRecord[]) {
    this.#path = path;
    this.#records = new Map(records.map((record) => [keyOf(record), record]));
  }

  /** Opens the file; there need not be one. */
  static async open(path: string): Promise<Result<RecordFile>> {
    try {
      await mkdir(dirname(path), { recursive: true });
      const written = await readFile(path, "utf8").catch((error: unknown) => {
        if (isMissing(error)) return "[]";
        throw error;
      });
      const read = FILE.safeParse(JSON.parse(written));
      if (read.success) return success(new RecordFile(path, read.data));
      return failed("bad_input", `${path} holds something else than results: move it away, or say --out.`);
    } catch (error) {
      return failed("bad_input", `${path} can't be used: ${describeError(error)}.`);
    }
  }

  /** The record of a question, whichever product gave it. */
  find(job: Job): AskedRecord | undefined {
    return this.#records.get(jobKey(job));
  }

  /** The record of a question that needs not be asked again. */
  findSame(job: Job, { ask, told, settings }: Sameness): AskedRecord | undefined {
    const record = this.find(job);
    const isSame = record?.ask === ask && record.told === told && record.product.settings === settings;
    return isSame ? record : undefined;
  }

  /** Adds records, in the place of earlier ones of the same questions, and writes the file. */
  async add(...records: readonly AskedRecord[]): Promise<void> {
    for (const record of records) this.#records.set(keyOf(record), record);
    await this.#write();
  }

  /** Drops the records of questions that are to be asked anew. */
  async drop(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) this.#records.delete(jobKey(job));
    await this.#write();
  }

  async #write(): Promise<void> {
    const draft = `${this.#path}.tmp`;
    await writeFile(draft, `${JSON.stringify([...this.#records.values()], null, 1)}\n`);
    await rename(draft, this.#path);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
