import type { MemoryHit } from "./memory-port.ts";

/** What speaks for a hit, in the words of a sentence; a part below `least` is not worth a word. */
const REASONS: readonly { readonly part: string; readonly least: number; readonly words: string }[] = [
  { part: "text", least: 0.3, words: "it holds words of the question" },
  { part: "vector", least: 0.5, words: "it means something alike" },
  { part: "window", least: 0.5, words: "the talk around it is about this" },
  { part: "textNeighbours", least: 0.3, words: "the turns beside it hold words of the question" },
  { part: "vectorNeighbours", least: 0.3, words: "the turns beside it mean something alike" },
  { part: "speaker", least: 1, words: "the one named said it" },
  { part: "time", least: 0.5, words: "it is of the time asked about" },
  { part: "rerank", least: 0.5, words: "the reranker takes it for an answer" },
];

/** What raised or lowered it beyond that. */
const ADDITIONS: readonly { readonly part: string; readonly words: readonly [string, string] }[] = [
  { part: "score", words: ["a good grade", "a bad grade"] },
  { part: "verdict", words: ["a duel won", "a duel lost"] },
  { part: "reward", words: ["good feedback", "bad feedback"] },
  { part: "pin", words: ["its pin", "its pin"] },
];

/**
 * Why a memory was recalled, as one plain sentence made of the parts of its value: "Recalled because it holds words of
 * the question and the one named said it; raised by a good grade."
 */
export function explainHit({ parts }: Pick<MemoryHit, "parts">): string {
  const reasons = REASONS.filter(({ part, least }) => (parts[part] ?? 0) >= least).map(({ words }) => words);
  const because = reasons.length === 0 ? "nothing else came nearer to the question" : list(reasons);
  const raised = changes(parts, 1);
  const lowered = changes(parts, -1);
  const more = [
    ...(raised.length > 0 ? [`raised by ${list(raised)}`] : []),
    ...(lowered.length > 0 ? [`lowered by ${list(lowered)}`] : []),
  ];
  return `Recalled because ${because}${more.length > 0 ? `; ${list(more)}` : ""}.`;
}

function changes(parts: MemoryHit["parts"], sign: 1 | -1): string[] {
  return ADDITIONS.filter(({ part }) => Math.sign(parts[part] ?? 0) === sign).map(
    ({ words }) => words[sign === 1 ? 0 : 1],
  );
}

function list(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
}
