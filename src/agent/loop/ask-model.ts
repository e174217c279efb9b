import { isDeepStrictEqual } from "node:util";
import { noteCount } from "../budget/gauge.ts";
import { CANCELLED, type Failure } from "../failure.ts";
import type { ChatRequest, FinishReason, JsonObject, ModelUsage } from "../models/types.ts";
import type { Runaway, ShownText, StepReader, StepReading } from "../protocol.ts";
import { MOST_CALLS } from "../protocols/runaway.ts";
import { fittingRequest } from "./fitting-request.ts";
import { receive } from "./receive.ts";
import type { Run } from "./types.ts";
import { usageData } from "../usage-data.ts";

/** What one model call came to. */
export interface Asked {
  readonly reading: StepReading;
  readonly finish: FinishReason | "broken";
  readonly failure?: Failure;
}

/** Sends one request and reads its stream into events. Never throws; a cancelled turn gives the failure `cancelled`. */
export async function askModel(run: Run, stepId: string): Promise<Asked> {
  const { deps, input } = run;
  const adapter = deps.adapter(run.protocol);
  const reader = adapter.reader(input.tools, () => newCallId(run), run.stopped !== undefined);
  const unsent = (problem: Failure): Asked => {
    return { reading: reader.finish("broken").reading, finish: "broken", failure: problem };
  };
  const fitted = await fittingRequest(run, adapter, stepId);
  if (!fitted.ok) return unsent(fitted.failure);
  const leave = await deps.gate.enter(deps.signal);
  if (leave === undefined) return unsent(CANCELLED);
  try {
    return await stream(run, stepId, fitted.value, reader);
  } finally {
    leave();
  }
}

function newCallId(run: Run): string {
  return `call_${run.deps.identity.spanId()}`;
}

async function stream(run: Run, stepId: string, request: ChatRequest, reader: StepReader): Promise<Asked> {
  const { deps, input } = run;
  const { emitter, identity } = deps;
  const began = identity.now();
  const envelope = input.model.envelope?.(request);
  const id = emitModelStart(run, stepId, request, envelope);
  const place = { id, parentId: stepId, stepId };
  let thinksSince: number | undefined;
  let thoughtMs: number | undefined;
  const show = (shown: readonly ShownText[]): void => {
    for (const { channel, text } of shown) {
      if (channel === "thinking") thinksSince ??= identity.now();
      else if (thinksSince !== undefined) thoughtMs ??= identity.now() - thinksSince;
      emitter.emit("model.delta", place, { channel, text });
    }
  };
  const takeBack = (): void => {
    if (reader.retract === undefined) return;
    emitter.emit("model.delta", place, { channel: "answer", text: "", retract: true });
    show(reader.retract());
  };

  const received = await receive(run, request, reader, show, takeBack);
  const { shown, reading } = reader.finish(received.finish);
  show(shown);
  countTokens(run, received.usage);
  noteCount(run, stepId, received.usage.inputTokens);
  if (reading.thinking !== "") run.thoughts.push(reading.thinking);
  const { usage } = received;
  emitter.emit("model.end", place, {
    content: reading.answer,
    thinking: reading.thinking,
    tool_calls: reading.message.toolCalls ?? [],
    "gen_ai.response.model": received.model || input.model.name,
    "gen_ai.response.finish_reasons": received.finish === "broken" ? [] : [received.finish],
    "conclave.duration_ms": identity.now() - began,
    ...(usage.firstChunkMs !== undefined && { "gen_ai.response.time_to_first_chunk": usage.firstChunkMs }),
    ...usageData(usage),
    ...(usage.loadMs !== undefined && { "conclave.load_ms": usage.loadMs }),
    ...(usage.promptMs !== undefined && { "conclave.prompt_ms": usage.promptMs }),
    ...(usage.generationMs !== undefined && { "conclave.generation_ms": usage.generationMs }),
    ...(thoughtMs !== undefined && { "conclave.thinking_ms": thoughtMs }),
    ...(reading.recoveredFrom && { "conclave.recovered_from": reading.recoveredFrom }),
    ...(reading.broken !== undefined && { "conclave.broken": reading.broken }),
    ...(received.failure && { error: received.failure }),
    ...(isOther(received.envelope, envelope) && { "conclave.envelope": received.envelope }),
  });
  const { finish, failure: error, runaway } = received;
  if (runaway !== undefined)
    emitter.warn("runaway", runawayWords(input.model.name, runaway), undefined, stepId);
  return error === undefined ? { reading, finish } : { reading, finish, failure: error };
}

function runawayWords(model: string, runaway: Runaway): string {
  switch (runaway) {
    case "too_many_calls":
      return `${model} called more than ${MOST_CALLS} tools in one message, so it was stopped. The first ${MOST_CALLS} calls are run.`;
    case "same_call":
      return `${model} made the same call again in one message, so it was stopped. Each call is run once.`;
    case "repeats":
      return `${model} wrote the same text over and over, so it was stopped.`;
  }
}

/** The server may have told more of the model since the request was made. */
function isOther(sent: JsonObject | undefined, expected: JsonObject | undefined): sent is JsonObject {
  return sent !== undefined && sent !== expected && !isDeepStrictEqual(sent, expected);
}

function emitModelStart(
  run: Run,
  stepId: string,
  request: ChatRequest,
  envelope: JsonObject | undefined,
): string {
  const { input, deps } = run;
  const { think } = request;
  return deps.emitter.emit(
    "model.start",
    { parentId: stepId, stepId },
    {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": input.model.provider,
      "gen_ai.request.model": input.model.name,
      ...(request.temperature !== undefined && { "gen_ai.request.temperature": request.temperature }),
      ...(request.seed !== undefined && { "gen_ai.request.seed": request.seed }),
      "gen_ai.request.max_tokens": request.maxTokens,
      "conclave.context_length": request.runner.contextLength,
      "conclave.think": think === undefined || think === false ? "off" : think === true ? "on" : think,
      "conclave.messages": request.messages,
      ...(request.format && { "conclave.format": request.format }),
      ...(request.tools && { "conclave.tools_sent": request.tools.length }),
      ...(envelope && { "conclave.envelope": envelope }),
    },
  );
}

/** Adds what a call used to the turn's own. */
export function countTokens(run: Run, usage: ModelUsage): void {
  if (usage.inputTokens !== undefined) run.inputTokens = (run.inputTokens ?? 0) + usage.inputTokens;
  if (usage.outputTokens !== undefined) run.outputTokens = (run.outputTokens ?? 0) + usage.outputTokens;
}
