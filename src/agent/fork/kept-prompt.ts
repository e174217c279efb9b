import type { TurnFork } from "../events-fork.ts";
import type { EventOf, ToolProtocol, TurnEvent } from "../events.ts";
import { extended, madeOf } from "../message-parts.ts";
import type { ChatMessage, MessagePart, PartSource } from "../models/types.ts";
import { wellFormed } from "../text.ts";
import { editFor } from "./edits.ts";
import type { KeptRecalled } from "./tapes.ts";

/** A message of the user's side or the system's. */
type OwnMessage = Extract<ChatMessage, { readonly role: "system" | "user" }>;

/** A request to a model, taken to pieces. */
export interface TakenPrompt {
  readonly system: ChatMessage;
  readonly past: readonly ChatMessage[];
  readonly recalled?: OwnMessage;
  /** With what stands behind it. */
  readonly question: OwnMessage;
  /** What follows the question: the agent's own steps. */
  readonly own: readonly ChatMessage[];
}

/**
 * Takes a request to pieces by what its messages tell of themselves; undefined where they tell nothing, as in logs of
 * others.
 */
export function takeApart(messages: readonly ChatMessage[]): TakenPrompt | undefined {
  const at = messages.findLastIndex((message) => has(message, "question"));
  const question = messages[at];
  const [system] = messages;
  if (system?.role !== "system" || question?.role !== "user") return undefined;
  const before = messages[at - 1];
  const recalled = before?.role === "user" && has(before, "memory") ? before : undefined;
  return {
    system: withoutTools(system),
    past: messages.slice(1, recalled === undefined ? at : at - 1),
    ...(recalled && { recalled }),
    question,
    own: messages.slice(at + 1),
  };
}

function has(message: ChatMessage, wanted: PartSource): boolean {
  return partsOf(message).some(({ source }) => source === wanted);
}

/** The parts of a message, where they make up its content: logs may say anything. */
function partsOf(message: ChatMessage): readonly MessagePart[] {
  const parts: unknown = "parts" in message ? message.parts : undefined;
  if (!Array.isArray(parts)) return [];
  const sound = parts.filter(isPart);
  const fits = sound.length === parts.length && lengthOf(sound) === message.content.length;
  return fits ? sound : [];
}

function isPart(value: unknown): value is MessagePart {
  if (typeof value !== "object" || value === null || !("source" in value) || !("length" in value))
    return false;
  return typeof value.source === "string" && Number.isInteger(value.length) && Number(value.length) >= 0;
}

/** The system message without what a protocol tells there of tools: it is told anew. */
function withoutTools(system: OwnMessage): OwnMessage {
  const parts = partsOf(system);
  const at = parts.findIndex(({ source }) => source === "tools");
  if (at < 0) return system;
  const kept = parts.slice(0, at);
  const length = lengthOf(kept);
  const content = system.content.slice(0, length).trimEnd();
  const gap = length - content.length;
  return {
    role: "system",
    content,
    parts: kept.map((part, index) =>
      index === kept.length - 1 ? { source: part.source, length: part.length - gap } : part,
    ),
  };
}

/** The question with what stands behind it, as an edit wants it. */
export function editedQuestion(question: OwnMessage, fork: TurnFork): OwnMessage {
  const asked = editFor(fork, "question");
  const tail = editFor(fork, "tail");
  const parts = partsOf(question);
  const at = parts.findIndex(({ source }) => source === "question");
  if (at < 0 || (asked === undefined && tail === undefined)) return question;
  const begin = lengthOf(parts.slice(0, at));
  const end = begin + (parts[at]?.length ?? 0);
  const head: OwnMessage = {
    role: "user",
    content: question.content.slice(0, begin),
    parts: parts.slice(0, at),
  };
  const text = asked === undefined ? question.content.slice(begin, end).trimEnd() : wellFormed(asked);
  const whole: OwnMessage = {
    role: "user",
    content: head.content + text,
    parts: [...parts.slice(0, at), { source: "question", length: text.length }],
  };
  if (tail !== undefined) return extended(whole, [{ source: "persona", text: tail }]);
  return extended(whole, piecesOf(question.content.slice(end), parts.slice(at + 1)));
}

/** What stands behind the question in its message; empty where nothing does. */
export function questionTail(question: OwnMessage): string {
  const parts = partsOf(question);
  const at = parts.findIndex(({ source }) => source === "question");
  return at < 0 ? "" : question.content.slice(lengthOf(parts.slice(0, at + 1)));
}

function piecesOf(text: string, parts: readonly MessagePart[]) {
  let from = 0;
  return parts.map(({ source, length }) => {
    const piece = text.slice(from, from + length);
    from += length;
    // Pieces are set off by an empty line, which belongs to the one before it.
    return { source, text: piece.endsWith("\n\n") ? piece.slice(0, -2) : piece };
  });
}

function lengthOf(parts: readonly MessagePart[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** The system message of the fork, where it is kept or edited. */
export function keptSystem(taken: TakenPrompt | undefined, fork: TurnFork): ChatMessage | undefined {
  const edited = editFor(fork, "system");
  return edited === undefined ? taken?.system : madeOf("system", "rules", wellFormed(edited));
}

/** What was recalled for the fork, where it is kept or edited. */
export function keptRecalled(
  taken: TakenPrompt | undefined,
  card: EventOf<"memory.card"> | undefined,
  fork: TurnFork,
): KeptRecalled | undefined {
  const edited = editFor(fork, "recalled");
  if (edited !== undefined)
    return edited.trim() === "" ? {} : { message: madeOf("user", "memory", wellFormed(edited)) };
  if (taken === undefined) return undefined;
  const { recalled } = taken;
  return recalled === undefined ? {} : { message: recalled, ...(card && { card }) };
}

/** The protocols that send messages as they are. */
export function isPlain(protocol: ToolProtocol | undefined): boolean {
  return protocol === "native";
}

/** The last card that an agent was given before an event. */
export function cardOf(events: readonly TurnEvent[], agentId: string): EventOf<"memory.card"> | undefined {
  return events.find(
    (event): event is EventOf<"memory.card"> => event.type === "memory.card" && event.parentId === agentId,
  );
}
