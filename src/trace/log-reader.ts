import { SCHEMA_VERSION, type TurnEvent } from "../agent/events.ts";
import { parseEvent, parseSessionLine, type SessionLine } from "./event-schema.ts";
import { readLines, type FileLine } from "./lines.ts";
import { isNotebookLine } from "./notebook/cell-lines.ts";
import { PromptRestorer } from "./prompt-chain.ts";

/** What a log holds, line by line. A bad line costs itself only. */
export type LogItem =
  | { readonly type: "session"; readonly session: SessionLine }
  | { readonly type: "event"; readonly event: TurnEvent }
  | { readonly type: "problem"; readonly line: number; readonly message: string };

/** An item and where the line after it starts, in bytes. */
export interface LogItemAt {
  readonly item: LogItem;
  readonly end: number;
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** What a line holds; undefined for what only notebooks read. */
function readLine(text: string | undefined, line: number, newer: boolean): LogItem | undefined {
  if (text === undefined)
    return { type: "problem", line, message: `line ${line} is too long and was left out` };
  const json = parseJson(text);
  if (json === undefined)
    return { type: "problem", line, message: `line ${line} is not JSON and was left out` };
  const session = parseSessionLine(json.value);
  if (session !== undefined) return { type: "session", session };
  if (isNotebookLine(json.value)) return undefined;
  const parsed = parseEvent(json.value);
  if ("event" in parsed) return { type: "event", event: parsed.event };
  const reason =
    newer && parsed.unknownType ? "was written by a newer version" : `is not an event (${parsed.problem})`;
  return { type: "problem", line, message: `line ${line} ${reason} and was left out` };
}

/**
 * Reads a log from a byte offset on (0, or where an earlier read ended). A last line that is only half there is left
 * out without complaint: it was being written, or a crash cut it. Rejects when the file can't be read.
 */
export function readLogFile(path: string, from = 0): AsyncGenerator<LogItemAt, void, undefined> {
  return readLog(readLines(path, from), from);
}

/** Reads the lines of a log, wherever they are kept; `from` is where in the log the first of them stands. */
export async function* readLog(
  lines: AsyncIterable<FileLine> | Iterable<FileLine>,
  from = 0,
): AsyncGenerator<LogItemAt, void, undefined> {
  let line = 0;
  let newer = false;
  const prompts = new PromptRestorer();
  for await (const { text: given, end, complete } of lines) {
    line += 1;
    // Some editors put such a mark before a file that they save.
    const text = line === 1 && from === 0 ? given?.replace(/^\uFEFF/, "") : given;
    if (text?.trim() === "") continue;
    const item = readLine(text, line, newer);
    if (item === undefined) continue;
    if (!complete && item.type === "problem") return;
    if (item.type === "event") {
      const { event, isWhole } = prompts.restore(item.event);
      yield { item: { type: "event", event }, end };
      if (!isWhole && from === 0) yield { item: cutRequest(line), end };
      continue;
    }
    yield { item, end };
    if (item.type !== "session" || item.session.schema <= SCHEMA_VERSION) continue;
    newer = true;
    yield { item: newerSchema(line, item.session.schema), end };
  }
}

function cutRequest(line: number): LogItem {
  return {
    type: "problem",
    line,
    message: `line ${line} is shown without the messages of the request before it, which could not be read`,
  };
}

function newerSchema(line: number, schema: number): LogItem {
  return {
    type: "problem",
    line,
    message: `this trace was written by a newer version (schema ${schema}, known here: ${SCHEMA_VERSION}); what is not known is left out`,
  };
}
