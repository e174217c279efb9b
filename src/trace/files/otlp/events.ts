import type { TurnEvent } from "../../../agent/events.ts";
import { ATTRIBUTES as A } from "../../export/otlp/names.ts";
import { oneLine } from "../../text.ts";
import { Breath } from "../breath.ts";
import { readForeignLine } from "../foreign-line.ts";
import type { ForeignEvents } from "../import.ts";
import type { ByteSource } from "../source.ts";
import { asUtf8 } from "../utf16.ts";
import { spanTexts } from "./span-texts.ts";
import { readSpan, type Span } from "./span.ts";
import { tellTurn } from "./tell-turn.ts";
import { sessionIdOf } from "./trace.ts";
import { text } from "./values.ts";

/** Spans, and bytes of them, that one file gives: all of a trace has to be there before it can be told. */
const MAX_SPANS = 50_000;
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_NAMED = 8;
const MAX_NAME = 60;

/** What is said of spans that could not be taken. */
class SpanNotes {
  private readonly counts = new Map<string, number>();
  private readonly untold = new Map<string, number>();

  /** One more of its kind was left out. */
  add(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Spans and their events that are nothing of a conversation. */
  addUntold(untold: ReadonlyMap<string, number>): void {
    for (const [name, times] of untold) this.untold.set(name, (this.untold.get(name) ?? 0) + times);
  }

  sentences(): readonly string[] {
    const untold = [...this.untold].sort(([, one], [, other]) => other - one);
    const total = untold.reduce((sum, [, times]) => sum + times, 0);
    const named = untold.slice(0, MAX_NAMED).map(([name, times]) => `${oneLine(name, MAX_NAME)} (${times})`);
    return [
      ...[...this.counts].map(([what, times]) => `${times} ${what}`),
      ...(total === 0
        ? []
        : [`${total} spans or events are nothing of a conversation and were left out: ${named.join(", ")}.`]),
    ];
  }
}

/** The events that the spans of an OTLP JSON file tell of, turn by turn, the earliest first. */
export function otlpEvents(given: ByteSource): ForeignEvents {
  const notes = new SpanNotes();
  let share = 0;
  async function* events(signal: AbortSignal): AsyncGenerator<TurnEvent, void, undefined> {
    const source = await asUtf8(given, () => undefined);
    const size = await source.size();
    const traces = await gather(source, notes, signal, (end) => (share = size === 0 ? 1 : end / size));
    const before = new Map<string, string>();
    const breath = new Breath();
    for (const [traceId, spans] of inOrder(traces)) {
      if (signal.aborted) return;
      const conversation = spans.map(({ attributes }) => text(attributes, A.conversation)).find(Boolean);
      const sessionId = sessionIdOf(conversation ?? "no conversation");
      const told = await tellTurn(turnIdOf(traceId, spans), spans, {
        sessionId,
        before: before.get(sessionId) ?? null,
      });
      before.set(sessionId, turnIdOf(traceId, spans));
      notes.addUntold(told.untold);
      for (const event of told.events) {
        await breath.take();
        const read = readForeignLine(JSON.stringify(event));
        if (read.kind === "event") yield read.event;
        else notes.add("events could not be told in our own form and were left out.");
      }
    }
  }
  return { events, progress: () => share, notes: () => notes.sentences() };
}

/** The turn's own id, where our export had to make a trace's id of it. */
function turnIdOf(traceId: string, spans: readonly Span[]): string {
  const root = spans.find(({ parentId }) => parentId === null);
  return (root && text(root.attributes, A.id)) ?? traceId;
}

function inOrder(traces: ReadonlyMap<string, Span[]>): readonly (readonly [string, readonly Span[]])[] {
  const start = (spans: readonly Span[]): number =>
    spans.reduce((least, one) => Math.min(least, one.start), Infinity);
  return [...traces].sort(([, one], [, other]) => start(one) - start(other));
}

async function gather(
  source: ByteSource,
  notes: SpanNotes,
  signal: AbortSignal,
  onRead: (end: number) => void,
): Promise<ReadonlyMap<string, Span[]>> {
  const traces = new Map<string, Span[]>();
  let [spans, bytes] = [0, 0];
  for await (const { text: given, end } of spanTexts(source, signal)) {
    onRead(end);
    if (given === undefined) {
      notes.add("spans are too long and were left out.");
      continue;
    }
    if (spans >= MAX_SPANS || bytes + given.length > MAX_BYTES) {
      notes.add("spans are beyond what one import takes and were left out.");
      continue;
    }
    const span = readSpan(given);
    if (span === undefined) {
      notes.add("spans are not sound and were left out.");
      continue;
    }
    spans += 1;
    bytes += given.length;
    const trace = traces.get(span.traceId);
    if (trace === undefined) traces.set(span.traceId, [span]);
    else trace.push(span);
  }
  return traces;
}
