import { promptBudget } from "./context.ts";
import { splitTurns, validHistory } from "./conversation.ts";
import type { Emitter } from "./emitter.ts";
import { CANCELLED, failed, success, type Failure, type Result } from "./failure.ts";
import type { PastTurn } from "./history-port.ts";
import type { LoopInput } from "./loop-types.ts";
import { contextLengthFor } from "./models/capabilities.ts";
import type { ChatMessage, ChatModel, ModelInfo } from "./models/types.ts";
import { questionMessage, systemMessage, withTail, type Prompt } from "./prompt.ts";
import { chooseProtocol } from "./select-tools.ts";
import { sentTurns } from "./sessions.ts";
import type { EngineSettings } from "./settings.ts";
import {
  cancelled,
  firstOf,
  maxSteps,
  repeatedCall,
  tokenBudget,
  type StopCondition,
} from "./stop-conditions.ts";
import { raceAbort } from "./timer.ts";
import type { AgentJob, TurnDeps, TurnInput } from "./turn-types.ts";

/** Steps in which the same call may be made before the model is asked to answer. */
const MAX_REPEATS = 3;

/** What an agent begins with once its model is known. */
export interface Prepared {
  readonly loop: LoopInput;
  readonly info: ModelInfo | undefined;
  /** The question as the conversation goes on with it: without what stands behind it for this agent alone. */
  readonly question: ChatMessage;
}

/**
 * Finds an agent's model, asks what it can do, and makes prompt, protocol and limits to match. Never throws; fails
 * with what the chat itself would fail with.
 */
export async function prepareAgent(
  job: AgentJob,
  input: TurnInput,
  deps: TurnDeps,
  emitter: Emitter,
): Promise<Result<Prepared>> {
  const { request, settings } = input;
  const model = findModel(modelOf(job, input), job.host, deps);
  if (!model.ok) return model;
  const described = await describe(model.value, deps.signal);
  if (!described.ok) return described;
  const info = described.value;
  const lesson = deps.lessons.of(model.value.name, info?.capabilities);
  const contextLength = contextLengthFor(settings.contextLength, info);
  warnReload(model.value.name, contextLength, deps, emitter);
  // A question of its own stands apart from the conversation.
  const sent = job.question === undefined ? sentTurns(input.conversation, contextLength) : [];
  const maxOutputTokens = Math.min(settings.maxOutputTokens, contextLength);
  const canThink = lesson.think !== false && (info === undefined || info.capabilities.includes("thinking"));
  const think = request.options?.think ?? job.definition?.think ?? settings.think;
  const temperature = request.options?.temperature ?? job.definition?.temperature ?? settings.temperature;
  const seed = job.seed ?? request.options?.seed;
  const shared = makePrompt(job, input, sent, promptBudget(contextLength, maxOutputTokens), emitter);
  const loop: LoopInput = {
    model: model.value,
    tools: job.tools,
    protocol: chooseProtocol(settings.toolProtocol, info?.capabilities, lesson, job.tools),
    prompt: { ...shared, question: withTail(shared.question, job.tail) },
    question: job.question ?? request.question,
    pastTurnIds: sent.map((turn) => turn.turnId),
    runner: { contextLength, keepAlive: settings.keepAlive },
    maxOutputTokens,
    ...(canThink && { think }),
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...(job.format && { format: job.format }),
    stop: stopCondition(job, settings),
  };
  return success({ loop, info, question: shared.question });
}

/** The model that an agent is asked with: the turn's own wish, what the job says, its file, the settings. */
export function modelOf(
  { model, definition }: Pick<AgentJob, "model" | "definition">,
  { request, settings }: TurnInput,
): string {
  return model ?? request.options?.model ?? definition?.model ?? settings.model;
}

function stopCondition({ limits, definition }: AgentJob, settings: EngineSettings): StopCondition {
  const steps = limits?.steps ?? definition?.limits.steps ?? settings.maxSteps;
  const tokens = limits?.tokens ?? definition?.limits.tokens ?? settings.tokenBudget;
  return firstOf(cancelled, maxSteps(steps), repeatedCall(MAX_REPEATS), tokenBudget(tokens));
}

/** Servers load a model anew for another context length, which takes its time: it is said. */
function warnReload(model: string, contextLength: number, { lessons }: TurnDeps, emitter: Emitter): void {
  const before = lessons.contextLength(model, contextLength);
  if (before === undefined || before === contextLength) return;
  const message = `The context of ${model} is now ${contextLength} tokens (${before} before), so it is loaded anew.`;
  emitter.warn("context_changed", message, { from: before, to: contextLength });
}

function findModel(name: string, host: string | undefined, deps: TurnDeps): Result<ChatModel> {
  if (name.trim() === "") {
    return failed("no_model", "No chat model is chosen yet. Select one.", { action: "select_model" });
  }
  const found = deps.model(name, host);
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
  job: AgentJob,
  { request, settings, agents }: TurnInput,
  sent: readonly PastTurn[],
  budget: number,
  emitter: Emitter,
): Prompt {
  const own = job.question !== undefined;
  const references = own ? [] : (request.references ?? []);
  const { message, cut } = questionMessage(job.question ?? request.question, references, budget);
  if (cut !== undefined) {
    const text = `Of the attached texts ${cut.given} of ${cut.of} characters were given to the model, for want of room.`;
    emitter.warn("references_cut", text, { given: cut.given, of: cut.of });
  }
  const earlier = own ? [] : splitTurns(validHistory(request.history ?? []));
  const history = [...earlier, ...sent.map((turn) => turn.messages)];
  return { system: systemMessage(settings.systemPrompt, agents.rules), history, question: message };
}
