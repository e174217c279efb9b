import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interleave, median, quartiles, type Figure, type Measured } from "../frame.ts";
import { makeEngine, type BenchEngine } from "../support/bench-engine.ts";
import { rawTurn } from "../support/raw-client.ts";
import { startServer } from "../support/server.ts";

const STEPS = 20;
/** Turns a round: the caches of the processor belong to whom is measured. */
const TURNS = 5;
const ROUNDS = 40;
const WARM_UP = 12;
const QUESTION = "Add the numbers from one to twenty.";

/** Milliseconds per model call of one of our turns, its log on the disk included. */
async function ourTurn({ engine, log }: BenchEngine): Promise<number> {
  const began = performance.now();
  const turn = await engine.ask({ question: QUESTION, door: "test" });
  if (!turn.ok) throw new Error(turn.failure.message);
  const { outcome, error } = await turn.value.done;
  await log.flush();
  const took = performance.now() - began;
  if (outcome !== "answered") throw new Error(error?.message ?? outcome);
  return took / (STEPS + 1);
}

/** The mean of some turns, one after the other. */
async function meanOf(turn: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let count = 0; count < TURNS; count += 1) sum += await turn();
  return sum / TURNS;
}

async function rawTurnTime(host: string): Promise<number> {
  const began = performance.now();
  const requests = await rawTurn(host, QUESTION);
  const took = performance.now() - began;
  if (requests !== STEPS + 1) throw new Error(`the raw loop made ${requests} requests`);
  return took / requests;
}

async function measure(): Promise<Measured> {
  const server = await startServer({ kind: "loop", steps: STEPS });
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  const ours = makeEngine(server.host, folder, STEPS + 1);
  try {
    const pair = await interleave(
      ROUNDS,
      WARM_UP,
      () => meanOf(() => ourTurn(ours)),
      () => meanOf(() => rawTurnTime(server.host)),
    );
    const reference = median(pair.reference);
    const ratios = pair.ours.map((each, round) => each / (pair.reference[round] ?? NaN));
    return {
      value: median(pair.ours) / reference,
      reference: { name: "a raw fetch loop, per step", value: reference, unit: "ms" },
      rounds: ROUNDS,
      spread: quartiles(ratios),
      note: `${STEPS} tool steps a turn, ${TURNS} turns a round; ours takes ${median(pair.ours).toFixed(3)} ms a step`,
    };
  } finally {
    await ours.engine.dispose();
    await ours.log.dispose();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * What a step of the loop costs with checks, events and log, against a loop that has nothing of it. Both make as many
 * requests with the same bodies, keep their connections, and parse each line; ours has its log on the disk after each
 * turn.
 */
export const loopOverhead: Figure = {
  name: "loop.overhead.ratio",
  unit: "ratio",
  goal: 1.1,
  about: "time per step with checks, events and log, against a raw fetch loop's",
  measure,
};
