import { messageTokens, textTokens } from "../context.ts";
import { splitTurns, validHistory } from "../sessions/conversation.ts";
import type { Emitter } from "../emitter.ts";
import { keptTools } from "../fork/kept-start.ts";
import type { ChatMessage, ChatModel } from "../models/types.ts";
import { oncePer } from "../once-per.ts";
import { questionMessage, systemMessage, type Prompt } from "../prompt.ts";
import { cutAtGrapheme } from "../text.ts";
import type { AgentJob, TurnDeps, TurnInput } from "../turn-types.ts";
import { apartContext, type ModelContext } from "./model-context.ts";
import { chooseTools, type ChosenTools } from "./relevant-tools.ts";
import { budgetSettings } from "./settings.ts";

/** Of the share of memory and references, this much is for what is attached; the rest is left to what is recalled. */
const ATTACHED_PART = 3 / 4;

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
 * Which tools of a job fit the question, where there are many or where they would take too much of the context.
 * Chosen once for all agents of a turn that have the same ones. Tools that somebody named are never too many.
 */
export async function prepareTools(
  job: AgentJob,
  input: TurnInput,
  deps: TurnDeps,
  context: ModelContext,
  emitter: Emitter,
): Promise<ChosenTools> {
  const { request, settings, conversation } = input;
  const { schemas } = job.tools;
  if (schemas.length === 0) return { offered: schemas, leftOut: [], forRoom: false };
  const kept = keptTools(job, input);
  if (kept !== undefined) return kept;
  const named = new Set(namedBy(job));
  const isNamed = request.options?.tools !== undefined || schemas.every(({ name }) => named.has(name));
  const { relevantToolsFrom } = budgetSettings(settings);
  const choice = {
    question: job.question ?? request.question,
    from: isNamed ? 0 : relevantToolsFrom,
    limit: context.limits.tools,
    wanted: new Set([...named, ...usedIn(conversation.turns.at(-1)?.messages ?? [])]),
    ...{ embed: deps.embed, signal: deps.signal, timer: deps.timer },
  };
  const chosen = await deps.contexts.tools(schemas, choice, () => chooseTools(schemas, choice));
  if (chosen.forRoom && !context.told.has("tools")) {
    context.told.add("tools");
    const { length } = chosen.offered;
    const text = `${length} of ${schemas.length} tools are offered: the others don't fit their share of the context of ${context.contextLength} tokens.`;
    emitter.warn("context_cut", text, { tools_left_out: chosen.leftOut, of: schemas.length });
  }
  return chosen;
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
  context: ModelContext,
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
  const system = fork?.kept.system ?? systemWithin(settings.systemPrompt, agents.rules, context, emitter);
  const referenceTokens = Math.max(0, textTokens(message.content) - textTokens(asked));
  return { system, question: message, referenceTokens };
}

/** The system message; rules of the project that are longer than its share are cut, and that is told. */
function systemWithin(own: string, rules: string, context: ModelContext, emitter: Emitter): ChatMessage {
  const whole = systemMessage(own, rules);
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
  return systemMessage(own, `${part}${note}`);
}
