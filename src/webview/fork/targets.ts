import type { ForkPart } from "../../agent/events-fork.ts";
import type { AgentCell, ModelCell, ToolCell } from "../../trace/cells.ts";
import { agentAbove, agentName, type TurnModel } from "../../trace/model.ts";
import { OTHER } from "../../trace/respondent.ts";
import type { ShownCell } from "../shown-cells.ts";

/** A text that can be changed, and where the turn then runs on from. */
export interface Target {
  readonly part: ForkPart;
  /** In the editor's menu, where a place has several texts. */
  readonly label: string;
  /** The event whose text it is; left out: the turn's question. */
  readonly eventId?: string;
}

/** What can be done at a place of a turn. */
export interface Place {
  /** The cell, or the member's box, at which it is shown. */
  readonly id: string;
  /** What is meant, for those who hear the buttons: `step 2`, `web_search`. */
  readonly name: string;
  /** Where it runs on from without a change; left out: from the question. */
  readonly eventId?: string;
  readonly targets: readonly Target[];
}

/** What can be done at a cell; undefined where nothing can. */
export function placeOf(turn: TurnModel, cell: ShownCell): Place | undefined {
  // What respondent B did led to no answer that the conversation goes on with.
  if (cell.respondent === OTHER) return undefined;
  switch (cell.kind) {
    case "question":
      return { id: cell.id, name: "the question", targets: [{ part: "question", label: "The question" }] };
    case "model":
      return modelPlace(turn, cell);
    case "tool":
      return cell.chained === true ? undefined : toolPlace(cell);
    default:
      return undefined;
  }
}

function modelPlace(turn: TurnModel, cell: ModelCell): Place | undefined {
  const { id, step, agent } = cell;
  const role = agentAbove(turn, cell)?.role;
  // What judges and summarisers are asked leads to no answer of their own.
  if (step === 0 || role === "judge" || role === "summariser") return undefined;
  const isApart = role === "delegate";
  return {
    ...{ id, name: `step ${step} of ${agent}`, eventId: id },
    targets: [
      { part: "system", label: "The rules", eventId: id },
      { part: "recalled", label: "What was recalled", eventId: id },
      ...(isApart ? [] : [{ part: "question" as const, label: "The question", eventId: id }]),
      { part: "tail", label: "What stands behind the question", eventId: id },
    ],
  };
}

function toolPlace({ id, name, result }: ToolCell): Place {
  return {
    ...{ id, name, eventId: id },
    targets: [
      ...(result === undefined ? [] : [{ part: "tool_result" as const, label: "The result", eventId: id }]),
      { part: "tool_arguments", label: "The arguments", eventId: id },
    ],
  };
}

/** What can be done at what a member of a committee said; undefined where it is no answer of a committee's. */
export function memberPlace(turn: TurnModel, member: AgentCell): Place | undefined {
  const { id, role } = member;
  const round = member.parentId === null ? undefined : turn.cells.get(member.parentId);
  if (role !== "persona" || round?.kind !== "round") return undefined;
  return {
    ...{ id, name: `the answer of ${agentName(member)}`, eventId: id },
    targets: [{ part: "answer", label: "The answer", eventId: id }],
  };
}

/** The whole turn once more, as is offered under its answer. */
export function wholeTurn({ id }: { readonly id: string }): Place {
  return { id, name: "this turn", targets: [] };
}

/** What a part is called in a sentence. */
export const PART_WORDS: Readonly<Record<ForkPart, string>> = {
  question: "the question",
  system: "the rules",
  recalled: "what was recalled",
  tail: "what stands behind the question",
  answer: "an answer",
  tool_result: "the result of a tool",
  tool_arguments: "the arguments of a call",
};

/** Whether something can branch off a turn now. */
export function mayBranch(turn: TurnModel): boolean {
  return turn.status !== "running" && turn.forgotten === undefined && !hasTalk(turn);
}

function hasTalk(turn: TurnModel): boolean {
  return turn.roots.some((id) => turn.cells.get(id)?.kind === "sandbox");
}
