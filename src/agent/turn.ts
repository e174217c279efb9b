import { createEmitter, type Emitter } from "./emitter.ts";
import type { Outcome } from "./events.ts";
import { CANCELLED, describeError, failure, type Failure } from "./failure.ts";
import { runLoop } from "./loop.ts";
import type { LoopInput, LoopOutcome } from "./loop-types.ts";
import type { ChatMessage } from "./models/types.ts";
import { prepareTurn } from "./prepare-turn.ts";
import { recall } from "./recall.ts";
import { parentOf, type Conversation } from "./sessions.ts";
import { wellFormed } from "./text.ts";
import type { TurnDeps, TurnInput } from "./turn-types.ts";

/** The respondent of a turn that has only one. */
const RESPONDENT = "A";

/** How a turn ended. */
export interface TurnOutcome {
  readonly outcome: Outcome;
  readonly answer: string;
  readonly error?: Failure;
}

/**
 * Runs one turn from `turn.start` to `turn.end`. Never throws: it always ends with an answer or with a failure in
 * words, and keeps what was streamed.
 */
export async function runTurn(input: TurnInput, deps: TurnDeps): Promise<TurnOutcome> {
  const { request, sessionId, turnId, settings } = input;
  const { identity } = deps;
  const origin = { sessionId, turnId, agent: settings.agent, respondent: RESPONDENT };
  const emitter = createEmitter(origin, identity, deps.sink);
  const began = identity.now();
  emitter.emit(
    "turn.start",
    { id: turnId, parentId: null },
    {
      "gen_ai.conversation.id": sessionId,
      "conclave.parent_turn_id": parentOf(input.conversation),
      "conclave.door": request.door,
      ...(request.private === true && { "conclave.private": true as const }),
    },
  );
  emitter.emit(
    "query.received",
    { parentId: turnId },
    {
      query: request.question,
      ...(request.references && request.references.length > 0 && { references: request.references }),
    },
  );
  const model = request.options?.model ?? settings.model;
  emitter.emit(
    "agent.start",
    { id: emitter.agentId, parentId: turnId },
    {
      "gen_ai.agent.name": settings.agent,
      "gen_ai.request.model": model,
    },
  );
  const work: Work = { question: { role: "user", content: wellFormed(request.question) } };
  const outcome = await answer(input, deps, emitter, work);
  finish(input, emitter, outcome, work.question, identity.now() - began);
  return { outcome: outcome.outcome, answer: outcome.answer, ...(outcome.error && { error: outcome.error }) };
}

/** What is known of the turn on its way. */
interface Work {
  /** The question as it is sent; the conversation goes on with it. */
  question: ChatMessage;
}

async function answer(input: TurnInput, deps: TurnDeps, emitter: Emitter, work: Work): Promise<LoopOutcome> {
  try {
    emitter.fire("receive_query");
    warnUnread(input.conversation, emitter);
    const prepared = await prepareTurn(input, deps, emitter);
    if (!prepared.ok) return unanswered(deps.signal.aborted ? CANCELLED : prepared.failure);
    const { loop, info } = prepared.value;
    work.question = loop.prompt.question;
    emitter.emit(
      "tool.schema",
      { parentId: emitter.agentId },
      {
        tools: loop.tools.schemas,
        "conclave.protocol": loop.protocol,
      },
    );
    emitter.fire("start_generation");
    const { identity, signal, timer, adapter, gate, lessons, memory } = deps;
    const { settings } = input;
    const recalling = { memory, settings, emitter, signal, timer, now: () => identity.now() };
    const outcome = await runLoop(loop, {
      ...{ emitter, identity, signal, timer, adapter, gate },
      recall: (protocol) => recall(loop.question, loop.pastTurnIds, protocol, recalling),
      learn: (lesson) => lessons.add(loop.model.name, info?.capabilities, lesson),
    });
    noteCut(loop, outcome, input.turnId, deps);
    return outcome;
  } catch (error) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : describeError(error);
    return unanswered(
      failure("internal", "Something broke inside Conclave; the trace has the details.", { cause }),
    );
  }
}

function unanswered(error: Failure): LoopOutcome {
  const outcome = error.code === "cancelled" ? "cancelled" : "failed";
  return {
    outcome,
    answer: "",
    thinking: "",
    calls: [],
    messages: [],
    sources: [],
    usage: {},
    steps: 0,
    history: 0,
    error,
  };
}

/** Later turns begin where this one did, so that the server's cached prompt holds. */
function noteCut(
  { pastTurnIds, runner }: LoopInput,
  { history }: LoopOutcome,
  turnId: string,
  deps: TurnDeps,
): void {
  if (history >= pastTurnIds.length) return;
  const from = pastTurnIds[pastTurnIds.length - history] ?? turnId;
  deps.onCut({ from, contextLength: runner.contextLength });
}

function warnUnread({ problem }: Conversation, emitter: Emitter): void {
  if (problem === undefined || problem.code === "cancelled") return;
  const what = "Earlier turns of this session could not be read, so the answer does without them.";
  emitter.warn("context_cut", `${what} ${problem.message}`);
}

function finish(
  input: TurnInput,
  emitter: Emitter,
  loop: LoopOutcome,
  question: ChatMessage,
  durationMs: number,
): void {
  const { turnId, request } = input;
  const { outcome, answer, thinking, calls, usage, error, sources } = loop;
  const answered = outcome === "answered";
  emitter.fire(answered ? "finish" : "fail");
  const agent = { id: emitter.agentId, parentId: turnId };
  emitter.emit("response.generation", { parentId: emitter.agentId }, { answer, thinking, tool_calls: calls });
  if (answered) emitter.fire("finish");
  const ended = {
    outcome,
    ...(usage.inputTokens !== undefined && { "gen_ai.usage.input_tokens": usage.inputTokens }),
    ...(usage.outputTokens !== undefined && { "gen_ai.usage.output_tokens": usage.outputTokens }),
    "conclave.duration_ms": durationMs,
    ...(error && { error }),
  };
  emitter.emit("agent.end", agent, ended);
  if (answered) {
    emitter.emit(
      "answer.dialog",
      { parentId: turnId },
      {
        query: request.question,
        answer,
        ...(sources.length > 0 && { "conclave.sources": sources }),
      },
    );
  }
  emitter.emit(
    "turn.end",
    { id: turnId, parentId: null },
    {
      ...ended,
      "conclave.steps": loop.steps,
      "conclave.messages": conversationAdds(question, loop),
    },
  );
}

/** What later turns are given of this one. A turn without an answer says so, so that the roles still take turns. */
function conversationAdds(question: ChatMessage, { messages, error }: LoopOutcome): readonly ChatMessage[] {
  const adds = [question, ...messages];
  const last = adds.at(-1);
  if (last?.role === "assistant" && last.toolCalls === undefined) return adds;
  const reason = error?.code === "cancelled" ? "it was cancelled" : "it failed";
  return [...adds, { role: "assistant", content: `[No answer was given in this turn: ${reason}.]` }];
}
