import { LRUCache } from "lru-cache";
import { validHistory } from "./conversation.ts";
import { describeError, failure } from "../failure.ts";
import { UNKNOWN_PARENT, type HistoryPort, type PastTurn } from "./history-port.ts";
import { restoredCuts, summaryCuts } from "../budget/cuts.ts";
import type { Conversation, HistoryCut } from "./types.ts";

/** Sessions held in memory; the least recently used leaves first. */
const MAX_SESSIONS = 50;

/** Turns held of each session: the newest. */
const MAX_TURNS = 50;

/** Context lengths for which cuts are kept: those used last. */
const MAX_CUTS = 4;

/** The conversations of all sessions: some in memory, the others read back when they go on. */
export interface Sessions {
  /** Never throws or rejects; a session that nobody knows is empty. Left out, the branch is that of the newest turn. */
  load(sessionId: string, branch?: Branch): Promise<Conversation>;
  /** The conversation of a session whose id was just made: nobody can know of it, so that nothing is read. */
  begin(): Conversation;
  /** Adds a finished turn to its conversation. */
  append(sessionId: string, conversation: Conversation, turn: PastTurn): void;
  /** The summary with this id no longer holds: what it replaced is sent again. */
  restore(sessionId: string, summaryId: string): void;
}

/** A branch of a session: the turns that lead to one of them. */
export interface Branch {
  /** Its last turn; null: it has none. */
  readonly parentTurnId: string | null;
  /** A turn that follows the last one: where that is not to be found, what was written before this one counts. */
  readonly beside?: string;
}

/** An empty memory of sessions over the log on disk. */
export function createSessions(history: HistoryPort | undefined): Sessions {
  const held = new LRUCache<string, Conversation>({ max: MAX_SESSIONS });
  return {
    load: async (sessionId, branch) => {
      const conversation = held.get(sessionId);
      const version = await versionOf(sessionId, history);
      // What was forgotten since it was read or kept must not be sent again.
      const stands = conversation !== undefined && conversation.version === version;
      if (stands && isOnBranch(conversation, branch)) return conversation;
      const read =
        history === undefined
          ? { turns: branchOf(conversation?.turns ?? [], branch) }
          : await readBack(sessionId, history, branch);
      return version === undefined ? read : { ...read, version };
    },
    begin: () => {
      const version = history?.firstVersion;
      return { turns: [], ...(version !== undefined && { version }) };
    },
    append: (sessionId, conversation, turn) => {
      // What could not be read back may be readable the next time: then it must not be hidden by a part of it.
      if (conversation.problem !== undefined) return;
      held.set(sessionId, { ...conversation, turns: [...conversation.turns, turn].slice(-MAX_TURNS) });
    },
    restore: (sessionId, summaryId) => {
      const conversation = held.get(sessionId);
      if (conversation === undefined) return;
      // The log knows it all, the summary that held before included.
      if (history !== undefined) held.delete(sessionId);
      else held.set(sessionId, restoredCuts(conversation, summaryId));
    },
  };
}

/** The turn that the next one of a conversation follows; null when it is the first. */
export function parentOf({ turns, problem }: Conversation): string | null {
  return problem === undefined ? (turns.at(-1)?.turnId ?? null) : UNKNOWN_PARENT;
}

/** How the past was cut for contexts of this length; nothing where it was not. */
export function cutFor({ cuts = [] }: Conversation, contextLength: number): HistoryCut | undefined {
  return cuts.findLast((cut) => cut.contextLength === contextLength);
}

/** The conversation with a new cut, which takes the place of an older one for the same length. */
export function withCut(conversation: Conversation, cut: HistoryCut): Conversation {
  const others = (conversation.cuts ?? []).filter((other) => other.contextLength !== cut.contextLength);
  return { ...conversation, cuts: [...others, cut].slice(-MAX_CUTS) };
}

async function versionOf(sessionId: string, history: HistoryPort | undefined): Promise<string | undefined> {
  try {
    return await history?.version?.(sessionId);
  } catch {
    // Then the turns can't be read either, and that says why.
    return undefined;
  }
}

/** Whether what is held is the branch that is wanted: it ends with the same turn. */
function isOnBranch({ turns }: Conversation, branch: Branch | undefined): boolean {
  return branch === undefined || (turns.at(-1)?.turnId ?? null) === branch.parentTurnId;
}

async function readBack(
  sessionId: string,
  history: HistoryPort,
  branch: Branch | undefined,
): Promise<Conversation> {
  try {
    const read = await history.turns(sessionId);
    if (!read.ok) return { turns: [], problem: read.failure };
    const turns = branchOf(read.value, branch);
    return { turns, ...summaryCuts(turns) };
  } catch (error) {
    const problem = failure("internal", "Its log could not be read.", { cause: describeError(error) });
    return { turns: [], problem };
  }
}

/** The turns of a branch, oldest first; of the newest one where none is named. */
function branchOf(turns: readonly PastTurn[], branch: Branch | undefined): readonly PastTurn[] {
  if (branch === undefined) return chainTo(turns, turns.length - 1);
  if (branch.parentTurnId === null) return [];
  const last = turns.findIndex(({ turnId }) => turnId === branch.parentTurnId);
  if (last >= 0) return chainTo(turns, last);
  const beside = turns.findIndex(({ turnId }) => turnId === branch.beside);
  return chainTo(turns, beside < 0 ? turns.length - 1 : placeBefore(turns, beside));
}

/** Where the turn stands that was written before another one, and follows another turn than that one. */
function placeBefore(turns: readonly PastTurn[], place: number): number {
  const parent = turns[place]?.parentTurnId;
  let at = place - 1;
  if (parent === UNKNOWN_PARENT) return at;
  while (at >= 0 && turns[at]?.parentTurnId === parent) at -= 1;
  return at;
}

/**
 * The turns that lead to one of them, by their parents: a fork leaves the other branch out. Where a parent is not in
 * the log (it was forgotten, or could not be read), the turn written before counts, unless both branch off there.
 */
function chainTo(turns: readonly PastTurn[], last: number): readonly PastTurn[] {
  const places = new Map(turns.map(({ turnId }, place) => [turnId, place]));
  const seen = new Set<number>();
  const chain: PastTurn[] = [];
  let place = last;
  while (chain.length < MAX_TURNS && !seen.has(place)) {
    const turn = turns[place];
    if (turn === undefined) break;
    seen.add(place);
    chain.push({ ...turn, messages: validHistory(turn.messages) });
    if (turn.parentTurnId === null) break;
    place = places.get(turn.parentTurnId) ?? placeBefore(turns, place);
  }
  return chain.reverse();
}
