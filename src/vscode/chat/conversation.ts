import { z } from "zod";
import type { ChatMessage } from "../../agent/models/types.ts";

/** What a chat result carries, so that a later request finds its session, and buttons and thumbs find the turn. */
export const ResultMetadata = z.object({
  /** Left out when the chat has no session yet: a listing or a note came first. */
  sessionId: z.string().min(1).max(200).optional(),
  /** Left out when no turn ran: a listing, a note, a refusal. */
  turnId: z.string().min(1).max(200).optional(),
  outcome: z.enum(["answered", "failed", "cancelled", "refused"]),
  /** The question, cut, for follow-ups. */
  question: z.string(),
  /** It belongs to a private session. */
  private: z.literal(true).optional(),
});
/** What a chat result carries. */
export type ResultMetadata = z.infer<typeof ResultMetadata>;

/** One exchange of a chat as VS Code remembers it. */
export interface ChatExchange {
  readonly question: string;
  /** The text that was shown. */
  readonly answer: string;
  /** The metadata of its result, not checked: it comes back from VS Code's own storage. */
  readonly metadata: unknown;
}

/** Which session a request goes on with, and what our log lacks of it. */
export interface Conversation {
  /** Left out: a new session begins. */
  readonly sessionId?: string;
  /** Turns of the chat that the log lacks, oldest first. */
  readonly history: readonly ChatMessage[];
}

/** Characters of VS Code's history that are handed on at most; the newest are kept. */
const MAX_HISTORY_CHARS = 200_000;

/** Reads a result's metadata; anything that isn't ours is undefined. */
export function readMetadata(metadata: unknown): ResultMetadata | undefined {
  const parsed = ResultMetadata.safeParse(metadata);
  return parsed.success ? parsed.data : undefined;
}

/**
 * The exchanges that a chat goes on from. Those of a private session that is gone count no more, although the editor
 * still shows them: what they say must not get into a session that is kept.
 *
 * @param isThere whether a private session lives on in this window, or was saved
 */
export async function exchangesThatCount(
  exchanges: readonly ChatExchange[],
  isThere: (sessionId: string) => Promise<boolean>,
): Promise<readonly ChatExchange[]> {
  const counted = await Promise.all(
    exchanges.map(async (exchange) => {
      const metadata = readMetadata(exchange.metadata);
      if (metadata?.private !== true) return [exchange];
      const { sessionId } = metadata;
      return sessionId !== undefined && (await isThere(sessionId)) ? [exchange] : [];
    }),
  );
  return counted.flat();
}

/** The session that a chat belongs to: that of its last turn of ours. A chat without one begins a new session. */
export function sessionOf(exchanges: readonly ChatExchange[]): string | undefined {
  return exchanges.map((exchange) => readMetadata(exchange.metadata)?.sessionId).findLast(Boolean);
}

/**
 * Which session to go on with, and what VS Code's history has to fill in: the exchanges whose turn our log does not
 * have.
 *
 * @param known ids of the turns of that session in our log
 */
export function conversation(exchanges: readonly ChatExchange[], known: ReadonlySet<string>): Conversation {
  const sessionId = sessionOf(exchanges);
  const history: ChatMessage[] = [];
  let room = MAX_HISTORY_CHARS;
  for (const { question, answer, metadata } of exchanges.toReversed()) {
    const turnId = readMetadata(metadata)?.turnId;
    if (turnId !== undefined && known.has(turnId)) continue;
    if (question.trim() === "" || answer.trim() === "") continue;
    room -= question.length + answer.length;
    if (room < 0) break;
    history.unshift({ role: "user", content: question }, { role: "assistant", content: answer });
  }
  return { ...(sessionId === undefined ? {} : { sessionId }), history };
}
