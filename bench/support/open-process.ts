/**
 * Opens a trace file in a process of its own, as the editor for such files does or as it is first thought of, and
 * prints what came of it.
 */
import { diskSource } from "../../src/trace/files/source.ts";
import { TraceFile } from "../../src/trace/files/trace-file.ts";
import { foldSession, emptySession } from "../../src/trace/fold.ts";
import { longestBlock } from "./event-loop.ts";
import { readNaively } from "./naive-state.ts";
import type { Opened } from "./opened.ts";

const MB = 1_024 * 1_024;
const [path = "", how] = process.argv.slice(2);

/** The first row is the first turn's; its events come too, for its view. */
async function open(): Promise<number> {
  const file = new TraceFile(diskSource(path));
  const began = performance.now();
  const reading = file.load();
  const turn = await file.firstTurn();
  if (turn === undefined) throw new Error("there is no turn in the file");
  for await (const item of file.readTurn(turn.sessionId, turn.turnId)) if (item.type === "event") break;
  const first = performance.now() - began;
  await reading;
  file.dispose();
  return first;
}

async function openNaively(): Promise<number> {
  const began = performance.now();
  const events = await readNaively(path);
  const session = emptySession(events[0]?.sessionId ?? "");
  for (const event of events) foldSession(session, event);
  return performance.now() - began;
}

const before = process.resourceUsage().maxRSS;
let firstMs = NaN;
const began = performance.now();
const blockMs = await longestBlock(async () => {
  firstMs = await (how === "naive" ? openNaively() : open());
});
const opened: Opened = {
  firstMs,
  wholeMs: performance.now() - began,
  blockMs,
  grownMb: ((process.resourceUsage().maxRSS - before) * 1_024) / MB,
};
process.stdout.write(JSON.stringify(opened));
