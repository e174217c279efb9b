/** From this likeness of words on a memory repeats another; below it it says something of its own. */
const ALIKE = 0.6;
/** What saying the same as a better one costs at most. */
const COST = 0.3;
/** What of a text is compared, in words. */
const MAX_WORDS = 200;

/**
 * Orders memories so that each next one is good and says something new (maximal marginal relevance): what repeats a
 * better one, word for word or nearly, gives way. Keeps the order of equals; gives `limit` of them.
 *
 * @param items best first
 */
export function diverse<T extends { readonly value: number; readonly text: string }>(
  items: readonly T[],
  limit: number,
): T[] {
  const rest = items.map((item) => ({ item, words: wordsOf(item.text), likest: 0 }));
  const chosen: T[] = [];
  while (chosen.length < limit) {
    const next = rest.reduce<Rest<T> | undefined>(
      (best, each) => (best === undefined || worth(each) > worth(best) ? each : best),
      undefined,
    );
    if (next === undefined) break;
    rest.splice(rest.indexOf(next), 1);
    chosen.push(next.item);
    for (const each of rest) each.likest = Math.max(each.likest, likeness(next.words, each.words));
  }
  return chosen;
}

/** A memory that was not chosen yet, and how much it is like the likest of those that were. */
interface Rest<T> {
  readonly item: T;
  readonly words: ReadonlySet<string>;
  likest: number;
}

function worth({ item, likest }: { item: { readonly value: number }; likest: number }): number {
  return item.value - (COST * Math.max(0, likest - ALIKE)) / (1 - ALIKE);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_WORDS));
}

/** Words in common, of all words of both: 0..1. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  return common / (one.size + other.size - common);
}
