import { isTaken } from "../../fold-after.ts";
import { oneLine } from "../../text.ts";
import type { TurnModel } from "../../model.ts";
import { blocksOf } from "./blocks.ts";
import { judgementLines } from "./judgements.ts";
import { block } from "./make.ts";
import type { Requests } from "./requests.ts";
import type { StoryBlock, StoryPart } from "./types.ts";
import { duration, joined } from "./words.ts";

const MAX_SUMMARY = 160;

/** What respondent B answered, what was said of it, and how it came about; nothing where there is no such answer. */
export function otherBlocks(turn: TurnModel, requests: Requests): readonly StoryBlock[] {
  const { shadow, other } = turn;
  if (shadow === undefined && other === undefined) return [];
  const answer = shadow?.answer ?? other?.answer ?? "";
  const said = other === undefined ? [] : judgementLines(other);
  const parts: StoryPart[] = [
    ...(answer === "" ? [] : [{ kind: "markdown" as const, text: answer }]),
    ...said.map((text) => ({ kind: "text" as const, label: "Judged", text })),
  ];
  const who = shadow === undefined ? (other?.agent ?? "") : joined(shadow.agent, shadow.model);
  return [
    block("agent", "Second answer (B)", {
      summary: joined(
        who,
        isTaken(turn) ? "taken by the user" : undefined,
        shadow?.error?.message,
        oneLine(answer, MAX_SUMMARY),
      ),
      took: duration(shadow?.durationMs),
      parts,
      children: other === undefined ? [] : blocksOf(other, other.roots, { answer: undefined, requests }),
    }),
  ];
}
