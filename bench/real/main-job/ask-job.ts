import { join } from "node:path";
import { CANCELLED, success, type Result } from "../../../src/agent/failure.ts";
import type { Settings } from "../../../src/cli/settings/schema.ts";
import { ask } from "./ask.ts";
import type { Job, ReadHalf } from "./plan.ts";
import type { ProductDeps } from "./product.ts";
import type { AskedRecord, Sameness } from "./records.ts";
import { score } from "./score.ts";
import { settingsHash } from "./stamp.ts";

/** A job with the settings that it is asked with. */
export interface ReadyJob extends Job {
  readonly settings: Settings;
}

/** What a question is asked of. */
export interface Ground {
  /** Folder of data that was told. */
  readonly data: string;
  readonly pages: ReadHalf["set"]["pages"];
  /** Hash of what was told. */
  readonly told: string;
}

/** What is to be the same, for an earlier record of a job to hold. */
export function samenessOf({ question, settings }: ReadyJob, told: string): Sameness {
  return { ask: question.ask, told, settings: settingsHash(settings) };
}

/** Asks the question of a job, keeps its trace, and scores the answer. */
export async function askJob(
  job: ReadyJob,
  { data, pages, told }: Ground,
  deps: { readonly product: ProductDeps; readonly out: string; readonly commit: string },
  signal: AbortSignal,
): Promise<Result<AskedRecord>> {
  const { model, half, recall, seed, question, settings } = job;
  const name = [model, recall, half, String(seed), question.id].map(fileName).join("-");
  const trace = `main-job/traces/${name}.conclave`;
  const at = new Date().toISOString();
  const asking = { question, pages, settings, seed, data, trace: join(deps.out, trace) };
  const asked = await ask(asking, deps.product, signal);
  if (signal.aborted) return { ok: false, failure: CANCELLED };
  if (!asked.ok) return asked;
  const { hasTrace, ...rest } = asked.value;
  const same = samenessOf(job, told);
  return success({
    ...{ model, half, recall, seed, question: question.id },
    ...{ kind: question.kind, language: question.language, ask: same.ask },
    ...rest,
    ...(hasTrace && { trace }),
    score: score(question, rest),
    product: { commit: deps.commit, settings: same.settings },
    ...{ told, at },
  });
}

/** A name as a part of a file's name, on every file system. */
export function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._]+/gu, "-");
}
