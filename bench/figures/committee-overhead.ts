import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENGINEERING_PERSONAS } from "../../src/agent/agents/built-in/engineering.ts";
import { THE_SELF } from "../../src/agent/agents/built-in/self.ts";
import { TraceLog } from "../../src/trace/log.ts";
import { interleave, median, quartiles, type Figure, type Measured } from "../frame.ts";
import { committeeEngine, conversation, convene, QUESTION } from "../support/committee-turn.ts";
import { offeredTools } from "../support/offered-tools.ts";
import { rawCommittee } from "../support/raw-committee.ts";
import { startServer } from "../support/server.ts";

const ROUNDS = 100;
/** As many calls as warm up the loop's figure: with fewer, half of ours is not compiled yet. */
const WARM_UP = 32;
/** Turns a round: the caches of the processor belong to whom is measured. */
const TURNS = 4;
/** Four personas twice, the judgement whether they agree, the synthesis. */
const CALLS = 10;
const CONVERSATION = 3_000;

/** Milliseconds a call of some turns, one after the other, and of `settle` behind the last one. */
async function perCall(turn: () => Promise<number>, settle?: () => Promise<void>): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < TURNS; count += 1) {
    const calls = await turn();
    if (calls !== CALLS) throw new Error(`a committee made ${calls} calls instead of ${CALLS}`);
  }
  await settle?.();
  return (performance.now() - began) / (TURNS * CALLS);
}

async function measure(): Promise<Measured> {
  const server = await startServer({ kind: "committee" });
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  const log = new TraceLog({ folder });
  const tools = offeredTools();
  const history = conversation(CONVERSATION);
  let calls = 0;
  const engine = committeeEngine(server.host, "scripted", tools, (event) => {
    if (event.type === "model.end") calls += 1;
    log.append(event);
  });
  const ours = async (): Promise<number> => {
    calls = 0;
    await convene(engine, history);
    return calls;
  };
  const told = tools.schemas.filter(({ name }) => THE_SELF.tools?.some((tool) => tool.name === name));
  const raw = { host: server.host, members: ENGINEERING_PERSONAS, synthesizer: THE_SELF };
  const bare = (): Promise<number> => rawCommittee({ ...raw, tools: told, history, question: QUESTION });
  try {
    const pair = await interleave(
      ROUNDS,
      WARM_UP,
      // Nobody waits for the disk between two turns; all of it has to be there in the end.
      () => perCall(ours, () => log.flush()),
      () => perCall(bare),
    );
    const reference = median(pair.reference);
    return {
      value: median(pair.ours) / reference,
      reference: { name: "a raw fetch loop, per call", value: reference, unit: "ms" },
      rounds: ROUNDS,
      spread: quartiles(pair.ours.map((each, round) => each / (pair.reference[round] ?? NaN))),
      note: `${CALLS} calls a committee; ours takes ${median(pair.ours).toFixed(3)} ms a call`,
    };
  } finally {
    await engine.dispose();
    await log.dispose();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a call of a committee costs with rounds, digests, verdicts, events and log. */
export const committeeOverhead: Figure = {
  name: "committee.overhead.ratio",
  unit: "ratio",
  goal: 1.1,
  about: "time per call of a committee with digests, verdicts, events and log, against a raw fetch loop's",
  measure,
};
