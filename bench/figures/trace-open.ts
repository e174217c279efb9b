import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, quartiles, type Figure, type Measured } from "../frame.ts";
import { openFresh, type Opened } from "../support/opened.ts";
import { logFile, writeLargeLog } from "../support/trace-data.ts";

const BYTES = 200 * 1_024 * 1_024;
const ROUNDS = 3;

interface Both {
  readonly ours: readonly Opened[];
  readonly naive: readonly Opened[];
}

let both: Promise<Both> | undefined;

/** Opens the file once a run, whichever of the figures is asked for; the two ways take turns. */
function openings(): Promise<Both> {
  both ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
    try {
      const path = logFile(folder, await writeLargeLog(folder, BYTES));
      const [ours, naive]: [Opened[], Opened[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        ours.push(await openFresh(path, "ours"));
        naive.push(await openFresh(path, "naive"));
      }
      return { ours, naive };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  })();
  return both;
}

async function measureBy(
  read: (opened: Opened) => number,
): Promise<Omit<Measured, "reference"> & { reference: number }> {
  const { ours, naive } = await openings();
  const values = ours.map(read);
  return {
    value: median(values),
    reference: median(naive.map(read)),
    rounds: ROUNDS,
    spread: quartiles(values),
  };
}

async function measureFirst(): Promise<Measured> {
  const { reference, ...measured } = await measureBy(({ firstMs }) => firstMs);
  const { ours } = await openings();
  const of = (read: (opened: Opened) => number): string => median(ours.map(read)).toFixed(0);
  return {
    ...measured,
    reference: { name: "read, split, parsed and folded in one go", value: reference, unit: "ms" },
    note: `all of it is read after ${of(({ wholeMs }) => wholeMs)} ms, and never blocks for longer than ${of(({ blockMs }) => blockMs)} ms`,
  };
}

/** How long a very large trace file takes to show something. */
export const traceOpen: Figure = {
  name: "trace.open.ms",
  unit: "ms",
  goal: 1_000,
  about: `from opening a .conclave file of ${BYTES / 1_024 / 1_024} MB to its first turn, in a fresh process`,
  measure: measureFirst,
};

async function measureMemory(): Promise<Measured> {
  const { reference, ...measured } = await measureBy(({ grownMb }) => grownMb);
  return {
    ...measured,
    reference: { name: "read, split, parsed and folded in one go", value: reference, unit: "MB" },
  };
}

/** What a very large trace file takes of memory. */
export const traceOpenMemory: Figure = {
  name: "trace.open.memory_mb",
  unit: "MB",
  goal: 200,
  about: "by how much the process grows at most until all of that file is read",
  measure: measureMemory,
};
