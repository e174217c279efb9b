import { checkCall, type CheckedCall } from "./arguments.ts";
import { cutResult } from "./context.ts";
import type { Emitter } from "./emitter.ts";
import { CANCELLED, failure, type Failure } from "./failure.ts";
import type { Identity } from "./ids.ts";
import type { Json } from "./models/types.ts";
import type { ReadCall } from "./protocol.ts";
import { runTool, type ToolRun } from "./run-tool.ts";
import { wellFormed } from "./text.ts";
import type { Timer } from "./timer.ts";
import type { Source, ToolSet } from "./tool.ts";

/** Calls of one message that are run; the model is told to repeat the others. */
const MAX_CALLS = 16;

/** What the calls of one message are run with. */
export interface CallsContext {
  readonly tools: ToolSet;
  readonly emitter: Emitter;
  readonly identity: Identity;
  readonly timer: Timer;
  readonly signal: AbortSignal;
  readonly stepId: string;
  readonly question: string;
  /** Earlier turns that the model is shown. */
  readonly heldTurnIds: readonly string[];
  /** One after the other, whatever the tools are. */
  readonly inOrder: boolean;
  /** Tokens that one result may take. */
  readonly room: number;
  readonly recoveredFrom?: "text" | "thinking";
}

/** A call with what the model is given for it. */
export interface AnsweredToolCall {
  readonly call: ReadCall;
  /** The tool's own name where it has one, else the name that was called. */
  readonly name: string;
  /** The arguments as they were run, or as they came when they were refused. */
  readonly shown: Json;
  readonly content: string;
  readonly sources: readonly Source[];
  readonly timedOut: boolean;
}

interface PlannedCall {
  readonly call: ReadCall;
  readonly checked?: CheckedCall;
  readonly refused?: Failure;
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
  const planned = calls.map((call, index) => plan(call, index, context.tools));
  const runs = planned.some(({ checked }) => checked !== undefined);
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

function plan(call: ReadCall, index: number, tools: ToolSet): PlannedCall {
  if (index >= MAX_CALLS) {
    const message = `Only ${MAX_CALLS} calls of one message are run. Make this one again if it is still needed.`;
    return { call, refused: failure("bad_input", message) };
  }
  const checked = checkCall(call, tools);
  return checked.ok ? { call, checked: checked.value } : { call, refused: checked.failure };
}

async function answer(planned: PlannedCall, context: CallsContext): Promise<AnsweredToolCall> {
  const { call, checked } = planned;
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
      ...(context.recoveredFrom && { "conclave.recovered_from": context.recoveredFrom }),
    },
  );
  const run = await runPlanned(planned, context);
  const { text, cut } = cutResult(wellFormed(run.content), context.room);
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
  return { call, name, shown, content: text, sources: run.details?.sources ?? [], timedOut: run.timedOut };
}

function runPlanned({ checked, refused }: PlannedCall, context: CallsContext): Promise<ToolRun> {
  if (checked === undefined) {
    const reason = refused ?? failure("internal", "The call was not run.");
    return Promise.resolve({
      content: `[error] ${reason.message}`,
      failure: reason,
      attempts: 0,
      timedOut: false,
    });
  }
  if (context.signal.aborted) {
    return Promise.resolve({ content: "[cancelled]", failure: CANCELLED, attempts: 0, timedOut: false });
  }
  const { sessionId, turnId, agent } = context.emitter.origin;
  const { signal, question, heldTurnIds, timer } = context;
  const told = { signal, sessionId, turnId, agent, question, heldTurnIds };
  return runTool(checked.tool, checked.args, told, timer);
}
