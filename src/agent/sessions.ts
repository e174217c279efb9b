import { LRUCache } from "lru-cache";
import { validHistory } from "./conversation.ts";
import { describeError, failure, type Failure } from "./failure.ts";
import type { HistoryPort, PastTurn } from "./history-port.ts";

/** Sessions held in memory; the least recently used leaves first. */
const MAX_SESSIONS = 50;

/** Turns held of each session: the newest. */
const MAX_TURNS = 50;

/** The conversation of a session. */
export interface Conversation {
  /** Each turn follows the one before it, oldest first; the newest 50 at most. */
  readonly turns: readonly PastTurn[];
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
  const held = new LRUCache<string, readonly PastTurn[]>({ max: MAX_SESSIONS });
  return {
    load: async (sessionId) => {
      const turns = held.get(sessionId);
      if (turns !== undefined) return { turns };
      return history === undefined ? { turns: [] } : readBack(sessionId, history);
    },
    append: (sessionId, conversation, turn) => {
      // What could not be read back may be readable the next time: then it must not be hidden by a part of it.
      if (conversation.problem !== undefined) return;
      held.set(sessionId, [...conversation.turns, turn].slice(-MAX_TURNS));
    },
  };
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

/** The turns that lead to the newest one, by their parents: a fork leaves the other branch out. */
function newestChain(turns: readonly PastTurn[]): readonly PastTurn[] {
  const byId = new Map(turns.map((turn) => [turn.turnId, turn]));
  const chain: PastTurn[] = [];
  let next = turns.at(-1);
  while (next !== undefined && chain.length < MAX_TURNS) {
    byId.delete(next.turnId);
    chain.push({ ...next, messages: validHistory(next.messages) });
    next = next.parentTurnId === null ? undefined : byId.get(next.parentTurnId);
  }
  return chain.reverse();
}
