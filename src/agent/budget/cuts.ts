import type { PastTurn } from "../sessions/history-port.ts";
import type { Conversation, HistoryCut } from "../sessions/types.ts";

/** Context lengths for which cuts are read back. */
const MAX_LENGTHS = 4;

/**
 * The cuts that a conversation's own summaries stand for, read back from its log: for each context length the newest
 * summary that the user did not take back, with the turns of those that were.
 */
export function summaryCuts(turns: readonly PastTurn[]): { readonly cuts?: readonly HistoryCut[] } {
  const places = new Map(turns.map(({ turnId }, place) => [turnId, place]));
  const cuts = new Map<number, HistoryCut>();
  for (const { turnId, summaries = [] } of turns) {
    for (const { id, text, turns: replaced, contextLength, restored } of summaries) {
      const before = cuts.get(contextLength);
      const all = [...(before?.restored ?? []), ...(restored ? replaced : [])];
      const kept = all.length > 0 && { restored: all };
      if (restored) {
        const from = before?.from ?? turns[0]?.turnId ?? turnId;
        cuts.set(contextLength, { ...before, from, contextLength, restored: all });
        continue;
      }
      // Those that are no longer held were replaced too: the newest of the others tells where the summary ends.
      const last = Math.max(-1, ...replaced.map((replacedId) => places.get(replacedId) ?? -1));
      const from = turns[last + 1]?.turnId ?? turnId;
      cuts.set(contextLength, { from, contextLength, summary: { id, text, turns: replaced }, ...kept });
    }
  }
  return cuts.size === 0 ? {} : { cuts: [...cuts.values()].slice(-MAX_LENGTHS) };
}

/** The conversation without a summary: the turns it stood for are sent again, and not summed up any more. */
export function restoredCuts(conversation: Conversation, summaryId: string): Conversation {
  const cuts = (conversation.cuts ?? []).map((cut): HistoryCut => {
    if (cut.summary?.id !== summaryId) return cut;
    const { contextLength, restored = [], summary } = cut;
    const from = conversation.turns[0]?.turnId ?? cut.from;
    return { from, contextLength, restored: [...restored, ...summary.turns] };
  });
  return { ...conversation, cuts };
}

/** The id of the summary that stands in a conversation for the context used last; nothing where none does. */
export function standingSummary({ cuts = [] }: Conversation): string | undefined {
  return cuts.findLast(({ summary }) => summary !== undefined)?.summary?.id;
}
