import type { PastTurn } from "../sessions/history-port.ts";
import { cutFor } from "../sessions/sessions.ts";
import type { Conversation, HistoryCut } from "../sessions/types.ts";
import { shownTurns } from "../fork/kept-start.ts";
import type { ChatMessage, ToolSchema } from "../models/types.ts";
import type { AskedQuestion } from "../prompt.ts";
import { oncePer } from "../once-per.ts";
import { Past, type Group } from "./past.ts";
import type { ChosenTools, ToolChoice } from "./relevant-tools.ts";
import type { ContextShares } from "./settings.ts";
import { partLimits, type PartLimits } from "./shares.ts";

/** The context of one model in one turn; the same for all its agents. */
export interface ModelContext {
  readonly contextLength: number;
  /** Tokens that the server counts for one of the plain estimate, as known when the turn began. */
  readonly calibration: number;
  readonly limits: PartLimits;
  readonly past: Past;
  /** What was told of this context already, so that a committee doesn't hear it from each of its members. */
  readonly told: Set<string>;
  /** The question as all its agents are sent it, once it was put: their prompts then begin with the same messages. */
  question: AskedQuestion | undefined;
}

/** What a model's context is made for. */
export interface ContextOf {
  readonly model: string;
  /** Address of its server; left out: the first one. */
  readonly host?: string | undefined;
  readonly contextLength: number;
  readonly maxOutputTokens: number;
  readonly calibration: number;
  readonly shares: Partial<ContextShares>;
}

/** The conversation that goes before. */
export interface ContextPast {
  readonly conversation: Conversation;
  /** Turns that the caller brought along, older than all others; asked once for each context. */
  readonly earlier: () => readonly Group[];
  readonly turnId: string;
  readonly onCut: (cut: HistoryCut) => void;
  /** The earlier turns exactly as they are to be sent, cut and summed up; left out: as they are. */
  readonly shown?: readonly ChatMessage[];
  /** A turn whose words are not to be recalled either: it is the one that is branched off. */
  readonly held?: string;
}

/**
 * The contexts of one turn. What is decided once, holds for all agents of the turn that are asked with the same model:
 * their prompts share a prefix that the server keeps.
 */
export class TurnContexts {
  readonly #contexts = new Map<string, ModelContext>();
  /** Choices by what the tools are, and then by what they were made for. */
  readonly #tools = new Map<string, Map<string, Promise<ChosenTools>>>();

  /** The context of a model: the one there is, or a new one. */
  of(wanted: ContextOf, past: ContextPast): ModelContext {
    const { model, host = "", contextLength, maxOutputTokens } = wanted;
    const key = JSON.stringify([host, model, contextLength, maxOutputTokens]);
    let context = this.#contexts.get(key);
    if (context === undefined) {
      context = modelContext(wanted, pastOf(past, contextLength));
      this.#contexts.set(key, context);
    }
    return context;
  }

  /** The choice among some tools for a question: the one there is, or the one that is made now. */
  tools(
    schemas: readonly ToolSchema[],
    { question, most, limit }: Pick<ToolChoice, "question" | "most" | "limit">,
    choose: () => Promise<ChosenTools>,
  ): Promise<ChosenTools> {
    const name = nameOf(schemas);
    const choices = this.#tools.get(name) ?? new Map<string, Promise<ChosenTools>>();
    this.#tools.set(name, choices);
    const key = JSON.stringify([question, most, limit]);
    const chosen = choices.get(key) ?? choose();
    choices.set(key, chosen);
    return chosen;
  }
}

/** What tells a list of tools from another one; the speakers of a committee share one list. */
const nameOf = oncePer((schemas: readonly ToolSchema[]) =>
  JSON.stringify(schemas.map(({ name, description }) => [name, description])),
);

/** A context of its own, for an agent whose question stands apart from the conversation. */
export function apartContext(wanted: ContextOf, turnId: string): ModelContext {
  const none = { turns: [] };
  return modelContext(
    wanted,
    pastOf({ conversation: none, earlier: () => [], turnId, onCut: () => undefined }, wanted.contextLength),
  );
}

function modelContext(
  { contextLength, maxOutputTokens, calibration, shares }: ContextOf,
  past: Past,
): ModelContext {
  const limits = partLimits({ contextLength, maxOutputTokens, calibration, shares });
  return { contextLength, calibration, limits, past, told: new Set(), question: undefined };
}

function pastOf(past: ContextPast, contextLength: number): Past {
  const { conversation, earlier, turnId, onCut, shown, held } = past;
  const cut = cutFor(conversation, contextLength);
  const turns = [
    ...earlier().map((messages) => ({ messages })),
    ...conversation.turns.map(({ turnId: id, messages }: PastTurn) => ({ turnId: id, messages })),
  ];
  const options = { turnId, contextLength, onCut, ...(held !== undefined && { held }) };
  if (shown !== undefined) return new Past({ ...options, turns: shownTurns(turns, shown) });
  return new Past({ ...options, turns, ...(cut && { cut }) });
}
