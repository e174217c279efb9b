import { promptBudget } from "./context.ts";
import { splitTurns, validHistory } from "./conversation.ts";
import { createEmitter, type Emitter } from "./emitter.ts";
import type { AskRequest } from "./engine-port.ts";
import type { EventSink, Outcome, ToolProtocol } from "./events.ts";
import { CANCELLED, describeError, failed, failure, success, type Failure, type Result } from "./failure.ts";
import type { Gate } from "./gate.ts";
import type { Identity } from "./ids.ts";
import { runLoop } from "./loop.ts";
import type { LoopInput, LoopOutcome } from "./loop-types.ts";
import type { MemoryPort } from "./memory-port.ts";
import type { ModelLessons } from "./model-lessons.ts";
import { contextLengthFor } from "./models/capabilities.ts";
import type { ChatMessage, ChatModel, ModelInfo } from "./models/types.ts";
import { questionMessage, systemMessage, type Prompt } from "./prompt.ts";
import type { ProtocolAdapter } from "./protocol.ts";
import { recall } from "./recall.ts";
import { chooseProtocol } from "./select-tools.ts";
import { parentOf, sentTurns, type Conversation, type HistoryCut } from "./sessions.ts";
import type { EngineSettings } from "./settings.ts";
import { cancelled, firstOf, maxSteps, repeatedCall, tokenBudget } from "./stop-conditions.ts";
import { wellFormed } from "./text.ts";
import { raceAbort, type Timer } from "./timer.ts";
import type { ToolSet } from "./tool.ts";

/** Steps in which the same call may be made before the model is asked to answer. */
const MAX_REPEATS = 3;

/** The respondent of a turn that has only one. */
const RESPONDENT = "A";

/** What one turn works on. */
export interface TurnInput {
  readonly request: AskRequest;
  readonly sessionId: string;
  readonly turnId: string;
  /** What went before. */
  readonly conversation: Conversation;
  readonly settings: EngineSettings;
  readonly tools: ToolSet;
}

/** What one turn works with. */
export interface TurnDeps {
  readonly model: (name: string) => ChatModel | Failure;
  readonly memory: MemoryPort | undefined;
  readonly identity: Identity;
  readonly timer: Timer;
  readonly signal: AbortSignal;
  readonly sink: EventSink;
  readonly gate: Gate;
  readonly lessons: ModelLessons;
  readonly adapter: (protocol: ToolProtocol) => ProtocolAdapter;
  /** Hears which turns no longer fitted, so that later turns begin where this one did. Must not throw. */
  readonly onCut: (cut: HistoryCut) => void;
}

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
    const prepared = await prepare(input, deps, emitter);
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
    const contextLength = loop.runner.contextLength;
    const sent = sentTurns(input.conversation, contextLength);
    const held = sent.map((turn) => turn.turnId);
    const outcome = await runLoop(loop, {
      ...{ emitter, identity, signal, timer, adapter, gate },
      recall: () => recall(loop.question, held, { memory, emitter, signal, timer }),
      learn: (lesson) => lessons.add(loop.model.name, info?.capabilities, lesson),
    });
    const left = outcome.history;
    if (left < sent.length) {
      deps.onCut({ from: sent[sent.length - left]?.turnId ?? input.turnId, contextLength });
    }
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

interface Prepared {
  readonly loop: LoopInput;
  readonly info: ModelInfo | undefined;
}

async function prepare(input: TurnInput, deps: TurnDeps, emitter: Emitter): Promise<Result<Prepared>> {
  const { request, settings, tools } = input;
  const model = findModel(request.options?.model ?? settings.model, deps);
  if (!model.ok) return model;
  const described = await describe(model.value, deps.signal);
  if (!described.ok) return described;
  const info = described.value;
  const lesson = deps.lessons.of(model.value.name, info?.capabilities);
  const contextLength = contextLengthFor(settings.contextLength, info);
  warnReload(model.value.name, contextLength, deps, emitter);
  const maxOutputTokens = Math.min(settings.maxOutputTokens, contextLength);
  const canThink = lesson.think !== false && (info === undefined || info.capabilities.includes("thinking"));
  const temperature = request.options?.temperature ?? settings.temperature;
  const loop: LoopInput = {
    model: model.value,
    tools,
    protocol: chooseProtocol(settings.toolProtocol, info?.capabilities, lesson, tools),
    prompt: makePrompt(input, contextLength, maxOutputTokens, emitter),
    question: request.question,
    runner: { contextLength, keepAlive: settings.keepAlive },
    maxOutputTokens,
    ...(canThink && { think: request.options?.think ?? settings.think }),
    ...(temperature !== undefined && { temperature }),
    ...(request.options?.seed !== undefined && { seed: request.options.seed }),
    stop: firstOf(
      cancelled,
      maxSteps(settings.maxSteps),
      repeatedCall(MAX_REPEATS),
      tokenBudget(settings.tokenBudget),
    ),
  };
  return success({ loop, info });
}

function warnUnread({ problem }: Conversation, emitter: Emitter): void {
  if (problem === undefined || problem.code === "cancelled") return;
  const what = "Earlier turns of this session could not be read, so the answer does without them.";
  emitter.warn("context_cut", `${what} ${problem.message}`);
}

/** Servers load a model anew for another context length, which takes its time: it is said. */
function warnReload(model: string, contextLength: number, { lessons }: TurnDeps, emitter: Emitter): void {
  const before = lessons.contextLength(model, contextLength);
  if (before === undefined || before === contextLength) return;
  const message = `The context of ${model} is now ${contextLength} tokens (${before} before), so it is loaded anew.`;
  emitter.warn("context_changed", message, { from: before, to: contextLength });
}

function findModel(name: string, deps: TurnDeps): Result<ChatModel> {
  if (name.trim() === "") {
    return failed("no_model", "No chat model is chosen yet. Select one.", { action: "select_model" });
  }
  const found = deps.model(name);
  return "code" in found ? { ok: false, failure: found } : success(found);
}

/** Failures that the chat itself would meet too; with any other one the chat may still work. */
const FINAL: ReadonlySet<Failure["code"]> = new Set([
  "cancelled",
  "model_missing",
  "no_model",
  "server_unreachable",
  "timeout",
  "unauthorized",
]);

/** What is known of the model; nothing when the server can't say and the chat is worth a try all the same. */
async function describe(model: ChatModel, signal: AbortSignal): Promise<Result<ModelInfo | undefined>> {
  const raced = await raceAbort(signal, () => model.describe(signal));
  if (raced.kind === "aborted") return { ok: false, failure: CANCELLED };
  if (raced.kind === "thrown") return success(undefined);
  const described = raced.value;
  return described.ok || FINAL.has(described.failure.code) ? described : success(undefined);
}

function makePrompt(
  { request, settings, conversation }: TurnInput,
  contextLength: number,
  maxOutputTokens: number,
  emitter: Emitter,
): Prompt {
  const budget = promptBudget(contextLength, maxOutputTokens);
  const { message, cut } = questionMessage(request.question, request.references ?? [], budget);
  if (cut !== undefined) {
    const text = `Of the attached texts ${cut.given} of ${cut.of} characters were given to the model, for want of room.`;
    emitter.warn("references_cut", text, { given: cut.given, of: cut.of });
  }
  const earlier = splitTurns(validHistory(request.history ?? []));
  const own = sentTurns(conversation, contextLength).map((turn) => turn.messages);
  return { system: systemMessage(settings.systemPrompt), history: [...earlier, ...own], question: message };
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
