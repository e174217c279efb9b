import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate } from "../../src/agent/gate.ts";
import { systemIdentity } from "../../src/agent/ids.ts";
import { createRemember } from "../../src/agent/remember/remember.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../../src/agent/settings.ts";
import { systemTimer } from "../../src/agent/timer.ts";
import { interleave, median, quartiles, type Figure, type Measured } from "../frame.ts";
import { makeEngine, type BenchEngine } from "../support/bench-engine.ts";
import { startMemory } from "../support/memory-client.ts";
import { modelFolder, NO_MODEL } from "../support/model-folder.ts";
import { startServer } from "../support/server.ts";

const ROUNDS = 200;
const WARM_UP = 40;
const QUESTION = "What did we decide about the cache, and who said so?";

/** Milliseconds from the last text to the event that says the answer is whole. */
async function delayOf({ engine, log }: BenchEngine): Promise<number> {
  const turn = await engine.ask({ question: QUESTION, door: "test" });
  if (!turn.ok) throw new Error(turn.failure.message);
  let last = NaN;
  let delay = NaN;
  for await (const event of turn.value.events) {
    if (event.type === "model.delta") last = performance.now();
    if (event.type === "response.generation") delay = performance.now() - last;
  }
  await log.flush();
  if (!Number.isFinite(delay)) throw new Error("no answer came");
  return delay;
}

async function measure(): Promise<Measured> {
  const model = modelFolder();
  const server = await startServer({ kind: "stamp" });
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  const remembering = makeEngine(server.host, join(folder, "with"), 5);
  const plain = makeEngine(server.host, join(folder, "without"), 5);
  const { memory, close } = await startMemory(model);
  const remember = createRemember({
    memory,
    identity: systemIdentity,
    timer: systemTimer,
    publish: (event) => remembering.log.append(event),
    settings: () => ({ ...DEFAULT_ENGINE_SETTINGS, model: "scripted" }),
    model: () => ({ code: "no_model", message: "No model reads turns here: rules do." }),
    gate: createGate(1),
  });
  remembering.engine.onEvent((event) => void remember.onEvent(event));
  try {
    // Each turn with memory begins while the one before it is still being written and embedded.
    const pair = await interleave(
      ROUNDS,
      WARM_UP,
      () => delayOf(remembering),
      () => delayOf(plain),
    );
    await remember.flush(30_000);
    const { signal } = new AbortController();
    const { episodes = 0, message } = await memory.status(signal);
    if (episodes < ROUNDS) throw new Error(`only ${episodes} turns were remembered: ${message ?? ""}`);
    const reference = median(pair.reference);
    return {
      value: median(pair.ours) / reference,
      reference: { name: "without memory", value: reference, unit: "ms" },
      rounds: ROUNDS,
      spread: quartiles(pair.ours.map((each, round) => each / (pair.reference[round] ?? NaN))),
      note: `${episodes} turns remembered; ${model === undefined ? NO_MODEL : "embedded as they came"}`,
    };
  } finally {
    for (const { engine, log } of [remembering, plain]) {
      await engine.dispose();
      await log.dispose();
    }
    await close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What remembering costs the one who waits for the answer. */
export const memoryIngestDelay: Figure = {
  name: "memory.ingest.delay.ratio",
  unit: "ratio",
  goal: 1.1,
  about: "from the last token to the whole answer, while turns are remembered, against no memory at all",
  measure,
};
