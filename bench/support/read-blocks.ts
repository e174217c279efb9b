import { rm } from "node:fs/promises";
import { join } from "node:path";
import { emptyTurn } from "../../src/trace/model.ts";
import { foldPosted, lighten, type Cuts } from "../../src/trace/posted.ts";
import { TraceLog } from "../../src/trace/log.ts";
import { median, quartiles, type Measured } from "../frame.ts";
import { longestBlock } from "./event-loop.ts";
import { readNaively } from "./naive-state.ts";
import { logFile, type TurnName } from "./trace-data.ts";

type Way = readonly [name: string, read: (log: TraceLog) => Promise<unknown>];

/** All the ways in which the product reads a whole log. */
function waysOf({ sessionId, turnId }: TurnName): readonly Way[] {
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

/** How long the event loop of this process stands still at most while a log is read, in each way that it is. */
export async function readBlocks(folder: string, turn: TurnName, rounds: number): Promise<Measured> {
  const ways = waysOf(turn);
  const blocks = ways.map((): number[] => []);
  const [idle, naive]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, [, read]] of ways.entries()) {
      // Its own log each time: nothing was read before.
      const log = new TraceLog({ folder });
      await rm(join(folder, "index"), { recursive: true, force: true });
      blocks[index]?.push(await longestBlock(() => read(log)));
      await log.dispose();
    }
    naive.push(await longestBlock(() => readNaively(logFile(folder, turn))));
    idle.push(await longestBlock(() => new Promise((resolve) => setTimeout(resolve, 2_000))));
  }
  const worst = blocks.reduce((one, other) => (median(one) > median(other) ? one : other));
  return {
    value: median(worst),
    reference: { name: "read, split and parsed in one go", value: median(naive), unit: "ms" },
    rounds,
    spread: quartiles(worst),
    note:
      `${ways.map(([name], index) => `${name} ${median(blocks[index] ?? []).toFixed(1)} ms`).join(", ")}; ` +
      `doing nothing for two seconds ${median(idle).toFixed(1)} ms`,
  };
}
