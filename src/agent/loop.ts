import { askModel, fixedTokens, type Asked } from "./ask-model.ts";
import { runCalls, type AnsweredToolCall } from "./calls.ts";
import { messageTokens, promptBudget } from "./context.ts";
import type { Outcome } from "./events.ts";
import { CANCELLED, failure, type Failure } from "./failure.ts";
import type { LoopDeps, LoopInput, LoopOutcome, Run } from "./loop-types.ts";
import type { ChatMessage, Json, ToolCall } from "./models/types.ts";
import type { StepReading } from "./protocol.ts";
import { fallBack, lessThinking, recover } from "./recover.ts";
import { isObject } from "./mend.ts";
import { wellFormed } from "./text.ts";

/** Corrections of unusable output in one turn, before another protocol is tried. */
const MAX_CORRECTIONS = 2;

/** Sources that are kept of a turn. */
const MAX_SOURCES = 100;

const ASK_AGAIN = "Your last message held no answer. Answer the question now, in words.";

/**
 * Runs the tool loop: request, stream, calls, results, and again, until there is an answer. When a stop condition
 * holds the model is asked once more without tools, so that there is an answer all the same. Never throws for what
 * models, tools or servers do; those failures are in the outcome, with what was streamed until then.
 */
export async function runLoop(input: LoopInput, deps: LoopDeps): Promise<LoopOutcome> {
  const run = begin(input, deps);
  if (run.protocol === "none") run.recalled = await deps.recall();
  for (;;) {
    const { steps, repeats } = run;
    const tokens = (run.inputTokens ?? 0) + (run.outputTokens ?? 0);
    const reason = input.stop({ steps, repeats, tokens, signal: deps.signal });
    if (reason?.code === "cancelled") return end(run, "cancelled", "", CANCELLED);
    if (reason !== undefined && run.stopped === undefined) {
      run.stopped = reason;
      deps.emitter.warn(reason.code, reason.message, reason.detail);
    }
    const outcome = await runStep(run);
    if (outcome !== undefined) return outcome;
  }
}

function begin(input: LoopInput, deps: LoopDeps): Run {
  return {
    input,
    deps,
    protocol: input.protocol,
    think: input.think,
    history: input.prompt.history,
    recalled: undefined,
    own: [],
    kept: [],
    answered: [],
    sources: new Map(),
    thoughts: [],
    callIds: new Set(),
    repeats: new Map(),
    inputTokens: undefined,
    outputTokens: undefined,
    index: 0,
    steps: 0,
    stopped: undefined,
    met: { empty: 0, broken: 0, unparsable: 0, overflow: 0 },
  };
}

/** One step; gives the outcome of the turn when this was its last. */
async function runStep(run: Run): Promise<LoopOutcome | undefined> {
  const { emitter, identity } = run.deps;
  run.index += 1;
  const { index } = run;
  const stepId = identity.spanId();
  const place = { id: stepId, parentId: emitter.agentId, stepId };
  emitter.emit("step.start", place, {
    index,
    "conclave.protocol": run.protocol,
    "conclave.last_step": run.stopped !== undefined,
  });
  const outcome = await settle(run, await askModel(run, stepId), stepId);
  emitter.emit("step.end", place, { index });
  return outcome;
}

async function settle(run: Run, asked: Asked, stepId: string): Promise<LoopOutcome | undefined> {
  const { reading } = asked;
  if (asked.failure !== undefined) return afterFailure(run, asked.failure, reading, stepId);
  if (reading.calls.length > 0 && run.stopped === undefined) return dispatch(run, reading, stepId);
  if (reading.broken !== undefined) return correct(run, reading, reading.broken, stepId);
  if (reading.answer.trim() === "") return askAgain(run, asked, stepId);
  if (asked.finish === "length") {
    const limit = run.input.maxOutputTokens;
    const message = `The answer was cut at the limit of output tokens (${limit}) or at the end of the context.`;
    run.deps.emitter.warn("answer_cut", message, { limit }, stepId);
  }
  return end(run, "answered", reading.answer);
}

async function afterFailure(
  run: Run,
  problem: Failure,
  reading: StepReading,
  stepId: string,
): Promise<LoopOutcome | undefined> {
  if (problem.code === "cancelled") return end(run, "cancelled", reading.answer, CANCELLED);
  const final = await recover(run, problem, stepId);
  if (final !== undefined) return end(run, "failed", reading.answer, final);
  // The same step again: a request that the server refused is not a step of the model.
  run.index -= 1;
  return undefined;
}

/** Runs the calls of a message and adds call and result to the conversation, always together. */
async function dispatch(run: Run, read: StepReading, stepId: string): Promise<LoopOutcome | undefined> {
  const { deps, input } = run;
  const calls = uniqueCalls(run, read.calls);
  const message: ChatMessage = {
    role: "assistant",
    content: read.answer,
    ...(read.thinking !== "" && { thinking: read.thinking }),
    toolCalls: calls.map(sendable),
  };
  const budget = promptBudget(input.runner.contextLength, input.maxOutputTokens);
  const left = budget - fixedTokens(run) - messageTokens(message);
  const answered = await runCalls(calls, {
    ...{ tools: input.tools, emitter: deps.emitter, identity: deps.identity, timer: deps.timer },
    ...{ signal: deps.signal, stepId, question: input.question, inOrder: run.protocol === "react" },
    room: Math.floor(left / 2 / calls.length),
    ...(read.recoveredFrom && { recoveredFrom: read.recoveredFrom }),
  });
  count(run, answered);
  if (deps.signal.aborted) return end(run, "cancelled", read.answer, CANCELLED);
  const results = deps.adapter(run.protocol).results(answered);
  run.own.push(message, ...results);
  run.kept.push(withoutThinking(message), ...results);
  run.steps += 1;
  return undefined;
}

/** Gives a new id to every call whose id is missing or was given out before in this turn. */
function uniqueCalls(run: Run, calls: readonly ToolCall[]): readonly ToolCall[] {
  return calls.map((call) => {
    const taken = call.id === "" || run.callIds.has(call.id);
    const unique = taken ? { ...call, id: `call_${run.deps.identity.spanId()}` } : call;
    run.callIds.add(unique.id);
    return unique;
  });
}

/** A call as it may be sent back: servers fail for ever after on arguments that are no object. */
function sendable(call: ToolCall): ToolCall {
  return isObject(call.arguments) ? call : { ...call, arguments: {} };
}

function withoutThinking(message: ChatMessage): ChatMessage {
  if (message.role !== "assistant" || message.thinking === undefined) return message;
  const { role, content, toolCalls } = message;
  return { role, content, ...(toolCalls && { toolCalls }) };
}

function count(run: Run, answered: readonly AnsweredToolCall[]): void {
  const made = new Set<string>();
  for (const { name, shown, content, sources } of answered) {
    run.answered.push({ name, arguments: shown, result: content });
    made.add(`${name} ${JSON.stringify(sorted(shown))}`);
    for (const source of sources) {
      if (run.sources.size < MAX_SOURCES && !run.sources.has(source.uri)) run.sources.set(source.uri, source);
    }
  }
  for (const call of made) run.repeats.set(call, (run.repeats.get(call) ?? 0) + 1);
}

/** The same value with the fields of its objects in one order, so that equal calls look equal. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

/** Tells the model that its output can't be used; after some tries the next protocol gets its chance. */
async function correct(
  run: Run,
  reading: StepReading,
  broken: string,
  stepId: string,
): Promise<LoopOutcome | undefined> {
  const { emitter, adapter } = run.deps;
  run.met.broken += 1;
  run.steps += 1;
  emitter.warn(
    "format_broken",
    `The output of ${run.input.model.name} could not be read: ${broken}`,
    undefined,
    stepId,
  );
  if (run.met.broken <= MAX_CORRECTIONS) {
    if (reading.message.content !== "") run.own.push(withoutCalls(reading));
    run.own.push(...adapter(run.protocol).correction(broken));
    return undefined;
  }
  if (reading.answer.trim() !== "") return end(run, "answered", reading.answer);
  if (await fallBack(run, broken, stepId, false)) return undefined;
  const message = `${run.input.model.name} gave output that can't be read, three times. Try another model.`;
  return end(
    run,
    "failed",
    "",
    failure("invalid_format", message, { action: "select_model", cause: broken }),
  );
}

function withoutCalls({ message }: StepReading): ChatMessage {
  return { role: "assistant", content: message.content };
}

/** An empty answer: asks once more, with less thinking, then gives up in clear words. */
function askAgain(run: Run, asked: Asked, stepId: string): LoopOutcome | undefined {
  const { emitter, adapter } = run.deps;
  run.met.empty += 1;
  if (run.met.empty > 1) return end(run, "failed", "", emptyAnswer(run, asked));
  const { name } = run.input.model;
  emitter.warn("retried", `${name} ended without an answer. It is asked once more.`, undefined, stepId);
  run.own.push(...adapter(run.protocol).correction(ASK_AGAIN));
  if (asked.reading.thinking !== "") run.think = lessThinking(run.think);
  return undefined;
}

function emptyAnswer(run: Run, { reading, finish }: Asked): Failure {
  const { model, maxOutputTokens } = run.input;
  if (run.stopped !== undefined && reading.calls.length > 0) {
    const wanted = reading.calls.map((call) => call.name).join(", ");
    const message = `${model.name} gave no answer and asked for ${wanted} again. ${run.stopped.message}`;
    return failure("empty_answer", message, { action: "retry" });
  }
  if (finish === "length") {
    const message = `${model.name} used up its ${maxOutputTokens} output tokens without an answer. Turn thinking off or raise the limit.`;
    return failure("empty_answer", message, { action: "open_settings" });
  }
  const how = reading.thinking === "" ? "gave an empty answer" : "thought but gave no answer";
  return failure("empty_answer", `${model.name} ${how}, twice. Ask again, or try another model.`, {
    action: "retry",
  });
}

function end(run: Run, outcome: Outcome, answer: string, error?: Failure): LoopOutcome {
  const text = wellFormed(answer);
  const messages =
    text.trim() === "" ? run.kept : [...run.kept, { role: "assistant" as const, content: text }];
  return {
    outcome,
    answer: text,
    thinking: wellFormed(run.thoughts.join("\n\n")),
    calls: run.answered,
    messages,
    sources: [...run.sources.values()],
    usage: {
      ...(run.inputTokens !== undefined && { inputTokens: run.inputTokens }),
      ...(run.outputTokens !== undefined && { outputTokens: run.outputTokens }),
    },
    steps: run.index,
    ...(error && { error }),
  };
}
