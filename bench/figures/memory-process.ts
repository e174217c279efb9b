import type { BenchOptions, Figure, Measured } from "../frame.ts";
import { median, quartiles } from "../frame.ts";
import { inFreshProcess } from "../support/fresh-process.ts";
import { bytesUnder, syntheticStore } from "../support/memory-store.ts";

const ROUNDS = 7;
const MB = 2 ** 20;
const KB = 1_024;

async function measureCold({ rows }: BenchOptions): Promise<Measured> {
  const store = await syntheticStore(rows);
  await inFreshProcess(store);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push((await inFreshProcess(store)).firstMs);
  return {
    value: median(times),
    reference: { name: "rows of the store", value: store.rows, unit: "" },
    rounds: ROUNDS,
    spread: quartiles(times),
  };
}

async function measureResident({ rows }: BenchOptions): Promise<Measured> {
  const store = await syntheticStore(rows);
  const sizes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) sizes.push((await inFreshProcess(store)).rssMb);
  return {
    value: median(sizes),
    reference: { name: "rows of the store", value: store.rows, unit: "" },
    rounds: ROUNDS,
    spread: quartiles(sizes),
    note: "after 50 searches, without the embedding model",
  };
}

async function measureDisk({ rows }: BenchOptions): Promise<Measured> {
  const store = await syntheticStore(rows);
  const bytes = await bytesUnder(store.folder);
  const value = bytes / MB;
  return {
    value,
    reference: { name: "a row", value: bytes / KB / store.rows, unit: "kB" },
    rounds: 1,
    spread: [value, value],
    note: "text, its index, two embeddings of each row and their indexes",
  };
}

/** How soon memory answers when it was not running. */
export const memoryCold: Figure = {
  name: "memory.cold.ms",
  unit: "ms",
  goal: 1_000,
  about: "from the start of a process to the first result of a search in 100,000 episodes",
  measure: measureCold,
};

/** What memory holds of the machine's. */
export const memoryResident: Figure = {
  name: "memory.rss.mb",
  unit: "MB",
  goal: 400,
  about: "resident memory of a process that searches 100,000 episodes",
  measure: measureResident,
};

/** What memory takes of the disk. */
export const memoryDisk: Figure = {
  name: "memory.disk.mb",
  unit: "MB",
  goal: 1_000,
  about: "100,000 episodes on the disk",
  measure: measureDisk,
};
