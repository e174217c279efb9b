import type { TurnEvent } from "../../agent/events.ts";
import { CANCELLED, describeError, failed, success, type Result } from "../../agent/failure.ts";
import { Breath } from "../files/breath.ts";
import type { LogItem } from "../log-reader.ts";
import { oneLine } from "../text.ts";
import { Cleaner } from "./redact/cleaner.ts";
import type { ExportFigures, ExportRequest, ExportSource } from "./types.ts";
import { writerOf } from "./writers.ts";

/** Takes the text of an export, piece by piece, in order. */
export type ExportSink = (piece: string) => void | Promise<void>;

/** How an export is watched and bounded. */
export interface ExportRun {
  readonly signal: AbortSignal;
  /** Told how many events were gone through so far. */
  readonly onProgress?: (events: number) => void;
  /** At most so many events, the first ones: what came since they were looked at does not count. */
  readonly most?: number;
}

const MAX_TITLE = 80;

/** What is counted while an export is written. */
interface Counts {
  readonly turns: Set<string>;
  title: string;
  time: number;
  events: number;
  inputTokens: number;
  outputTokens: number;
  bytes: number;
  isPrivate: boolean;
  problems: number;
}

/**
 * Writes turns as text of a format into `sink`, and gives its figures. The log is gone through twice where something
 * is to be taken out: what is secret has to be known before the first piece is written. Never throws; a failing sink
 * and a log that can't be read are failures.
 */
export async function exportTrace(
  source: ExportSource,
  request: ExportRequest,
  sink: ExportSink,
  run: ExportRun,
): Promise<Result<ExportFigures>> {
  const cleaner = new Cleaner(request.cleaning, request.context);
  const counts = newCounts();
  try {
    const looked = await goThrough(source, request, run, (item) => {
      if (item.type === "event") cleaner.look(item.event);
    });
    if (!looked) return { ok: false, failure: CANCELLED };
    const writer = writerOf(request.format, request.sessionId);
    const write = async (piece: string): Promise<void> => {
      if (piece === "") return;
      counts.bytes += Buffer.byteLength(piece);
      await sink(piece);
    };
    const written = await goThrough(source, request, run, async (item) => {
      if (item.type === "problem") {
        counts.problems += 1;
        writer.problem(item.message);
      } else if (item.type === "event") {
        const event = cleaner.clean(item.event);
        count(counts, event);
        run.onProgress?.(counts.events);
        await write(writer.take(event));
      }
    });
    if (!written) return { ok: false, failure: CANCELLED };
    if (counts.events === 0) return failed("bad_input", "There is nothing to export.");
    const breath = new Breath();
    for (const piece of writer.finish()) {
      if (run.signal.aborted) return { ok: false, failure: CANCELLED };
      await write(piece);
      await breath.take();
    }
    return success(figures(counts, cleaner, writer.leftOut));
  } catch (error) {
    return failed("internal", "The export could not be written.", { cause: describeError(error) });
  }
}

/** Hands on what belongs to the request; false when it was cancelled. */
async function goThrough(
  source: ExportSource,
  { sessionId, turnId }: ExportRequest,
  { signal, most = Infinity }: ExportRun,
  take: (item: LogItem) => void | Promise<void>,
): Promise<boolean> {
  const breath = new Breath();
  let left = most;
  for await (const item of source.read(sessionId)) {
    if (signal.aborted) return false;
    if (item.type === "event") {
      if (turnId !== undefined && item.event.turnId !== turnId) continue;
      if (left <= 0) break;
      left -= 1;
    }
    await take(item);
    await breath.take();
  }
  return !signal.aborted;
}

function newCounts(): Counts {
  return {
    turns: new Set(),
    title: "",
    time: 0,
    events: 0,
    inputTokens: 0,
    outputTokens: 0,
    bytes: 0,
    isPrivate: false,
    problems: 0,
  };
}

function count(counts: Counts, event: TurnEvent): void {
  if (counts.events === 0) counts.time = event.time;
  counts.events += 1;
  counts.turns.add(event.turnId);
  if (event.type === "turn.start" && event.data["conclave.private"] === true) counts.isPrivate = true;
  if (event.type === "query.received" && counts.title === "")
    counts.title = oneLine(event.data.query, MAX_TITLE);
  if (event.type !== "turn.end") return;
  counts.inputTokens += event.data["gen_ai.usage.input_tokens"] ?? 0;
  counts.outputTokens += event.data["gen_ai.usage.output_tokens"] ?? 0;
}

function figures(counts: Counts, cleaner: Cleaner, leftOut: string): ExportFigures {
  const { turns, ...rest } = counts;
  return { ...rest, turns: turns.size, cleaned: cleaner.report(), leftOut };
}
