import type { EarlierTurn } from "../budget/past.ts";
import { splitTurns } from "../sessions/conversation.ts";
import type { Emitter } from "../emitter.ts";
import type { Recalled } from "../loop/types.ts";
import type { ChatMessage } from "../models/types.ts";
import type { ToolSet } from "../tool.ts";
import type { ForkPlan } from "./plan.ts";
import type { AgentTape } from "./tapes.ts";

/**
 * The earlier turns as a request had them: cut, trimmed or summed up as they were then. They have the names of the turns
 * of the conversation that they are.
 */
export function shownTurns(
  turns: readonly EarlierTurn[],
  shown: readonly ChatMessage[],
): readonly EarlierTurn[] {
  const groups = splitTurns(shown);
  return groups.map((messages, index) => {
    const turn = turns.at(index - groups.length);
    const isSame = turn?.turnId !== undefined && turn.messages[0]?.content === messages[0]?.content;
    return isSame ? { turnId: turn.turnId, messages } : { messages };
  });
}

/**
 * What was recalled in the turn that is branched off, told again; undefined where it is to be recalled anew. The promise
 * gives nothing where nothing was recalled then.
 */
export function keptRecall(
  { question, tape }: { readonly question?: string; readonly tape?: AgentTape },
  { fork }: { readonly fork?: ForkPlan },
  emitter: Emitter,
): Promise<Recalled | undefined> | undefined {
  const kept = tape?.recalled ?? (question === undefined ? fork?.kept.recalled : undefined);
  if (kept === undefined) return undefined;
  const { card, message } = kept;
  if (card !== undefined)
    emitter.emit("memory.card", { parentId: emitter.agentId, replays: card.id }, card.data);
  return Promise.resolve(message && { message });
}

/** The tools that were offered then, of those there are now; undefined where they are chosen anew. */
export function keptTools(
  { tools, question }: { readonly tools: ToolSet; readonly question?: string },
  { fork }: { readonly fork?: ForkPlan },
):
  | { readonly offered: ToolSet["schemas"]; readonly leftOut: readonly string[]; readonly forRoom: false }
  | undefined {
  const names = question === undefined ? fork?.kept.offered : undefined;
  if (names === undefined) return undefined;
  const offered = tools.schemas.filter(({ name }) => names.has(name));
  const leftOut = tools.schemas.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  return { offered, leftOut, forRoom: false };
}
