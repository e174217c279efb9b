import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyTurn } from "../../src/trace/model.ts";
import { foldPosted, lighten, type Cuts } from "../../src/trace/posted.ts";
import { TraceLog } from "../../src/trace/log.ts";
import { median, quartiles, type Figure, type Measured } from "../frame.ts";
import { longestBlock } from "../support/event-loop.ts";
import { readNaively } from "../support/naive-panel.ts";
import { logFile, writeLargeLog } from "../support/trace-data.ts";

const BYTES = 100 * 1_024 * 1_024;
const ROUNDS = 5;

type Way = readonly [name: string, read: (log: TraceLog) => Promise<unknown>];

/** All the ways in which the product reads a whole log. */
function waysOf({
  sessionId,
  turnId,
}: {
  readonly sessionId: string;
  readonly turnId: string;
}): readonly Way[] {
  return [
    ["rows of the list", (log) => log.rows(sessionId)],
    ["one turn for the panel", (log) => foldTurn(log, sessionId, turnId)],
    ["the conversation so far", (log) => log.turns(sessionId)],
    ["a search", (log) => log.search(sessionId, ["nowhere"], new AbortController().signal)],
  ];
}

async function foldTurn(log: TraceLog, sessionId: string, turnId: string): Promise<void> {
  const turn = emptyTurn(sessionId, turnId, 0);
  const cuts: Cuts = new Map();
  for await (const item of log.read(sessionId))
    if (item.type === "event" && item.event.turnId === turnId) foldPosted(turn, cuts, lighten(item.event));
}

async function measure(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
  try {
    const large = await writeLargeLog(folder, BYTES);
    const ways = waysOf(large);
    const blocks = ways.map((): number[] => []);
    const [idle, naive]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, [, read]] of ways.entries()) {
        // Its own log each time: nothing was read before.
        const log = new TraceLog({ folder });
        await rm(join(folder, "index"), { recursive: true, force: true });
        blocks[index]?.push(await longestBlock(() => read(log)));
        await log.dispose();
      }
      naive.push(await longestBlock(() => readNaively(logFile(folder, large))));
      idle.push(await longestBlock(() => new Promise((resolve) => setTimeout(resolve, 2_000))));
    }
    const worst = blocks.reduce((one, other) => (median(one) > median(other) ? one : other));
    return {
      value: median(worst),
      reference: { name: "read, split and parsed in one go", value: median(naive), unit: "ms" },
      rounds: ROUNDS,
      spread: quartiles(worst),
      note:
        `${ways.map(([name], index) => `${name} ${median(blocks[index] ?? []).toFixed(1)} ms`).join(", ")}; ` +
        `doing nothing for two seconds ${median(idle).toFixed(1)} ms`,
    };
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
