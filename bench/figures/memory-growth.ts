import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Maintenance } from "../../src/memory/store/maintenance.ts";
import type { BenchOptions, Figure, Measured } from "../frame.ts";
import { interleave, median, quartiles } from "../frame.ts";
import { Directions, episodeAt, randomFrom } from "../support/memory-data.ts";
import { questions, search } from "../support/memory-search.ts";
import {
  bytesUnder,
  MODEL,
  never,
  openStore,
  syntheticStore,
  valueOf,
  type BenchStore,
} from "../support/memory-store.ts";

/** Turns that are written unless a run says otherwise. */
const TURNS = 10_000;
const ROUNDS = 60;
const WARM_UP = 10;
const KB = 1_024;

interface Grown {
  readonly store: BenchStore;
  readonly seconds: number;
}

let grown: Promise<Grown> | undefined;

/** A store that was written as the product writes: one turn, its two embeddings, upkeep when it is due. */
async function grow(rows: number): Promise<Grown> {
  const folder = mkdtempSync(join(tmpdir(), "conclave-bench-growth-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const store = openStore(folder, rows);
  const maintenance = new Maintenance(store.database);
  const random = randomFrom(7);
  const directions = new Directions(random);
  const began = performance.now();
  for (let index = 0; index < rows; index += 1) {
    const episode = episodeAt(index, random);
    valueOf(await store.episodes.append([episode], never));
    const { id, sessionId, turnId, time } = episode;
    const place = { id, sessionId, turnId, time, scope: "" };
    for (const kind of ["episode", "window"] as const) {
      const row = { ...place, kind, embedding: directions.next(random) };
      valueOf(await store.vectors.put(MODEL, [row], never));
    }
    if (index === 0) valueOf(await store.episodes.table.ensureTextIndex(never));
    if (maintenance.due()) valueOf(await maintenance.run(never));
  }
  return { store, seconds: (performance.now() - began) / 1_000 };
}

async function measureSearch({ rows = TURNS }: BenchOptions): Promise<Measured> {
  grown ??= grow(rows);
  const { store, seconds } = await grown;
  const atOnce = await syntheticStore(rows);
  const asked = questions(ROUNDS + WARM_UP);
  const timer = (searched: BenchStore): (() => Promise<number>) => {
    let next = 0;
    return async () => {
      const question = asked[next % asked.length];
      next += 1;
      if (question === undefined) throw new Error("there are no questions");
      const began = performance.now();
      await search(searched, question);
      return performance.now() - began;
    };
  };
  const pair = await interleave(ROUNDS, WARM_UP, timer(store), timer(atOnce));
  const reference = median(pair.reference);
  return {
    value: median(pair.ours) / reference,
    reference: { name: "the same rows written at once", value: reference, unit: "ms" },
    rounds: ROUNDS,
    spread: quartiles(pair.ours.map((each, round) => each / (pair.reference[round] ?? NaN))),
    note: `${rows} turns, one write each, in ${seconds.toFixed(0)} s: ${((seconds * 1_000) / rows).toFixed(0)} ms a turn`,
  };
}

async function measureDisk({ rows = TURNS }: BenchOptions): Promise<Measured> {
  grown ??= grow(rows);
  const [ours, atOnce] = [
    await bytesUnder((await grown).store.folder),
    await bytesUnder((await syntheticStore(rows)).folder),
  ];
  const value = ours / atOnce;
  return {
    value,
    reference: { name: "a row written at once", value: atOnce / KB / rows, unit: "kB" },
    rounds: 1,
    spread: [value, value],
    note: `${(ours / KB / rows).toFixed(1)} kB a row; versions of the last moments are still there`,
  };
}

/** Whether searching stays as fast when turns come one after the other. */
export const memoryGrowthSearch: Figure = {
  name: "memory.growth.search.ratio",
  unit: "ratio",
  goal: 1.3,
  about: "a search after 10,000 turns that were written one by one, against the same rows written at once",
  measure: measureSearch,
};

/** Whether the disk holds no more than the rows need. */
export const memoryGrowthDisk: Figure = {
  name: "memory.growth.disk.ratio",
  unit: "ratio",
  goal: 2,
  about: "the disk after 10,000 turns that were written one by one, against the same rows written at once",
  measure: measureDisk,
};
