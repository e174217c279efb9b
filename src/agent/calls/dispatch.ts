import { fixedTokens, promptLimit } from "../budget/fit.ts";
import { callKey } from "../budget/repeats.ts";
import { runCalls } from "./run-calls.ts";
import type { AnsweredToolCall, CallsContext } from "./types.ts";
import { messageTokens } from "../context.ts";
import { CANCELLED } from "../failure.ts";
import { isJsonObject } from "../json.ts";
import { endLoop } from "../loop/end.ts";
import type { LoopOutcome, Run, TurnUsage } from "../loop/types.ts";
import { distinctCalls, MOST_CALLS } from "../protocols/runaway.ts";
import type { AssistantMessage, ChatMessage, ToolCall } from "../models/types.ts";
import type { ReadCall, StepReading } from "../protocol.ts";
import { NO_TOOLS } from "../tool.ts";

/** Sources that are kept of a turn. */
const MAX_SOURCES = 100;

/**
 * Runs the calls of a message and adds call and result to the conversation, always together; ends a turn that was
 * cancelled meanwhile.
 */
export async function dispatch(
  run: Run,
  read: StepReading,
  stepId: string,
): Promise<LoopOutcome | undefined> {
  const { deps } = run;
  const calls = uniqueCalls(run, distinctCalls(read.calls).slice(0, MOST_CALLS));
  const message = { ...read.message, toolCalls: calls.map(sendable) };
  const answered = await runCalls(calls, {
    ...callsContext(run, message, stepId),
    ...(read.recoveredFrom && { recoveredFrom: read.recoveredFrom }),
  });
  noteAnswered(run, answered);
  if (deps.signal.aborted) return endLoop(run, "cancelled", read.answer, CANCELLED);
  const results = deps.adapter(run.protocol).results(answered);
  run.own.push(message, ...results);
  run.kept.push(withoutThinking(message), ...results);
  run.steps += 1;
  if (run.input.callsOnce === true) run.protocol = "none";
  const said = run.input.endsWithResult === true ? wholeAnswer(answered) : undefined;
  return said === undefined ? undefined : endLoop(run, "answered", said);
}

/** What the results of a message say to the user, where each of them says all. */
function wholeAnswer(answered: readonly AnsweredToolCall[]): string | undefined {
  const said = answered.map(({ answer }) => answer);
  return said.every((one) => one !== undefined) ? said.join("\n\n") : undefined;
}

/** What the calls of a message are run with. */
export function callsContext(run: Run, message: AssistantMessage, stepId: string): CallsContext {
  const { deps, input } = run;
  const { emitter, identity, timer, signal, delegate } = deps;
  const left = promptLimit(run) - fixedTokens(run) - messageTokens(message);
  return {
    ...{ emitter, identity, timer, signal, stepId, question: input.question },
    // A model that is offered no tools may call some all the same: there are none for it.
    tools: run.protocol === "none" ? NO_TOOLS : input.tools,
    inOrder: run.protocol === "react",
    given: run.given,
    heldTurnIds: input.context.past.turnIds,
    room: Math.floor(left / 2 / Math.max(1, message.toolCalls?.length ?? 1)),
    ...(run.playing && { tapes: run.playing.tapes }),
    ...(delegate && {
      delegate: async (request, eventId, tape) => {
        const { outcome, usage } = await delegate(request, eventId, tape);
        countUsage(run, usage);
        return outcome;
      },
    }),
  };
}

/** What a delegate used counts as the use of who asked it. */
function countUsage(run: Run, { inputTokens, outputTokens }: TurnUsage): void {
  if (inputTokens !== undefined) run.inputTokens = (run.inputTokens ?? 0) + inputTokens;
  if (outputTokens !== undefined) run.outputTokens = (run.outputTokens ?? 0) + outputTokens;
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

/** Notes calls that ran: what they gave, the sources behind it, and how often each was made. */
export function noteAnswered(run: Run, answered: readonly AnsweredToolCall[]): void {
  const made = new Set<string>();
  for (const { name, shown, content, sources, failure } of answered) {
    if (failure === undefined) run.ran += 1;
    run.answered.push({ name, arguments: shown, result: content });
    made.add(callKey(name, shown));
    for (const source of sources) {
      if (run.sources.size < MAX_SOURCES && !run.sources.has(source.uri)) run.sources.set(source.uri, source);
    }
  }
  for (const call of made) run.repeats.set(call, (run.repeats.get(call) ?? 0) + 1);
}
