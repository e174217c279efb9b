import type { TurnFork } from "../events-fork.ts";
import type { EventOf, TurnEvent, TurnEventType, WarningCode } from "../events.ts";
import type { ReadCall } from "../protocol.ts";
import type { Json, ToolCall } from "../models/types.ts";
import type { AgentTape, CallTape, StepTape } from "./tapes.ts";
import { editFor } from "./edits.ts";

/** Warnings that the loop says again by itself when it goes through a step that is played. */
const SAID_AGAIN: ReadonlySet<WarningCode> = new Set([
  "format_broken",
  "retried",
  "output_invalid",
  "protocol_changed",
]);

/** What stands under an event, however deep, in the order in which it happened. */
export function eventsUnder(events: readonly TurnEvent[], id: string): readonly TurnEvent[] {
  const inside = new Set([id]);
  return events.filter((event) => {
    // The end of a thing comes after its beginning and has the same id.
    const isUnder = event.parentId !== null && inside.has(event.parentId);
    if (isUnder) inside.add(event.id);
    return isUnder;
  });
}

/** The ids of an agent's steps, in order. */
export function stepIds(events: readonly TurnEvent[], agentId: string): readonly string[] {
  return events.flatMap(({ type, id, parentId }) =>
    type === "step.start" && parentId === agentId ? [id] : [],
  );
}

/** Which of the calls of the last step are made anew, and how it goes on in the agent that one of them asked. */
export interface Anew {
  readonly callId: string;
  readonly delegate?: AgentTape;
}

/**
 * Tapes of some steps of an agent, with the edits put in. Attempts that the server refused are left out: nothing came
 * of them.
 */
export function readSteps(
  events: readonly TurnEvent[],
  steps: readonly string[],
  fork: TurnFork,
  anew?: Anew,
): readonly StepTape[] {
  return steps.flatMap((stepId) => {
    const own = events.filter((event) => event.stepId === stepId);
    const request = own.find((event): event is EventOf<"model.start"> => event.type === "model.start");
    const start = events.find(
      (event): event is EventOf<"step.start"> => event.type === "step.start" && event.id === stepId,
    );
    const reply = own.find((event): event is EventOf<"model.end"> => event.type === "model.end");
    if (start === undefined) return [];
    const made = own
      .filter((event): event is EventOf<"tool.request"> => event.type === "tool.request")
      .map((call) => readCall(call, own, events, fork, anew));
    if (request === undefined && made.length > 0) return [madeStep(start, made)];
    if (request === undefined || reply === undefined) return [];
    const { error } = reply.data;
    if (error !== undefined && error.code !== "tool_call_unparsable") return [];
    return [readStep({ start, own, request, reply }, made, fork)];
  });
}

/** A step whose calls were made without asking the model. */
function madeStep({ id, data }: EventOf<"step.start">, made: readonly CallTape[]): StepTape {
  const calls = made.map(({ request: { data: call } }) => ({
    id: call["gen_ai.tool.call.id"],
    name: call.name,
    arguments: call.arguments,
  }));
  return { id, protocol: data["conclave.protocol"], calls, tapes: byCallId(made) };
}

function byCallId(made: readonly CallTape[]): ReadonlyMap<string, CallTape> {
  return new Map(made.map((tape) => [tape.request.data["gen_ai.tool.call.id"], tape]));
}

interface FoundStep {
  readonly start: EventOf<"step.start">;
  /** The events of the step itself. */
  readonly own: readonly TurnEvent[];
  readonly request: EventOf<"model.start">;
  readonly reply: EventOf<"model.end">;
}

function readStep(
  { start, own, request, reply }: FoundStep,
  made: readonly CallTape[],
  fork: TurnFork,
): StepTape {
  const calls = matched(reply.data.tool_calls, made, fork);
  const edited = made.some(({ request: { id } }) => editFor(fork, "tool_arguments", id) !== undefined);
  const asked = own.indexOf(request);
  return {
    id: start.id,
    protocol: start.data["conclave.protocol"],
    asked: {
      request,
      reply: edited ? { ...reply, data: { ...reply.data, tool_calls: calls } } : reply,
      before: own.slice(0, asked).filter(isBeside),
      after: own.slice(asked).filter(isBeside),
    },
    calls,
    tapes: byCallId(made),
  };
}

function isBeside(event: TurnEvent): boolean {
  if (event.type === "warning") return !SAID_AGAIN.has(event.data.code);
  return (["context.budget", "context.compacted", "model.check"] as TurnEventType[]).includes(event.type);
}

function readCall(
  request: EventOf<"tool.request">,
  own: readonly TurnEvent[],
  events: readonly TurnEvent[],
  fork: TurnFork,
  anew: Anew | undefined,
): CallTape {
  const args = editFor(fork, "tool_arguments", request.id);
  const given = args === undefined ? request : withArguments(request, args);
  if (anew?.callId === request.id)
    return { request: given, under: [], ...(anew.delegate && { delegate: anew.delegate }) };
  if (args !== undefined) return { request: given, under: [] };
  const found = own.find(
    (event): event is EventOf<"tool.result"> => event.type === "tool.result" && event.id === request.id,
  );
  const under = eventsUnder(events, request.id).filter(({ id }) => id !== request.id);
  return { request, result: withResult(found ?? unanswered(request), fork), under };
}

function withArguments(request: EventOf<"tool.request">, text: string): EventOf<"tool.request"> {
  return { ...request, data: { ...asWritten(request.data), arguments: JSON.parse(text) as Json } };
}

/** A call without what was said of the model's way to make it. */
function asWritten({
  "conclave.mended": _mended,
  "conclave.recovered_from": _from,
  ...data
}: EventOf<"tool.request">["data"]): EventOf<"tool.request">["data"] {
  return data;
}

/** What the model is given in place of what the tool gave; what people were shown of that goes with it. */
function withResult(result: EventOf<"tool.result">, fork: TurnFork): EventOf<"tool.result"> {
  const text = editFor(fork, "tool_result", result.id);
  return text === undefined ? result : { ...result, data: { ...asGiven(result.data), result: text } };
}

function asGiven({
  details: _details,
  error: _error,
  ...data
}: EventOf<"tool.result">["data"]): EventOf<"tool.result">["data"] {
  return data;
}

/** A call that a turn broke off in. */
function unanswered(request: EventOf<"tool.request">): EventOf<"tool.result"> {
  const { name } = request.data;
  const result = "[no result: the turn ended before it came]";
  const data = { name, result, "conclave.duration_ms": 0, "conclave.attempts": 0 };
  return { ...request, type: "tool.result", data };
}

/**
 * The calls of a reply as the model wrote them, under the ids with which they were made: found by their ids, else by
 * their order. What was mended in their arguments before they were run is not the model's.
 */
function matched(calls: readonly ToolCall[], made: readonly CallTape[], fork: TurnFork): readonly ReadCall[] {
  const left = new Map(made.map(({ request }) => [request.data["gen_ai.tool.call.id"], request]));
  const byId = calls.map(({ id }) => {
    const request = left.get(id);
    left.delete(id);
    return request;
  });
  const rest = [...left.values()];
  return calls.flatMap(({ name, arguments: written }, index) => {
    const request = byId[index] ?? rest.shift();
    if (request === undefined) return [];
    const { "gen_ai.tool.call.id": id, arguments: run } = request.data;
    const isEdited = editFor(fork, "tool_arguments", request.id) !== undefined;
    return [{ id, name, arguments: isEdited ? run : written }];
  });
}
