import { makeSignal } from "./deferred.ts";
import type { DoneStats, Framing, ReplyStep, WireMessage, WireToolCall } from "./types.ts";

/** A promise with its key: what waits for `passed` goes on after `open()`. */
export interface Gate {
  readonly passed: Promise<void>;
  readonly open: () => void;
}

/** Makes a closed gate, so that a test decides when a reply goes on. */
export function gate(): Gate {
  const { promise, fire } = makeSignal();
  return { passed: promise, open: fire };
}

/** A chunk of the answer's text. */
export function text(content: string): ReplyStep {
  return { kind: "message", message: { content } };
}

/** The answer's text in chunks as a model makes them: one for each word. */
export function words(content: string): readonly ReplyStep[] {
  return pieces(content).map(text);
}

/** A chunk of thinking. */
export function thinking(content: string): ReplyStep {
  return { kind: "message", message: { thinking: content } };
}

/** Thinking in chunks of one word. */
export function thinkingWords(content: string): readonly ReplyStep[] {
  return pieces(content).map(thinking);
}

/** A chunk with any message: what is left out is filled as the server fills it. */
export function message(part: Partial<WireMessage>): ReplyStep {
  return { kind: "message", message: part };
}

/** What a call may say beside name and arguments; `id: null` leaves the id out. */
export interface CallExtra {
  readonly id?: string | null;
  readonly index?: number;
}

let calls = 0;

/** A tool call as it stands in a message; without an id given it gets one as the server makes them. */
export function call(name: string, args: unknown = {}, extra: CallExtra = {}): WireToolCall {
  calls += 1;
  const id = extra.id === undefined ? `call_${calls.toString(36).padStart(8, "0")}` : extra.id;
  return {
    ...(id === null ? {} : { id }),
    function: { index: extra.index ?? 0, name, arguments: args },
  };
}

/** A chunk with one tool call. */
export function toolCall(name: string, args: unknown = {}, extra: CallExtra = {}): ReplyStep {
  return message({ content: "", tool_calls: [call(name, args, extra)] });
}

/** A chunk with several tool calls. */
export function toolCalls(...all: readonly WireToolCall[]): ReplyStep {
  return message({ content: "", tool_calls: all });
}

/** The last line; numbers that are not given are filled in, zeros are left out. */
export function done(stats: DoneStats = {}): ReplyStep {
  return { kind: "done", stats };
}

/** Waits until a gate is open or a promise has settled. */
export function wait(until: Gate | Promise<unknown>): ReplyStep {
  return { kind: "wait", until: until instanceof Promise ? until : until.passed };
}

/** Waits so many milliseconds by `setTimeout`; tests prefer a gate. */
export function delay(ms: number): ReplyStep {
  return { kind: "delay", ms };
}

/** Sends the headers now; without it they go out with the first line. */
export function headers(): ReplyStep {
  return { kind: "headers" };
}

/** Nothing is sent, no header either, until the gate is open: what a load or a full queue looks like. */
export function noHeadersUntil(until: Gate | Promise<unknown>): ReplyStep {
  return wait(until);
}

/** Sets how the lines that follow are cut into socket writes. */
export function framing(how: Framing): ReplyStep {
  return { kind: "framing", framing: how };
}

/** A failure: a line `{"error"}` in mid-stream, or an HTTP status when nothing was sent yet; ends the reply. */
export function errorLine(errorMessage: string, status = 500): ReplyStep {
  return { kind: "error", message: errorMessage, status };
}

/** An HTTP answer: `{"error": body}` for a string with status 400 and above, an object as JSON; ends the reply. */
export function httpError(status: number, body: unknown): ReplyStep {
  return {
    kind: "http",
    status,
    body: typeof body === "string" ? { error: body } : body,
    headers: { "content-type": "application/json; charset=utf-8" },
  };
}

/** An HTTP answer of plain text, as the cloud's gateway gives for 401; ends the reply. */
export function plainError(status: number, body: string): ReplyStep {
  return { kind: "http", status, body, headers: { "content-type": "text/plain; charset=utf-8" } };
}

/** A line of one's own, as JSON. */
export function line(value: unknown): ReplyStep {
  return { kind: "line", value };
}

/** Bytes as they are: garbage, half a line, a byte order mark. */
export function raw(data: string | Uint8Array): ReplyStep {
  return { kind: "raw", data };
}

/** Cuts the connection, as the death of the server does. */
export function destroySocket(): ReplyStep {
  return { kind: "destroy" };
}

/** Ends the reply well as HTTP, yet without a `done` line. */
export function endWithoutDone(): ReplyStep {
  return { kind: "end" };
}

/** The 500 of a tool call that the server could not parse. */
export function unparsableToolCall(rawCall: string): ReplyStep {
  return errorLine(`error parsing tool call: raw='${rawCall}', err=unexpected end of JSON input`);
}

/** The 500 of a runner that died. */
export function runnerStopped(): ReplyStep {
  return errorLine(
    "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, " +
      "check ollama server logs for details",
  );
}

/** The 503 of a full queue. */
export function queueFull(): ReplyStep {
  return httpError(503, "server busy, please try again.  maximum pending requests exceeded");
}

/** Cuts a text after each run of white space, so that the pieces join to the same text. */
export function pieces(content: string): readonly string[] {
  return content.match(/\s*\S+\s*/g) ?? (content === "" ? [] : [content]);
}
