import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { EventSink } from "../../src/agent/events.ts";
import { TraceLog } from "../../src/trace/log.ts";
import { logPath } from "../../src/trace/log-writer.ts";
import type { TurnSummary } from "../../src/trace/summary.ts";
import { SteadyIdentity } from "../../test/unit/trace/support/steady-identity.ts";
import { TurnScript } from "../../test/unit/trace/support/turn-script.ts";
import { randomFrom, type Random } from "./memory-data.ts";
import { plainText } from "./plain-words.ts";

/** When the first of the made-up turns began. */
const START = Date.UTC(2026, 2, 20, 9, 0, 0);
/** Events of a step as `tellStep` tells it. */
export const STEP_EVENTS = 6;
/** Cells of such a step: the model's call, what it thought, the tool's call. */
export const STEP_CELLS = 3;
/** Each so many steps a tool gives a whole page. */
const PAGE_EVERY = 10;
const PAGE_WORDS = 8_000;

/** A turn, named. */
export interface TurnName {
  readonly sessionId: string;
  readonly turnId: string;
}

/** How long the texts of a step are, in words. */
interface StepSize {
  readonly thinking: number;
  readonly result: number;
}

function tellStep(script: TurnScript, random: Random, { thinking, result }: StepSize): void {
  script
    .ask()
    .wait(400)
    .reply({
      thinking: plainText(random, thinking),
      calls: [{ id: "call", name: "web_fetch", arguments: {} }],
    });
  script.call("web_fetch", { url: "https://docs.example.test/" })({ result: plainText(random, result) });
  script.wait(100).stepEnd();
}

/** Tells one turn of so many steps. */
function tellTurn(sink: EventSink, steps: number, size: StepSize, seed: number): TurnName {
  const random = randomFrom(7);
  const script = new TurnScript(sink, { identity: new SteadyIdentity(START, seed) });
  for (let step = 0; step < steps; step += 1) tellStep(script, random, size);
  const { sessionId, turnId } = script.answered("All pages were read.");
  return { sessionId, turnId };
}

/** Writes one turn of so many events (a few more) to the log of a folder; turns of other seeds have other ids. */
export async function writeLongTurn(
  folder: string,
  events: number,
  size: StepSize,
  seed = 0,
): Promise<TurnName> {
  const log = new TraceLog({ folder });
  const turn = tellTurn((event) => log.append(event), Math.ceil(events / STEP_EVENTS), size, seed);
  await log.dispose();
  return turn;
}

/** Writes a session of about so many bytes to the log of a folder: turns of twenty steps, with pages among their results. */
export async function writeLargeLog(
  folder: string,
  bytes: number,
): Promise<{ readonly sessionId: string; readonly turnId: string; readonly bytes: number }> {
  const log = new TraceLog({ folder });
  const random = randomFrom(11);
  const identity = new SteadyIdentity(START);
  let [sessionId, turnId, size] = ["", "", 0];
  while (size < bytes) {
    const script = new TurnScript((event) => log.append(event), {
      identity,
      question: `${plainText(random, 8)}?`,
      ...(sessionId !== "" && { sessionId, parent: turnId }),
    });
    for (let step = 0; step < 20; step += 1)
      tellStep(script, random, { thinking: 150, result: step % PAGE_EVERY === 0 ? PAGE_WORDS : 600 });
    ({ sessionId, turnId } = script.answered(plainText(random, 200)));
    await log.flush();
    ({ size } = await stat(logPath(folder, sessionId)));
  }
  await log.dispose();
  return { sessionId, turnId, bytes: size };
}

/** Rows of a list of turns, a hundred turns a session, from the n-th on. */
export function madeUpRows(first: number, count: number): readonly TurnSummary[] {
  return Array.from({ length: count }, (_, at) => rowAt(first + at));
}

function rowAt(index: number): TurnSummary {
  const random = randomFrom(index);
  const id = String(index).padStart(12, "0");
  return {
    sessionId: `00000000-0000-4000-8000-${String(Math.floor(index / 100)).padStart(12, "0")}`,
    turnId: `00000000000000000000${id}`,
    parentTurnId: null,
    time: START - index * 60_000,
    ...{ agent: "conclave", door: "panel", thinking: true, model: "qwen3:8b" },
    question: `${plainText(random, 9)}?`,
    answer: plainText(random, 20),
    ...{ toolCalls: 2, tools: ["search_memory", "web_fetch"], agents: [] },
    ...{ inputTokens: 1_200, outputTokens: 300, durationMs: 4_000 },
    ...{ status: "answered", error: null, grade: index % 3 === 0 ? 4 : null, feedback: null },
  };
}

/** Where the log of a session is that `writeLongTurn` or `writeLargeLog` made. */
export function logFile(folder: string, { sessionId }: { readonly sessionId: string }): string {
  return join(folder, `${sessionId}.jsonl`);
}
