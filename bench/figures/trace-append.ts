import { appendFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnEvent } from "../../src/agent/events.ts";
import { systemIdentity } from "../../src/agent/ids.ts";
import { TraceLog } from "../../src/trace/log.ts";
import { quantile, quartiles, type Figure, type Measured } from "../frame.ts";

const ROUNDS = 300;
const SESSION = systemIdentity.uuid();
const TURN = systemIdentity.turnId();

function event(content: string): TurnEvent {
  return {
    type: "tool.result",
    ...{ id: systemIdentity.spanId(), parentId: TURN, time: systemIdentity.now(), sessionId: SESSION },
    ...{ turnId: TURN, agent: "bench", respondent: "A" },
    data: { name: "web_fetch", result: content, "conclave.duration_ms": 1, "conclave.attempts": 1 },
  };
}

/** A small result, a page, and one that the log has to cut. */
const EVENTS: readonly TurnEvent[] = [event("ok"), event("x".repeat(20_000)), event("y".repeat(2_000_000))];

async function measure(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  const log = new TraceLog({ folder });
  const ours: number[] = [];
  const plain: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const each of EVENTS) {
        const began = performance.now();
        log.append(each);
        const between = performance.now();
        appendFileSync(join(folder, "plain.jsonl"), `${JSON.stringify(each)}\n`);
        ours.push(between - began);
        plain.push(performance.now() - between);
      }
      await log.flush();
    }
    return {
      value: quantile(ours, 0.99),
      reference: { name: "appendFileSync, p99", value: quantile(plain, 0.99), unit: "ms" },
      rounds: ROUNDS,
      spread: quartiles(ours),
    };
  } finally {
    await log.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the log costs the one who appends. */
export const traceAppend: Figure = {
  name: "trace.append.p99_ms",
  unit: "ms",
  goal: 1,
  about: "appending an event to the log, on the caller's thread",
  measure,
};
