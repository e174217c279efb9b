import { readMetadata } from "./conversation.ts";
import { shorten } from "./words.ts";

/** A question offered under an answer. */
export interface FollowUp {
  readonly prompt: string;
  readonly label: string;
  readonly command?: string;
}

/** What to offer after a turn; nothing after one that was refused, cancelled or not ours. */
export function followUps(metadata: unknown): readonly FollowUp[] {
  const result = readMetadata(metadata);
  if (result?.turnId === undefined) return [];
  const question = shorten(result.question, 200);
  // Of a private turn the question is not kept: there is nothing to ask again or to look for.
  const isKnown = question !== "";
  if (result.outcome === "failed") return isKnown ? [{ prompt: question, label: "Ask again" }] : [];
  if (result.outcome !== "answered") return [];
  return [
    { prompt: "What does this answer rest on, and how sure are you?", label: "What does this rest on?" },
    ...(isKnown
      ? [{ prompt: question, command: "recall", label: "What else do you remember about this?" }]
      : []),
  ];
}
