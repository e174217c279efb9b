import { fixedTokens } from "./ask-model.ts";
import { runCalls, type AnsweredToolCall } from "./calls.ts";
import { messageTokens, promptBudget } from "./context.ts";
import { CANCELLED } from "./failure.ts";
import { isJsonObject } from "./json.ts";
import { endLoop } from "./loop-end.ts";
import type { LoopOutcome, Run } from "./loop-types.ts";
import type { AssistantMessage, ChatMessage, Json, ToolCall } from "./models/types.ts";
import type { ReadCall, StepReading } from "./protocol.ts";
import type { ToolSet } from "./tool.ts";

/** Sources that are kept of a turn. */
const MAX_SOURCES = 100;

/** Calls that are taken of one message; more are not even answered. */
const MAX_CALLS = 64;

/** A model that is offered no tools may call some all the same: there are none for it. */
const NO_TOOLS: ToolSet = { schemas: [], find: () => undefined };

/**
 * Runs the calls of a message and adds call and result to the conversation, always together; ends a turn that was
 * cancelled meanwhile.
 */
export async function dispatch(
  run: Run,
  read: StepReading,
  stepId: string,
): Promise<LoopOutcome | undefined> {
  const { deps, input } = run;
  const calls = uniqueCalls(run, read.calls.slice(0, MAX_CALLS));
  const message = { ...read.message, toolCalls: calls.map(sendable) };
  const budget = promptBudget(input.runner.contextLength, input.maxOutputTokens);
  const left = budget - fixedTokens(run) - messageTokens(message);
  const { emitter, identity, timer, signal } = deps;
  const answered = await runCalls(calls, {
    ...{ emitter, identity, timer, signal, stepId, question: input.question },
    tools: run.protocol === "none" ? NO_TOOLS : input.tools,
    inOrder: run.protocol === "react",
    heldTurnIds: input.pastTurnIds.slice(Math.max(0, input.pastTurnIds.length - run.history.length)),
    room: Math.floor(left / 2 / calls.length),
    ...(read.recoveredFrom && { recoveredFrom: read.recoveredFrom }),
  });
  count(run, answered);
  if (signal.aborted) return endLoop(run, "cancelled", read.answer, CANCELLED);
  const results = deps.adapter(run.protocol).results(answered);
  run.own.push(message, ...results);
  run.kept.push(withoutThinking(message), ...results);
  run.steps += 1;
  return undefined;
}

/** Gives a new id to every call whose id is missing or was given out before in this turn. */
function uniqueCalls(run: Run, calls: readonly ReadCall[]): readonly ReadCall[] {
  return calls.map((call) => {
    const taken = call.id === "" || run.callIds.has(call.id);
    const unique = taken ? { ...call, id: `call_${run.deps.identity.spanId()}` } : call;
    run.callIds.add(unique.id);
    return unique;
  });
}

/** A call as it may be sent back: servers fail for ever after on arguments that are no object. */
function sendable({ id, name, arguments: given }: ToolCall): ToolCall {
  return { id, name, arguments: isJsonObject(given) ? given : {} };
}

function withoutThinking({ role, content, toolCalls }: AssistantMessage): ChatMessage {
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
