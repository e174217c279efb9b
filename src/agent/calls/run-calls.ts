import { checkCall, type CheckedCall } from "./arguments.ts";
import { callKey } from "../budget/repeats.ts";
import { cutResult } from "../context.ts";
import { CANCELLED, failure, type Failure } from "../failure.ts";
import { playCall } from "../fork/play.ts";
import type { CallTape } from "../fork/tapes.ts";
import type { ReadCall } from "../protocol.ts";
import { runTool, type ToolRun } from "./run-tool.ts";
import { wellFormed } from "../text.ts";
import type { Delegation, ToolOutcome } from "../tool.ts";
import type { AnsweredToolCall, CallsContext } from "./types.ts";

const NOBODY: ToolOutcome = {
  ok: false,
  failure: failure("bad_input", "There is no agent to ask."),
  retryable: false,
};

interface PlannedCall {
  readonly call: ReadCall;
  readonly checked?: CheckedCall;
  /** The same text for the same call, where it was understood. */
  readonly key?: string;
  readonly refused?: Failure;
  readonly tape?: CallTape;
}

/**
 * Checks and runs the calls of one message and gives their results in call order. Read-only calls run side by side;
 * when one of them writes, all run in order. Never throws: whatever goes wrong is a result.
 */
export async function runCalls(
  calls: readonly ReadCall[],
  context: CallsContext,
): Promise<readonly AnsweredToolCall[]> {
  const { emitter } = context;
  emitter.fire("dispatch_tool");
  const planned = calls.map((call) => plan(call, context));
  const runs = planned.some(({ checked, tape }) => checked !== undefined || tape !== undefined);
  if (runs) emitter.fire("dispatch_tool");
  const inOrder = context.inOrder || planned.some(({ checked }) => checked?.tool.readOnly === false);
  const answered: AnsweredToolCall[] = [];
  if (inOrder) {
    for (const one of planned) answered.push(await answer(one, context));
  } else {
    answered.push(...(await Promise.all(planned.map((one) => answer(one, context)))));
  }
  if (!context.signal.aborted) {
    emitter.fire(runs && answered.some(({ timedOut }) => timedOut) ? "tool_timeout" : "tool_result");
  }
  return answered;
}

function plan(call: ReadCall, { tools, tapes }: CallsContext): PlannedCall {
  const tape = tapes?.get(call.id);
  if (tape?.result !== undefined) return { call, tape };
  const checked = checkCall(call, tools);
  if (!checked.ok) return { call, refused: checked.failure };
  const { tool, shown } = checked.value;
  const anew = tape === undefined ? {} : { tape };
  return { call, checked: checked.value, key: callKey(tool.name, shown), ...anew };
}

async function answer(planned: PlannedCall, context: CallsContext): Promise<AnsweredToolCall> {
  const { call, checked, tape } = planned;
  if (tape?.result !== undefined) return played(playCall(call, tape, tape.result, context), context);
  const { emitter, identity, stepId } = context;
  const name = checked?.tool.name ?? call.name;
  const shown = checked?.shown ?? call.arguments;
  const mended = [...(call.mended ?? []), ...(checked?.mended ?? [])];
  const began = identity.now();
  const id = emitter.emit(
    "tool.request",
    { parentId: stepId, stepId },
    {
      name,
      arguments: shown,
      "gen_ai.tool.call.id": call.id,
      ...(mended.length > 0 && { "conclave.mended": mended }),
      ...(context.chained && { "conclave.chained": true as const }),
      ...(context.recoveredFrom && { "conclave.recovered_from": context.recoveredFrom }),
    },
  );
  // A call that the user wants anew is made, whether or not it was made before.
  const before = tape === undefined ? repeated(planned, context) : undefined;
  const run = before ?? (await runPlanned(planned, context, id));
  const { text, cut } = cutResult(wellFormed(run.content), context.room);
  if (cut === undefined && run.failure === undefined) keepGiven(planned, context, text);
  emitter.emit(
    "tool.result",
    { id, parentId: stepId, stepId },
    {
      name,
      result: text,
      ...(run.details && { details: run.details }),
      ...(run.failure && { error: run.failure }),
      "conclave.duration_ms": identity.now() - began,
      "conclave.attempts": run.attempts,
    },
  );
  if (cut !== undefined) {
    const message = `The result of ${name} was cut to ${cut.kept} of ${cut.of} characters for want of room.`;
    emitter.warn("context_cut", message, { tool: name, ...cut }, stepId);
  }
  if (run.failure?.code === "tool_disabled")
    emitter.warn("web_off", run.failure.message, { tool: name }, stepId);
  return {
    ...{ call, name, shown, content: text },
    sources: run.details?.sources ?? [],
    timedOut: run.timedOut,
    ...(run.details?.answer !== undefined && { answer: run.details.answer }),
    ...(run.failure && { failure: run.failure }),
  };
}

/** What was given by a call that was played counts as given, as the model sees it. */
function played(answered: AnsweredToolCall, { given, tools }: CallsContext): AnsweredToolCall {
  const { name, shown, call, content } = answered;
  const tool = tools.find(name);
  if (tool?.readOnly === false) given?.clear();
  else if (tool !== undefined && answered.failure === undefined)
    given?.keep(callKey(name, shown), call.id, content);
  return answered;
}

/** The note for a call that was made before; a call that writes makes all that was read before doubtful. */
function repeated({ checked, key }: PlannedCall, { given }: CallsContext): ToolRun | undefined {
  if (checked === undefined || key === undefined || given === undefined) return undefined;
  if (!checked.tool.readOnly) {
    given.clear();
    return undefined;
  }
  const content = given.noteFor(key);
  if (content === undefined) return undefined;
  return { content, details: { summary: "the same call as before" }, attempts: 0, timedOut: false };
}

function keepGiven({ call, checked, key }: PlannedCall, { given }: CallsContext, content: string): void {
  if (checked?.tool.readOnly === true && key !== undefined) given?.keep(key, call.id, content);
}

async function runPlanned(
  { checked, refused, tape }: PlannedCall,
  context: CallsContext,
  eventId: string,
): Promise<ToolRun> {
  if (checked === undefined) {
    const reason = refused ?? failure("internal", "The call was not run.");
    return { content: `[error] ${reason.message}`, failure: reason, attempts: 0, timedOut: false };
  }
  if (context.signal.aborted) {
    return { content: "[cancelled]", failure: CANCELLED, attempts: 0, timedOut: false };
  }
  const { sessionId, turnId, agent } = context.emitter.origin;
  const { signal, question, heldTurnIds, timer, delegate } = context;
  const asked: Promise<ToolOutcome>[] = [];
  const ask = (request: Delegation): Promise<ToolOutcome> => {
    const answered = delegate?.(request, eventId, tape?.delegate) ?? Promise.resolve(NOBODY);
    asked.push(answered);
    return answered;
  };
  const told = {
    signal,
    sessionId,
    turnId,
    agent,
    question,
    heldTurnIds,
    ...(delegate && { delegate: ask }),
  };
  const run = await runTool(checked.tool, checked.args, told, timer);
  // A call that was stopped is not over before those it asked have told of their end.
  await Promise.all(asked);
  return run;
}
