import { isJsonObject } from "../../agent/json.ts";
import { isSessionId, parseSessionLine } from "../event-schema.ts";
import { isNotebookLine, readEntry, type NotebookEntry } from "./cell-lines.ts";
import { shownText } from "./shown-text.ts";

const LINE_FEED = 0x0a;
/** Longer lines are kept, but not looked into. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** For so long lines are read before others may go on, in milliseconds. */
const SLICE_MS = 8;
/** Signs that git puts before the lines of a conflict. */
const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/;

/** A turn of a log, and which lines tell of it. */
export interface LoggedTurn {
  readonly turnId: string;
  readonly sessionId: string;
  /** As a cell shows it; undefined when the log does not hold it. */
  question?: string;
  /** It began here, or was asked here: what only speaks of a turn elsewhere shows none. */
  began: boolean;
  /** Places in `lines`. */
  readonly lines: number[];
}

/** A log as its bytes, and what stands where. Nothing of it is changed by being read. */
export interface LogBytes {
  readonly bytes: Uint8Array;
  /** Where each line begins, in bytes. */
  readonly starts: readonly number[];
  /** In the order in which they are first spoken of. */
  readonly turns: ReadonlyMap<string, LoggedTurn>;
  /** The cells that lines of the log say, in order. */
  readonly entries: readonly NotebookEntry[];
  /** Places of those lines. */
  readonly entryLines: readonly number[];
  /** Whose log it is; undefined when no line says so. */
  readonly sessionId: string | undefined;
  /** Lines that could not be read. */
  readonly unread: number;
  /** It holds marks of a merge that is not resolved. */
  readonly conflict: boolean;
}

/** What reading gathers. */
class Gathered {
  readonly starts: number[] = [];
  readonly turns = new Map<string, LoggedTurn>();
  readonly entries: NotebookEntry[] = [];
  readonly entryLines: number[] = [];
  sessionId: string | undefined;
  unread = 0;
  conflict = false;

  take(text: string | undefined, at: number): void {
    const value = text === undefined ? undefined : parse(text);
    if (text?.trim() === "") return;
    if (!isJsonObject(value)) {
      if (text !== undefined && CONFLICT.test(text)) this.conflict = true;
      else this.unread += 1;
      return;
    }
    if (isNotebookLine(value)) {
      const entry = readEntry(value);
      if (entry === undefined) return;
      this.entries.push(entry);
      this.entryLines.push(at);
      return;
    }
    const session = parseSessionLine(value);
    if (session !== undefined) this.sessionId ??= session.sessionId;
    else this.takeEvent(value, at);
  }

  private takeEvent(value: Readonly<Record<string, unknown>>, at: number): void {
    const { type, turnId, sessionId, data } = value;
    const isEvent = typeof turnId === "string" && typeof sessionId === "string" && isSessionId(sessionId);
    if (!isEvent || turnId === "" || turnId.length > 200) {
      this.unread += 1;
      return;
    }
    const turn = this.turns.get(turnId) ?? { turnId, sessionId, began: false, lines: [] };
    this.turns.set(turnId, turn);
    turn.lines.push(at);
    if (type === "turn.start") turn.began = true;
    if (type !== "query.received" || !isJsonObject(data) || typeof data["query"] !== "string") return;
    turn.began = true;
    turn.question ??= shownText(data["query"]);
  }
}

/** Reads what stands where in a log, a slice at a time, so that nothing else waits for it. Undefined when cancelled. */
export async function readLogBytes(bytes: Uint8Array, signal?: AbortSignal): Promise<LogBytes | undefined> {
  const decoder = new TextDecoder();
  const gathered = new Gathered();
  let until = performance.now() + SLICE_MS;
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    gathered.starts.push(start);
    const text = end - start > MAX_LINE_BYTES ? undefined : decoder.decode(bytes.subarray(start, end));
    gathered.take(text, gathered.starts.length - 1);
    start = end + 1;
    if (performance.now() < until) continue;
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted === true) return undefined;
    until = performance.now() + SLICE_MS;
  }
  const { starts, turns, entries, entryLines, sessionId, unread, conflict } = gathered;
  return { bytes, starts, turns, entries, entryLines, sessionId, unread, conflict };
}

/** The bytes of a line, its line feed included. */
export function lineBytes({ bytes, starts }: LogBytes, at: number): Uint8Array {
  return bytes.subarray(starts[at], starts[at + 1]);
}

/** The lines of a turn as text, without their line feeds. */
export function turnLines(log: LogBytes, turnId: string): readonly string[] {
  const decoder = new TextDecoder();
  return (log.turns.get(turnId)?.lines ?? []).map((at) => decoder.decode(lineBytes(log, at)).trimEnd());
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
