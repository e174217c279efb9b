import { isDeepStrictEqual } from "node:util";
import { doesNotFit, fit, promptLimit } from "./budget/fit.ts";
import { emitBudget, noteCount, requestTokens } from "./budget/gauge.ts";
import { CANCELLED, describeError, failure, success, type Failure, type Result } from "./failure.ts";
import type { Run } from "./loop-types.ts";
import type {
  ChatChunk,
  ChatMessage,
  ChatRequest,
  FinishReason,
  JsonObject,
  ModelUsage,
} from "./models/types.ts";
import type { ProtocolAdapter, ShownText, StepReader, StepReading } from "./protocol.ts";

/** Text (UTF-16 units) that is taken of one call: far more than any limit of tokens allows, for servers that heed none. */
const MAX_OUTPUT = 2 * 1024 * 1024;

/** Times that a request is made smaller before it counts as one that can't be. */
const MAX_FITTINGS = 4;

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

/** The next request, small enough for the context; what had to go for it is told. */
async function fittingRequest(
  run: Run,
  adapter: ProtocolAdapter,
  stepId: string,
): Promise<Result<ChatRequest>> {
  let excess = 0;
  for (let tries = 0; tries < MAX_FITTINGS; tries += 1) {
    const problem = await fit(run, stepId, excess);
    if (run.deps.signal.aborted) return { ok: false, failure: CANCELLED };
    if (problem !== undefined) return { ok: false, failure: problem };
    const request = prepare(run, adapter);
    run.estimate = requestTokens(request);
    const over = run.estimate - promptLimit(run);
    if (over <= 0) {
      emitBudget(run, stepId);
      return success(request);
    }
    // A protocol's own words, which are not known before it has put them.
    excess += over;
  }
  return { ok: false, failure: doesNotFit(run) };
}

function prepare(run: Run, adapter: ProtocolAdapter): ChatRequest {
  const { input } = run;
  const step = adapter.prepare(conversation(run), input.tools, run.stopped !== undefined);
  return {
    messages: step.messages,
    maxTokens: input.maxOutputTokens,
    runner: input.runner,
    ...(step.tools && { tools: step.tools }),
    ...(step.format ? { format: step.format } : !step.tools && input.format && { format: input.format }),
    ...(step.stop && { stop: step.stop }),
    ...(run.think !== undefined && { think: run.think }),
    ...(input.temperature !== undefined && { temperature: input.temperature }),
    ...(input.seed !== undefined && { seed: input.seed }),
  };
}

/** The messages of the next request. */
function conversation(run: Run): readonly ChatMessage[] {
  const { prompt, context } = run.input;
  const recalled = run.recalled === undefined ? [] : [run.recalled];
  return [prompt.system, ...context.past.messages(), ...recalled, prompt.question, ...run.own];
}

interface Received {
  finish: FinishReason | "broken";
  model: string;
  usage: ModelUsage;
  failure: Failure | undefined;
  envelope: JsonObject | undefined;
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
    ...(usage.inputTokens !== undefined && { "gen_ai.usage.input_tokens": usage.inputTokens }),
    ...(usage.outputTokens !== undefined && { "gen_ai.usage.output_tokens": usage.outputTokens }),
    ...(usage.loadMs !== undefined && { "conclave.load_ms": usage.loadMs }),
    ...(usage.promptMs !== undefined && { "conclave.prompt_ms": usage.promptMs }),
    ...(usage.generationMs !== undefined && { "conclave.generation_ms": usage.generationMs }),
    ...(thoughtMs !== undefined && { "conclave.thinking_ms": thoughtMs }),
    ...(reading.recoveredFrom && { "conclave.recovered_from": reading.recoveredFrom }),
    ...(reading.broken !== undefined && { "conclave.broken": reading.broken }),
    ...(received.failure && { error: received.failure }),
    ...(isOther(received.envelope, envelope) && { "conclave.envelope": received.envelope }),
  });
  const { finish, failure: error } = received;
  return error === undefined ? { reading, finish } : { reading, finish, failure: error };
}

async function receive(
  run: Run,
  request: ChatRequest,
  reader: StepReader,
  show: (shown: readonly ShownText[]) => void,
  takeBack: () => void,
): Promise<Received> {
  const { signal } = run.deps;
  const received: Received = {
    ...{ finish: "broken", model: "", usage: {} },
    ...{ failure: undefined, envelope: undefined },
  };
  let ended = false;
  let size = 0;
  try {
    for await (const chunk of run.input.model.chat(request, signal)) {
      size += sizeOf(chunk);
      if (size > MAX_OUTPUT) {
        ended = true;
        received.finish = "length";
      } else if (chunk.type === "content") show(reader.content(chunk.text));
      else if (chunk.type === "thinking") show(reader.thinking(chunk.text));
      else if (chunk.type === "tool_calls") show(reader.calls(chunk.calls));
      else if (chunk.type === "retract") takeBack();
      else {
        ended = true;
        finish(received, chunk);
      }
      if (ended) break;
    }
  } catch (error) {
    received.failure = failure("internal", "The model's client broke down.", { cause: describeError(error) });
    ended = true;
  }
  if (!ended) received.failure = failure("stream_broken", "The model's answer broke off before its end.");
  if (signal.aborted && received.failure !== undefined) received.failure = CANCELLED;
  return received;
}

function sizeOf(chunk: ChatChunk): number {
  if (chunk.type === "tool_calls") return JSON.stringify(chunk.calls).length;
  return "text" in chunk ? chunk.text.length : 0;
}

function finish(received: Received, chunk: Extract<ChatChunk, { type: "end" | "failure" }>): void {
  received.usage = chunk.usage;
  received.envelope = chunk.envelope;
  if (chunk.type === "failure") {
    received.failure = chunk.failure;
  } else {
    received.finish = chunk.finishReason;
    received.model = chunk.model;
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

function countTokens(run: Run, usage: ModelUsage): void {
  if (usage.inputTokens !== undefined) run.inputTokens = (run.inputTokens ?? 0) + usage.inputTokens;
  if (usage.outputTokens !== undefined) run.outputTokens = (run.outputTokens ?? 0) + usage.outputTokens;
}
