import type { TurnModel } from "../../model.ts";
import { block } from "./make.ts";
import type { StoryBlock, StoryPart } from "./types.ts";
import { counted, duration, joined } from "./words.ts";

/** What memory gave to the turn by itself, and what it took from it. */
export function memoryBlocks(turn: TurnModel): readonly StoryBlock[] {
  return [...card(turn), ...remembered(turn)];
}

function card({ card: given }: TurnModel): readonly StoryBlock[] {
  if (given === undefined || given.parts.length === 0) return [];
  const rows = given.parts.map(({ kind, text }) => [kind, text]);
  return [
    block("memory", "Recalled before the question", {
      summary: counted(given.parts.length, "line"),
      parts: [{ kind: "table", label: "", head: ["What", "Text"], rows }],
    }),
  ];
}

function remembered({ remembered: kept, learned }: TurnModel): readonly StoryBlock[] {
  if (kept === undefined && learned === undefined) return [];
  const known = learned?.["conclave.learned"];
  const rows = [
    ...(known?.added ?? []).map(({ text }) => ["new", text]),
    ...(known?.repeated ?? []).map(({ text }) => ["known", text]),
    ...(known?.closed ?? []).map(({ text }) => ["no longer holds", text]),
    ...(known?.rejected ?? []).map(({ text, reason }) => [`not kept: ${reason}`, text]),
  ];
  const parts: readonly StoryPart[] =
    rows.length === 0 ? [] : [{ kind: "table", label: "Learnt", head: ["What", "Text"], rows }];
  return [
    block("memory", "Memory", {
      summary: joined(
        kept === undefined ? "" : (kept.error?.message ?? "the turn is remembered"),
        learned === undefined ? "" : counted(learned["conclave.extracted"], "new fact"),
        learned?.["conclave.skipped"],
        learned?.error?.message,
      ),
      took: duration(learned?.["conclave.duration_ms"]),
      parts,
    }),
  ];
}
