import type { Asked } from "../loop/ask-model.ts";
import type { AnsweredToolCall, CallsContext } from "../calls/types.ts";
import type { Emitter } from "../emitter.ts";
import type { EventOf, TurnEvent } from "../events.ts";
import type { Run } from "../loop/types.ts";
import { keptMessage } from "../protocols/messages.ts";
import type { ReadCall, StepReading } from "../protocol.ts";
import type { CallTape, StepTape } from "./tapes.ts";

/** Plays the model's part of a step: tells what was asked and said then. No model is asked and no token counted. */
export function playModel(run: Run, tape: StepTape, stepId: string): Asked {
  const { emitter } = run.deps;
  const { calls } = tape;
  if (tape.asked === undefined) return notAsked(calls);
  const { request, reply, before, after } = tape.asked;
  const place = { parentId: stepId, stepId };
  repeatBeside(emitter, before, stepId);
  const id = emitter.emit("model.start", { ...place, replays: request.id }, request.data);
  emitter.emit("model.end", { ...place, id, replays: reply.id }, reply.data);
  repeatBeside(emitter, after, stepId);
  const { content, thinking, error } = reply.data;
  if (thinking !== "") run.thoughts.push(thinking);
  const broken = reply.data["conclave.broken"];
  const recoveredFrom = reply.data["conclave.recovered_from"];
  const reading: StepReading = {
    answer: content,
    thinking,
    calls,
    message: keptMessage(content, thinking, calls),
    ...(broken !== undefined && { broken }),
    ...(recoveredFrom !== undefined && { recoveredFrom }),
  };
  const finish = reply.data["gen_ai.response.finish_reasons"][0] ?? "broken";
  return error === undefined ? { reading, finish } : { reading, finish, failure: error };
}

/** A step whose calls are made without asking the model for them. */
export function notAsked(calls: readonly ReadCall[]): Asked {
  const message = { role: "assistant", content: "", toolCalls: calls } as const;
  return { finish: "stop", reading: { answer: "", thinking: "", calls, message } };
}

function repeatBeside(emitter: Emitter, events: readonly TurnEvent[], stepId: string): void {
  for (const { type, id, data } of events)
    emitter.emit(type, { parentId: stepId, stepId, replays: id }, data);
}

/** Plays a call: tells what was called, what happened under it, and what it gave. The tool is not run. */
export function playCall(
  call: ReadCall,
  { request, under }: CallTape,
  result: EventOf<"tool.result">,
  { emitter, stepId }: CallsContext,
): AnsweredToolCall {
  const place = { parentId: stepId, stepId };
  const id = emitter.emit("tool.request", { ...place, replays: request.id }, request.data);
  emitter.repeat(under, new Map([[request.id, id]]));
  const { name, result: content = "", details, error } = result.data;
  emitter.emit("tool.result", { ...place, id, replays: result.id }, result.data);
  return {
    ...{ call, name, content, timedOut: false },
    shown: request.data.arguments,
    sources: details?.sources ?? [],
    ...(error && { failure: error }),
  };
}
