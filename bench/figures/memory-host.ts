import { monitorEventLoopDelay } from "node:perf_hooks";
import { randomUUID } from "node:crypto";
import type { Figure, Measured } from "../frame.ts";
import { startMemory, type BenchMemory } from "../support/memory-client.ts";
import { episodeAt, randomFrom, textOf } from "../support/memory-data.ts";
import { modelFolder, NO_MODEL } from "../support/model-folder.ts";
import { never, valueOf } from "../support/memory-store.ts";

const ROUNDS = 15;
/** Turns that are written in each round. */
const TURNS = 3;
/** How closely the loop is watched, in milliseconds. */
const RESOLUTION_MS = 1;

/** Writes turns and searches, one after the other, while the loop is watched. */
async function work({ memory }: BenchMemory): Promise<void> {
  const random = randomFrom(5);
  for (let round = 0; round < ROUNDS; round += 1) {
    const episodes = Array.from({ length: TURNS }, (_, at) => ({
      ...episodeAt(round * TURNS + at, random),
      id: randomUUID(),
    }));
    const added = memory.add(episodes, never);
    valueOf(await memory.search({ query: textOf(random, 6), limit: 5 }, never));
    valueOf(await added);
  }
}

async function measure(): Promise<Measured> {
  const model = modelFolder();
  const started = await startMemory(model);
  try {
    valueOf(await started.memory.search({ query: "loads what is needed", limit: 1 }, never));
    const idle = await delayDuring(() => new Promise<void>((resolve) => setTimeout(resolve, 3_000)));
    const busy = await delayDuring(() => work(started));
    return {
      value: busy.p99,
      reference: { name: "doing nothing, p99", value: idle.p99, unit: "ms" },
      rounds: ROUNDS,
      spread: [busy.p50, busy.p99],
      note: `${ROUNDS * TURNS} turns written, ${ROUNDS} searches; ${model === undefined ? NO_MODEL : "embedded in the memory process"}`,
    };
  } finally {
    await started.close();
  }
}

interface Delay {
  readonly p50: number;
  readonly p99: number;
}

/** How late timers were while work was done, in milliseconds. */
async function delayDuring(busy: () => Promise<void>): Promise<Delay> {
  const watch = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  watch.enable();
  await busy();
  watch.disable();
  const late = (share: number): number => Math.max(0, watch.percentile(share) / 1e6 - RESOLUTION_MS);
  return { p50: late(50), p99: late(99) };
}

/** What memory costs the thread that the editor's extensions share. */
export const memoryHostDelay: Figure = {
  name: "memory.host.delay.p99_ms",
  unit: "ms",
  goal: 20,
  about: "how late the caller's event loop is while turns are written, embedded and searched, p99",
  measure,
};
