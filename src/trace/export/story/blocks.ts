import { oneLine } from "../../text.ts";
import type { Cell, ModelCell, ToolCell } from "../../cells.ts";
import type { TurnModel } from "../../model.ts";
import { groupBlock } from "./groups.ts";
import { block, jsonPart, took } from "./make.ts";
import { memoriesTable } from "./memories.ts";
import type { Requests } from "./requests.ts";
import type { StoryBlock, StoryPart } from "./types.ts";
import { count, duration, joined, tokens } from "./words.ts";
import { checkWords } from "../../check-words.ts";

const MAX_SUMMARY = 160;

/**
 * The blocks of some cells, in order. Steps are no blocks of their own, the question stands at the head of the turn,
 * and so does its answer (`answer`: the id of that cell).
 */
export function blocksOf(
  turn: TurnModel,
  ids: readonly string[],
  told: { readonly answer: string | undefined; readonly requests: Requests },
): readonly StoryBlock[] {
  return ids.flatMap((id): readonly StoryBlock[] => {
    const cell = turn.cells.get(id);
    if (cell === undefined || cell.kind === "question") return [];
    const children = blocksOf(turn, cell.children, told);
    if (cell.kind === "step") return children;
    if (cell.id === told.answer) return [];
    return cellBlocks(cell, children, told.requests);
  });
}

function cellBlocks(
  cell: Exclude<Cell, { readonly kind: "question" | "step" }>,
  children: readonly StoryBlock[],
  requests: Requests,
): readonly StoryBlock[] {
  switch (cell.kind) {
    case "model":
      return [modelBlock(cell, requests), ...children];
    case "thinking":
      return [
        block("thinking", "Thinking", {
          summary: oneLine(cell.text, MAX_SUMMARY),
          took: took(cell),
          parts: [{ kind: "text", label: "", text: cell.text }],
        }),
      ];
    case "answer":
    case "remark":
      return [
        block("answer", cell.kind === "answer" ? "Answer" : "Remark", {
          summary: oneLine(cell.text, MAX_SUMMARY),
          parts: [{ kind: "markdown", text: cell.text }],
        }),
      ];
    case "tool":
      return [toolBlock(cell, children)];
    case "check":
      return [block("note", "Check", { summary: checkWords(cell) })];
    case "warning":
      return [block("note", "Warning", { summary: cell.message })];
    case "error":
      return [
        block("problem", "Error", {
          summary: cell.failure.message,
          parts: causePart(cell.failure.cause),
        }),
      ];
    case "output":
      return [
        block("answer", "Structured output", {
          summary: joined(cell.repaired ? "repaired once" : "", cell.error?.message),
          parts: cell.value === undefined ? [] : [jsonPart("Value", cell.value)],
        }),
      ];
    case "compaction":
      return [
        block("note", "Compaction", {
          summary: joined(
            cell.how,
            `${count(cell.before)} to ${count(cell.after)} tokens`,
            cell.restored === true ? "taken back" : "",
            cell.error?.message,
          ),
          parts: cell.summary === undefined ? [] : [{ kind: "text", label: "Summary", text: cell.summary }],
        }),
      ];
    default:
      return [groupBlock(cell, children)];
  }
}

function modelBlock(cell: ModelCell, requests: Requests): StoryBlock {
  const { inputTokens, outputTokens, loadMs, promptMs, generationMs, firstChunkMs } = cell;
  const times = [
    ["loading", loadMs],
    ["prompt", promptMs],
    ["first output after", firstChunkMs],
    ["generation", generationMs],
  ] as const;
  const facts = times.flatMap(([name, ms]) =>
    ms === undefined || ms < 0.5 ? [] : [[name, duration(ms)] as const],
  );
  return block("model", `Request to ${cell.model}`, {
    summary: joined(tokens(inputTokens, outputTokens), cell.finishReasons.join(", "), cell.error?.message),
    took: duration(cell.durationMs),
    parts: [...(facts.length > 0 ? [{ kind: "facts", facts } as const] : []), ...requests.partsOf(cell.id)],
  });
}

function toolBlock(cell: ToolCell, children: readonly StoryBlock[]): StoryBlock {
  const { result, details, error, mended } = cell;
  const memories = memoriesTable(details);
  const parts: StoryPart[] = [jsonPart("Arguments", cell.arguments)];
  if (memories !== undefined) parts.push(memories);
  if (result !== undefined)
    parts.push({ kind: "text", label: "Result, as the model was given it", text: result });
  if (error !== undefined) parts.push({ kind: "text", label: "Error", text: error.message });
  if (details?.data !== undefined && memories === undefined)
    parts.push(jsonPart("Details, not shown to the model", details.data));
  if (mended.length > 0) parts.push({ kind: "text", label: "Mended in the call", text: mended.join("\n") });
  return block(memories === undefined ? "tool" : "memory", cell.name, {
    summary: joined(
      details?.summary,
      error?.message,
      cell.recoveredFrom === undefined ? "" : `recovered from the model's ${cell.recoveredFrom}`,
      cell.attempts > 1 ? `${count(cell.attempts)} tries` : "",
    ),
    took: duration(cell.durationMs),
    ...{ parts, children },
  });
}

function causePart(cause: string | undefined): readonly StoryPart[] {
  return cause === undefined ? [] : [{ kind: "text", label: "Cause", text: cause }];
}
