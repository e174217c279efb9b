import { LRUCache } from "lru-cache";
import { validHistory } from "./conversation.ts";
import { describeError, failure, type Failure } from "./failure.ts";
import { UNKNOWN_PARENT, type HistoryPort, type PastTurn } from "./history-port.ts";

/** Sessions held in memory; the least recently used leaves first. */
const MAX_SESSIONS = 50;

/** Turns held of each session: the newest. */
const MAX_TURNS = 50;

/** Which turns no longer fitted the context. It holds as long as the context is of the same length. */
export interface HistoryCut {
  /** The oldest turn that is still sent; the one after the cut when none is. */
  readonly from: string;
  readonly contextLength: number;
}

/** The conversation of a session. */
export interface Conversation {
  /** Each turn follows the one before it, oldest first; the newest 50 at most. */
  readonly turns: readonly PastTurn[];
  readonly cut?: HistoryCut;
  /** Which state of the session it was read from, where the history tells. */
  readonly version?: string;
  /** Why earlier turns could not be read back. */
  readonly problem?: Failure;
}

/** The conversations of all sessions: some in memory, the others read back when they go on. */
export interface Sessions {
  /** Never throws or rejects; a session that nobody knows is empty. */
  load(sessionId: string): Promise<Conversation>;
  /** Adds a finished turn to its conversation. */
  append(sessionId: string, conversation: Conversation, turn: PastTurn): void;
}

/** An empty memory of sessions over the log on disk. */
export function createSessions(history: HistoryPort | undefined): Sessions {
  const held = new LRUCache<string, Conversation>({ max: MAX_SESSIONS });
  return {
    load: async (sessionId) => {
      const conversation = held.get(sessionId);
      const version = await versionOf(sessionId, history);
      // What was forgotten since it was read or kept must not be sent again.
      if (conversation !== undefined && conversation.version === version) return conversation;
      const read = history === undefined ? { turns: [] } : await readBack(sessionId, history);
      return version === undefined ? read : { ...read, version };
    },
    append: (sessionId, conversation, turn) => {
      // What could not be read back may be readable the next time: then it must not be hidden by a part of it.
      if (conversation.problem !== undefined) return;
      held.set(sessionId, { ...conversation, turns: [...conversation.turns, turn].slice(-MAX_TURNS) });
    },
  };
}

/** The turn that the next one of a conversation follows; null when it is the first. */
export function parentOf({ turns, problem }: Conversation): string | null {
  return problem === undefined ? (turns.at(-1)?.turnId ?? null) : UNKNOWN_PARENT;
}

/** The turns that are sent with a context of this length: all, or those behind an earlier cut, which is kept. */
export function sentTurns({ turns, cut }: Conversation, contextLength: number): readonly PastTurn[] {
  if (cut?.contextLength !== contextLength) return turns;
  const from = turns.findIndex(({ turnId }) => turnId === cut.from);
  return from < 0 ? turns : turns.slice(from);
}

async function versionOf(sessionId: string, history: HistoryPort | undefined): Promise<string | undefined> {
  try {
    return await history?.version?.(sessionId);
  } catch {
    // Then the turns can't be read either, and that says why.
    return undefined;
  }
}

async function readBack(sessionId: string, history: HistoryPort): Promise<Conversation> {
  try {
    const read = await history.turns(sessionId);
    return read.ok ? { turns: newestChain(read.value) } : { turns: [], problem: read.failure };
  } catch (error) {
    const problem = failure("internal", "Its log could not be read.", { cause: describeError(error) });
    return { turns: [], problem };
  }
}

/**
 * The turns that lead to the newest one, by their parents: a fork leaves the other branch out. Where a parent is not in
 * the log (it could not be read when the turn was asked, or its record is damaged), the turn written before counts.
 */
function newestChain(turns: readonly PastTurn[]): readonly PastTurn[] {
  const places = new Map(turns.map(({ turnId }, place) => [turnId, place]));
  const seen = new Set<number>();
  const chain: PastTurn[] = [];
  let place = turns.length - 1;
  while (chain.length < MAX_TURNS && !seen.has(place)) {
    const turn = turns[place];
    if (turn === undefined) break;
    seen.add(place);
    chain.push({ ...turn, messages: validHistory(turn.messages) });
    if (turn.parentTurnId === null) break;
    place = places.get(turn.parentTurnId) ?? place - 1;
  }
  return chain.reverse();
}
