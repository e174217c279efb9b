import { messageTokens, textTokens } from "../context.ts";
import { splitTurns, validHistory } from "../sessions/conversation.ts";
import type { Emitter } from "../emitter.ts";
import { keptTools } from "../fork/kept-start.ts";
import type { ChatMessage, ChatModel, ToolSchema } from "../models/types.ts";
import { oncePer } from "../once-per.ts";
import { questionMessage, systemMessage, type Prompt } from "../prompt.ts";
import { cutAtGrapheme } from "../text.ts";
import type { AgentJob, TurnDeps, TurnInput } from "../turn-types.ts";
import { apartContext, type ModelContext } from "./model-context.ts";
import { chooseTools, type ChosenTools } from "./relevant-tools.ts";
import { budgetSettings } from "./settings.ts";

/** Of the share of memory and references, this much is for what is attached; the rest is left to what is recalled. */
const ATTACHED_PART = 3 / 4;
/** Of as many tools as make a choice worth while, so many are offered. */
const OFFERED_PART = 3 / 4;
/** So many are offered to a model that is not known to call well. */
const FEW_TOOLS = 5;
/** What such a model is told of first; one search over everything stands for all kinds of it. */
const FIRST_OF_FEW = ["search", "save_memory", "read_file", "web_fetch", "web_search"];
const OTHER_SEARCHES: ReadonlySet<string> = new Set([
  "search_memory",
  "search_knowledge_graph",
  "get_moments",
]);
/** Without these the main job can't be done, so they are offered whatever the room. */
const ALWAYS: ReadonlySet<string> = new Set(["search_memory", "search", "read_file"]);

/** How long the context and an answer may be. */
export interface ContextLengths {
  readonly contextLength: number;
  readonly maxOutputTokens: number;
}

/** The context that an agent works with: that of its turn and model, or one of its own for a question apart. */
export function prepareContext(
  job: AgentJob,
  { request, settings, conversation, turnId, fork }: TurnInput,
  deps: TurnDeps,
  model: ChatModel,
  lengths: ContextLengths,
): ModelContext {
  const { shares } = budgetSettings(settings);
  const calibration = deps.lessons.calibration(model.name);
  const wanted = { ...lengths, model: model.name, host: job.host, calibration, shares };
  if (job.question !== undefined) return apartContext(wanted, turnId);
  const { history } = request;
  const earlier = () => (history === undefined ? [] : broughtAlong(history));
  const past = { conversation, earlier, turnId, onCut: deps.onCut };
  if (fork === undefined) return deps.contexts.of(wanted, past);
  const shown = fork.kept.past;
  return deps.contexts.of(wanted, { ...past, held: fork.fork.turnId, ...(shown && { shown }) });
}

/** The turns of a conversation that the caller brings along; the same objects for each model that is sent them. */
const broughtAlong = oncePer((history: readonly ChatMessage[]) => splitTurns(validHistory(history)));

/**
 * Which tools of a job fit the question, where there are many, where they would take too much of the context, or where
 * the model is not known to call well (`isFew`). Chosen once for all agents of a turn that have the same ones. Tools that
 * somebody named are never too many.
 */
export async function prepareTools(
  job: AgentJob,
  input: TurnInput,
  deps: TurnDeps,
  {
    model,
    context,
    isFew,
  }: { readonly model: string; readonly context: ModelContext; readonly isFew: boolean },
  emitter: Emitter,
): Promise<ChosenTools> {
  const { request, settings, conversation, sessionId } = input;
  const { schemas } = job.tools;
  if (schemas.length === 0) return { offered: schemas, leftOut: [], forRoom: false };
  const kept = keptTools(job, input);
  if (kept !== undefined) return kept;
  const named = new Set(namedBy(job));
  const isNamed = request.options?.tools !== undefined || schemas.every(({ name }) => named.has(name));
  const isSmallChoice = isFew && !isNamed;
  const before = deps.offered.of(sessionId, model);
  const most = isNamed
    ? undefined
    : mostOf(schemas.length, isFew, budgetSettings(settings).relevantToolsFrom);
  const first = isSmallChoice ? [...FIRST_OF_FEW, ...before] : [];
  const choice = {
    question: job.question ?? request.question,
    ...(most !== undefined && { most }),
    limit: context.limits.tools,
    wanted: new Set([...first, ...named, ...usedIn(conversation.turns.at(-1)?.messages ?? [])]),
    always: ALWAYS,
    before,
    ...{ embed: deps.embed, signal: deps.signal, timer: deps.timer },
  };
  const candidates = isSmallChoice ? withoutOtherSearches(schemas, before) : schemas;
  const chosen = await deps.contexts.tools(schemas, choice, () => chooseTools(candidates, schemas, choice));
  if (chosen.leftOut.length > 0)
    deps.offered.add(
      sessionId,
      model,
      chosen.offered.map(({ name }) => name),
    );
  if (chosen.forRoom && !context.told.has("tools")) {
    context.told.add("tools");
    const { length } = chosen.offered;
    const text = `${length} of ${schemas.length} tools are offered: the others don't fit their share of the context of ${context.contextLength} tokens.`;
    emitter.warn("context_cut", text, { tools_left_out: chosen.leftOut, of: schemas.length });
  }
  return chosen;
}

function mostOf(tools: number, isFew: boolean, from: number): number | undefined {
  if (isFew) return FEW_TOOLS;
  return from > 0 && tools >= from ? Math.max(1, Math.floor(from * OFFERED_PART)) : undefined;
}

/** One search over everything in place of several, where it is there. */
function withoutOtherSearches(
  schemas: readonly ToolSchema[],
  before: ReadonlySet<string>,
): readonly ToolSchema[] {
  const hasOne = schemas.some(({ name }) => name === "search");
  return hasOne ? schemas.filter(({ name }) => !OTHER_SEARCHES.has(name) || before.has(name)) : schemas;
}

/** The tools that files name: its own, or where a list is shared, that of anybody who shares it. */
function namedBy({ company, definition, tools }: AgentJob): readonly string[] {
  const names = company?.named ?? definition?.tools?.map(({ name }) => name) ?? [];
  return names.map((name) => tools.find(name)?.name ?? name);
}

function usedIn(messages: readonly ChatMessage[]): ReadonlySet<string> {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []) : [],
  );
  return new Set(calls.map(({ name }) => name));
}

/** System message and question of an agent, each within its share; what was cut is told. */
export function preparePrompt(
  job: AgentJob,
  { request, settings, agents, fork }: TurnInput,
  { context, isBare }: { readonly context: ModelContext; readonly isBare: boolean },
  emitter: Emitter,
): Prompt & { readonly referenceTokens: number } {
  const references = job.question === undefined ? (request.references ?? []) : [];
  const asked = job.question ?? request.question;
  const room = Math.floor(context.limits.memory * ATTACHED_PART);
  const { message, cut } = (context.question ??= questionMessage(asked, references, room));
  if (cut !== undefined) {
    const text = `Of the attached texts ${cut.given} of ${cut.of} characters were given to the model, for want of room.`;
    emitter.warn("references_cut", text, { given: cut.given, of: cut.of });
  }
  const system =
    fork?.kept.system ??
    systemWithin({ own: settings.systemPrompt, rules: agents.rules, isBare }, context, emitter);
  const referenceTokens = Math.max(0, textTokens(message.content) - textTokens(asked));
  return { system, question: message, referenceTokens };
}

/** The system message; rules of the project that are longer than its share are cut, and that is told. */
function systemWithin(
  { own, rules, isBare }: { readonly own: string; readonly rules: string; readonly isBare: boolean },
  context: ModelContext,
  emitter: Emitter,
): ChatMessage {
  const whole = systemMessage(own, rules, isBare);
  const { system: limit } = context.limits;
  const over = messageTokens(whole) - limit;
  if (over <= 0 || rules.trim() === "") return whole;
  const note = "\n[cut: the rest of these rules is left out, for want of room]";
  const kept = Math.max(0, textTokens(rules) - over - textTokens(note));
  const part = cutAtGrapheme(rules, Math.floor((rules.length * kept) / textTokens(rules)));
  if (!context.told.has("rules")) {
    context.told.add("rules");
    const text = `Of the rules of the project ${part.length} of ${rules.length} characters are given to the model: the others don't fit their share of the context of ${context.contextLength} tokens.`;
    emitter.warn("context_cut", text, { given: part.length, of: rules.length });
  }
  return systemMessage(own, `${part}${note}`, isBare);
}
