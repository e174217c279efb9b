import { promptBudget } from "./context.ts";
import { splitTurns, validHistory } from "./conversation.ts";
import type { Emitter } from "./emitter.ts";
import { CANCELLED, failed, success, type Failure, type Result } from "./failure.ts";
import type { PastTurn } from "./history-port.ts";
import type { LoopInput } from "./loop-types.ts";
import { contextLengthFor } from "./models/capabilities.ts";
import type { ChatModel, ModelInfo } from "./models/types.ts";
import { questionMessage, systemMessage, type Prompt } from "./prompt.ts";
import { chooseProtocol } from "./select-tools.ts";
import { sentTurns } from "./sessions.ts";
import { cancelled, firstOf, maxSteps, repeatedCall, tokenBudget } from "./stop-conditions.ts";
import { raceAbort } from "./timer.ts";
import type { TurnDeps, TurnInput } from "./turn-types.ts";

/** Steps in which the same call may be made before the model is asked to answer. */
const MAX_REPEATS = 3;

/** What a turn begins with once its model is known. */
export interface Prepared {
  readonly loop: LoopInput;
  readonly info: ModelInfo | undefined;
}

/**
 * Finds the turn's model, asks what it can do, and makes prompt, protocol and limits to match. Never throws; fails
 * with what the chat itself would fail with.
 */
export async function prepareTurn(
  input: TurnInput,
  deps: TurnDeps,
  emitter: Emitter,
): Promise<Result<Prepared>> {
  const { request, settings, tools } = input;
  const model = findModel(request.options?.model ?? settings.model, deps);
  if (!model.ok) return model;
  const described = await describe(model.value, deps.signal);
  if (!described.ok) return described;
  const info = described.value;
  const lesson = deps.lessons.of(model.value.name, info?.capabilities);
  const contextLength = contextLengthFor(settings.contextLength, info);
  warnReload(model.value.name, contextLength, deps, emitter);
  const sent = sentTurns(input.conversation, contextLength);
  const maxOutputTokens = Math.min(settings.maxOutputTokens, contextLength);
  const canThink = lesson.think !== false && (info === undefined || info.capabilities.includes("thinking"));
  const temperature = request.options?.temperature ?? settings.temperature;
  const loop: LoopInput = {
    model: model.value,
    tools,
    protocol: chooseProtocol(settings.toolProtocol, info?.capabilities, lesson, tools),
    prompt: makePrompt(input, sent, promptBudget(contextLength, maxOutputTokens), emitter),
    question: request.question,
    pastTurnIds: sent.map((turn) => turn.turnId),
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
  { request, settings }: TurnInput,
  sent: readonly PastTurn[],
  budget: number,
  emitter: Emitter,
): Prompt {
  const { message, cut } = questionMessage(request.question, request.references ?? [], budget);
  if (cut !== undefined) {
    const text = `Of the attached texts ${cut.given} of ${cut.of} characters were given to the model, for want of room.`;
    emitter.warn("references_cut", text, { given: cut.given, of: cut.of });
  }
  const earlier = splitTurns(validHistory(request.history ?? []));
  const own = sent.map((turn) => turn.messages);
  return { system: systemMessage(settings.systemPrompt), history: [...earlier, ...own], question: message };
}
