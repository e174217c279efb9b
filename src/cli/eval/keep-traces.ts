import { createHash } from "node:crypto";
import { copyFile, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { logPath } from "../../trace/log-writer.ts";
import { MAX_TRACES } from "../../trace/eval/report.ts";
import type { RunJob } from "./job.ts";

/** UTF-16 units of a case's name that a file's name begins with. */
const MAX_STEM = 60;

/** Names that stay what they are when their spaces become hyphens; such names never come out the same. */
const PLAIN = /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*$/u;

/** Where a run's traces are, and whose they are, in the order in which the run began them. */
export interface TraceSource {
  readonly folder: string;
  readonly sessions: readonly string[];
}

/**
 * Copies the traces of a run's sessions into a folder that is made where it is not there; gives their names from the
 * folder above. No two runs of an evaluation have the same: one would be shown for the other.
 */
export async function keepTraces(
  { case: { name }, configuration, repeat }: RunJob,
  { folder, sessions }: TraceSource,
  into: string,
): Promise<readonly string[]> {
  await mkdir(into, { recursive: true });
  const stem = `${stemOf(name)}-${configuration.name}-${repeat}`;
  const kept: string[] = [];
  for (const [at, session] of sessions.slice(0, MAX_TRACES).entries()) {
    const target = `${stem}${sessions.length > 1 ? `-${at + 1}` : ""}.conclave`;
    const isThere = await copyFile(logPath(join(folder, "sessions"), session), join(into, target)).then(
      () => true,
      () => false,
    );
    if (isThere) kept.push(`${basename(into)}/${target}`);
  }
  return kept;
}

function stemOf(name: string): string {
  const stem = name.replace(/[^\p{L}\p{N}+-]+/gu, "-").slice(0, MAX_STEM);
  if (PLAIN.test(name) && name.length <= MAX_STEM) return stem;
  return `${stem}-${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
}
