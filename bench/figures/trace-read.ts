import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure, Measured } from "../frame.ts";
import { readBlocks } from "../support/read-blocks.ts";
import { writeLargeLog } from "../support/trace-data.ts";

const BYTES = 100 * 1_024 * 1_024;
const ROUNDS = 5;

async function measure(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  try {
    return await readBlocks(folder, await writeLargeLog(folder, BYTES), ROUNDS);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What reading a large log costs the thread that all extensions share. */
export const traceRead: Figure = {
  name: "trace.read.block_ms",
  unit: "ms",
  goal: 50,
  about: `the longest the event loop stands still while a log of ${BYTES / 1_024 / 1_024} MB is read, in each way that it is`,
  measure,
};
