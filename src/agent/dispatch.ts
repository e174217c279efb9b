import { fixedTokens } from "./ask-model.ts";
import { runCalls, type AnsweredToolCall } from "./calls.ts";
import { messageTokens, promptBudget } from "./context.ts";
import { CANCELLED } from "./failure.ts";
import { endLoop } from "./loop-end.ts";
import type { LoopOutcome, Run } from "./loop-types.ts";
import { isJsonObject } from "./json.ts";
import type { ChatMessage, Json, ToolCall } from "./models/types.ts";
import type { StepReading } from "./protocol.ts";
import { wellFormed } from "./text.ts";

/** Sources that are kept of a turn. */
const MAX_SOURCES = 100;

/** Runs the calls of a message and adds call and result to the conversation, always together; ends a turn that was cancelled meanwhile. */
export async function dispatch(
  run: Run,
  read: StepReading,
  stepId: string,
): Promise<LoopOutcome | undefined> {
  const { deps, input } = run;
  const calls = uniqueCalls(run, read.calls);
  const message: ChatMessage = {
    role: "assistant",
    content: wellFormed(read.answer),
    ...(read.thinking !== "" && { thinking: wellFormed(read.thinking) }),
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
  if (deps.signal.aborted) return endLoop(run, "cancelled", read.answer, CANCELLED);
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
  return isJsonObject(call.arguments) ? call : { ...call, arguments: {} };
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
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}
