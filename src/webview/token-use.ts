import type { ModelCell, TextCell, ThinkingCell } from "../trace/cells.ts";
import type { TurnModel } from "../trace/model.ts";

/** Tokens that a text took. Servers count a call's output as a whole: what was thought and what was said share it. */
export interface AnswerUse {
  readonly tokens: number;
  /** Nothing else came of the call, so that the server's own count is that of the text. */
  readonly exact: boolean;
}

function lengthOf(turn: TurnModel, id: string): number {
  const cell = turn.cells.get(id);
  return cell?.kind === "thinking" || cell?.kind === "answer" || cell?.kind === "remark"
    ? cell.text.length
    : 0;
}

function callOf(turn: TurnModel, cell: TextCell | ThinkingCell): ModelCell | undefined {
  const above = cell.parentId === null ? undefined : turn.cells.get(cell.parentId);
  return above?.kind === "model" ? above : undefined;
}

/** What a text or a thought took of its call's output; undefined where that was not counted. */
export function answerUse(turn: TurnModel, cell: TextCell | ThinkingCell): AnswerUse | undefined {
  const call = callOf(turn, cell);
  if (call?.outputTokens === undefined) return undefined;
  const calls = call.calls.length === 0 ? 0 : JSON.stringify(call.calls).length;
  const all = lengthOf(turn, `${call.id}/thinking`) + lengthOf(turn, `${call.id}/text`) + calls;
  const own = lengthOf(turn, cell.id);
  if (all === 0 || own === 0) return undefined;
  // What was said took at least one.
  return { tokens: Math.max(1, Math.round((call.outputTokens * own) / all)), exact: own === all };
}
