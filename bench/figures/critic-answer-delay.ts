import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInRubrics } from "../../src/agent/critic/built-in.ts";
import { createCritic, type Critic } from "../../src/agent/critic/critic.ts";
import { createJudge } from "../../src/agent/critic/judge.ts";
import { DEFAULT_CRITIC } from "../../src/agent/critic/settings.ts";
import { systemIdentity } from "../../src/agent/ids.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/agent/settings.ts";
import { systemTimer } from "../../src/agent/timer.ts";
import { interleave, median, quartiles, type Figure, type Measured } from "../frame.ts";
import { makeEngine, type BenchEngine } from "../support/bench-engine.ts";
import { startServer } from "../support/server.ts";

/** Answers a round. */
const TURNS = 3;
const ROUNDS = 25;
const WARM_UP = 4;
const QUESTION = "When does the tide turn?";

/** Milliseconds from the question to the answer. */
async function turn({ engine }: BenchEngine): Promise<number> {
  const began = performance.now();
  const asked = await engine.ask({ question: QUESTION, door: "test" });
  if (!asked.ok) throw new Error(asked.failure.message);
  const { outcome, error } = await asked.value.done;
  const took = performance.now() - began;
  if (outcome !== "answered") throw new Error(error?.message ?? outcome);
  return took;
}

/** The mean of some answers; `before` is waited for before each question, and not measured. */
async function meanOf(bed: BenchEngine, before: () => Promise<void>): Promise<number> {
  let sum = 0;
  for (let count = 0; count < TURNS; count += 1) {
    await before();
    sum += await turn(bed);
  }
  return sum / TURNS;
}

/** Waits until the critic is in the middle of a grade, which the next question interrupts. */
function inMidGrade(critic: Critic): Promise<void> {
  const runs = (): boolean => critic.view().running !== null;
  return new Promise((resolve) => {
    // The request is under way a moment after the job has begun.
    const soon = (): void => void setTimeout(resolve, 5);
    if (runs()) {
      soon();
      return;
    }
    const stop = critic.onChange(() => {
      if (!runs()) return;
      stop();
      soon();
    });
  });
}

function withCritic({ engine, gates, model }: BenchEngine): Critic {
  const critic = createCritic({
    settings: () => DEFAULT_CRITIC,
    engineSettings: () => ({ ...DEFAULT_ENGINE_SETTINGS, model: "scripted" }),
    judge: createJudge(),
    rubrics: builtInRubrics,
    model: () => model,
    gate: gates.of(),
    identity: systemIdentity,
    timer: systemTimer,
    publish: (event) => engine.publish(event),
  });
  engine.onEvent(critic.onEvent);
  return critic;
}

async function measure(): Promise<Measured> {
  const server = await startServer({ kind: "critic" });
  const folders = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), "conclave-bench-"))));
  const [ours, plain] = folders.map((folder) => makeEngine(server.host, folder, 5));
  if (ours === undefined || plain === undefined) throw new Error("there is no engine");
  const critic = withCritic(ours);
  try {
    await turn(ours);
    const pair = await interleave(
      ROUNDS,
      WARM_UP,
      () => meanOf(ours, () => inMidGrade(critic)),
      () => meanOf(plain, () => new Promise((resolve) => setTimeout(resolve, 5))),
    );
    const reference = median(pair.reference);
    const ratios = pair.ours.map((each, round) => each / (pair.reference[round] ?? NaN));
    return {
      value: median(ratios),
      reference: { name: "without a critic", value: reference, unit: "ms" },
      rounds: ROUNDS,
      spread: quartiles(ratios),
      note: `${TURNS} answers a round, each asked for in the middle of a grade, of a model that takes 200 ms to its first word`,
    };
  } finally {
    await critic.dispose();
    for (const { engine, log } of [ours, plain]) {
      await engine.dispose();
      await log.dispose();
    }
    await server.close();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
}

/** What a critic that is in the middle of a grade costs the next answer. */
export const criticAnswerDelay: Figure = {
  name: "critic.answer_delay.ratio",
  unit: "ratio",
  goal: 1.1,
  about: "time of an answer asked for in the middle of a grade, against one without a critic",
  measure,
};
