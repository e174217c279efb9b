import { preparePrompt } from "./budget/prepare-context.ts";
import { onlyChosen } from "./budget/relevant-tools.ts";
import type { Emitter } from "./emitter.ts";
import type { ToolProtocol } from "./events.ts";
import { success, type Result } from "./failure.ts";
import { footingOf, knownFooting } from "./footing.ts";
import type { LoopInput } from "./loop/types.ts";
import type { SourcedText } from "./message-parts.ts";
import type { ChatMessage, ChatModel, ModelInfo } from "./models/types.ts";
import { smallTail, withTail } from "./prompt.ts";
import { isGated, type CallingProfile } from "./model-profile.ts";
import type { ToolSet } from "./tool.ts";
import { callsAskedFor } from "./asked-calls.ts";
import { chooseProtocol, keepTools, unknownTools } from "./select-tools.ts";
import { memorySettings, type EngineSettings, type RecallMode } from "./settings.ts";
import {
  cancelled,
  firstOf,
  maxSteps,
  repeatedCall,
  tokenBudget,
  type StopCondition,
} from "./loop/stop-conditions.ts";
import { formOf } from "./structured/form.ts";
import { outputSpec } from "./structured/output-spec.ts";
import type { AgentJob, TurnDeps, TurnInput } from "./turn-types.ts";

/** Steps in which the same call may be made before the model is asked to answer. */
const MAX_REPEATS = 3;

/** With any more a small model answers from its notes at one time and makes something up at the next. */
const SMALL_MODEL_TEMPERATURE = 0;

/** What an agent begins with once its model is known. */
export interface Prepared {
  readonly loop: LoopInput;
  readonly info: ModelInfo | undefined;
  /** The question as the conversation goes on with it: without what stands behind it for this agent alone. */
  readonly question: ChatMessage;
  /** Names of tools that it is not told of: others fit the question better. */
  readonly leftOut: readonly string[];
  /** Who searches memory for the question. */
  readonly recallMode: "model" | "first";
  readonly calling: CallingProfile;
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
  warnUnknownTools(job, input, emitter);
  // A job with a form of its own asks something else of the agent than its file does.
  const formed = job.format === undefined ? job.definition : undefined;
  const output = outputSpec(formed, input.tools, job.answerOnly);
  if (!output.ok) return output;
  const footing = knownFooting(job, input, deps) ?? (await footingOf(job, input, deps, emitter));
  if (!footing.ok) return footing;
  const { model, info, context, maxOutputTokens, calling, chosen } = footing.value;
  const lesson = deps.lessons.of(model.name, info?.capabilities);
  const callsOnce = isHeldBack(calling, settings) && job.tape === undefined;
  const question = job.question ?? request.question;
  const offered = onlyChosen(job.tools, chosen);
  const { tools, askedCalls } = callsOnce ? onlyAsked(offered, question) : { tools: offered, askedCalls: [] };
  const tail = callsOnce ? smallTail(tailOf(job), question) : tailOf(job);
  const canThink = lesson.think !== false && (info === undefined || info.capabilities.includes("thinking"));
  const think = request.options?.think ?? job.definition?.think ?? settings.think;
  const temperature = temperatureOf(job, input) ?? (callsOnce ? SMALL_MODEL_TEMPERATURE : undefined);
  const seed = job.seed ?? request.options?.seed;
  const shared = preparePrompt(
    job,
    input,
    { context, isBare: callsOnce && tools.schemas.length === 0 },
    emitter,
  );
  const loop: LoopInput = {
    model,
    tools,
    protocol:
      keptProtocol(job, model) ?? chooseProtocol(settings.toolProtocol, info?.capabilities, lesson, tools),
    prompt: {
      system: shared.system,
      question: job.tape?.question ?? withTail(shared.question, tail, formOf(formed)),
    },
    question,
    ...(callsOnce && { callsOnce, askedCalls }),
    ...(isGated(info) && { gated: true }),
    ...(endsWithResult(job, calling) && output.value === undefined && { endsWithResult: true }),
    context,
    referenceTokens: shared.referenceTokens,
    runner: { contextLength: context.contextLength, keepAlive: settings.keepAlive },
    maxOutputTokens,
    ...(canThink && { think }),
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...(job.format && { format: job.format }),
    ...(output.value && { output: output.value }),
    stop: stopCondition(job, settings),
    ...(job.tape && { tape: job.tape.steps }),
  };
  const recallMode = recallModeOf(memorySettings(settings).recall, calling);
  return success({ loop, info, question: shared.question, leftOut: chosen.leftOut, recallMode, calling });
}

/** Whether a model is offered only what the question's form asks for: nobody said that it shall decide by itself. */
function isHeldBack({ skill }: CallingProfile, settings: EngineSettings): boolean {
  return (
    skill === "poorly" && settings.toolProtocol === "auto" && memorySettings(settings).recall !== "model"
  );
}

/** The tools that the question's form asks for, and their calls. */
function onlyAsked(offered: ToolSet, question: string) {
  const askedCalls = callsAskedFor(offered, question);
  return { askedCalls, tools: keepTools(offered, (name) => askedCalls.some((call) => call.name === name)) };
}

/** A tool's result may be the answer of who answers a turn alone, in its own words; not that of a form to be filled in. */
function endsWithResult({ role, format }: AgentJob, { skill }: CallingProfile): boolean {
  return skill !== "well" && role === undefined && format === undefined;
}

/** Who searches memory: as the setting says, else the model where it is known to call well. */
function recallModeOf(setting: RecallMode, { skill }: CallingProfile): "model" | "first" {
  if (setting !== "auto") return setting;
  return skill === "well" ? "model" : "first";
}

/** How the same model was offered tools in the turn that is branched off. */
function keptProtocol({ tape }: AgentJob, { name }: ChatModel): ToolProtocol | undefined {
  return tape?.protocol?.model === name ? tape.protocol.name : undefined;
}

/** The temperature that somebody asked for. */
function temperatureOf({ definition }: AgentJob, { request, settings }: TurnInput): number | undefined {
  return request.options?.temperature ?? definition?.temperature ?? settings.temperature;
}

/** What the job wants to stand behind the question. */
function tailOf({ tail = [] }: AgentJob): readonly SourcedText[] {
  return typeof tail === "string" ? [{ source: "persona", text: tail }] : tail;
}

function warnUnknownTools({ definition, name }: AgentJob, input: TurnInput, emitter: Emitter): void {
  // The product's own agents name tools of which some are off, or not there without memory.
  if (definition?.source.origin === "built-in") return;
  const names = definition?.tools?.map((tool) => tool.name) ?? [];
  for (const { name: tool, near } of unknownTools(input.allTools ?? input.tools, names)) {
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    const message = `${name} names the tool ${tool}, which does not exist; it does without.${hint}`;
    emitter.warn("tool_unknown", message, { tool, ...(near !== undefined && { near }) });
  }
}

function stopCondition({ limits, definition }: AgentJob, settings: EngineSettings): StopCondition {
  const steps = limits?.steps ?? definition?.limits.steps ?? settings.maxSteps;
  const tokens = limits?.tokens ?? definition?.limits.tokens ?? settings.tokenBudget;
  return firstOf(cancelled, maxSteps(steps), repeatedCall(MAX_REPEATS), tokenBudget(tokens));
}
