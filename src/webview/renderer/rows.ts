import type { AgentCell, Cell, CommitteeCell } from "../../trace/cells.ts";
import { isAnswering } from "../../trace/fold-model.ts";
import { agentName, answerCell, type TurnModel } from "../../trace/model.ts";
import { toolSummary } from "../cells/tool.tsx";
import { count, duration } from "../format.ts";
import { toolLook } from "../tool-icons.ts";
import type { IconName } from "./icons.tsx";
import { checkWords } from "../../trace/check-words.ts";

/** The most rows that are drawn at once. */
export const MAX_ROWS = 400;
const LINE = 160;

/** A cell of the turn as a line of the output. */
export interface Row {
  readonly id: string;
  readonly cell: Cell;
  readonly icon: IconName;
  /** What it means, as a colour. */
  readonly tone: string;
  readonly what: string;
  readonly summary: string;
  /** How far it stands in. */
  readonly depth: number;
  /** Other rows stand under it when it is open. */
  readonly holds: boolean;
}

type Look = Pick<Row, "icon" | "tone" | "what" | "summary">;

function oneLine(text: string): string {
  return text
    .slice(0, LINE * 2)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LINE);
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}

function tokens(input: number | undefined, output: number | undefined): string {
  if (input === undefined && output === undefined) return "";
  return `${count(input ?? 0)} in / ${count(output ?? 0)} out`;
}

function agentLook(cell: AgentCell): Look {
  const role = cell.role === "persona" ? "" : (cell.role ?? "");
  const said = cell.error?.message ?? oneLine(cell.answer);
  const summary = joined(role, cell.model, tokens(cell.inputTokens, cell.outputTokens), said);
  return { icon: "people", tone: "model", what: agentName(cell), summary };
}

function committeeLook(cell: CommitteeCell): Look {
  const { personas, strategy, roundsHad, rounds } = cell;
  const had = `${count(roundsHad ?? 0)} of ${count(rounds)} rounds`;
  return {
    icon: "people",
    tone: "tool",
    what: "Committee",
    summary: joined(strategy, `${count(personas.length)} personas`, had),
  };
}

/** How a cell's line looks; undefined for what has none of its own. */
function lookOf(cell: Cell): Look | undefined {
  switch (cell.kind) {
    case "thinking":
      return { icon: "thinking", tone: "thinking", what: "Thinking", summary: oneLine(cell.text) };
    case "model":
      return {
        icon: cell.error === undefined ? "model" : "error",
        tone: cell.error === undefined ? "model" : "error",
        what: cell.step > 0 ? `Step ${cell.step}` : "Model",
        summary: joined(cell.model, tokens(cell.inputTokens, cell.outputTokens), cell.error?.message),
      };
    case "tool": {
      const { tone } = toolLook(cell.name);
      const icon = cell.error !== undefined ? "error" : tone === "memory" ? "memory" : "tool";
      return {
        icon,
        tone: cell.error === undefined ? tone : "error",
        what: cell.name,
        summary: toolSummary(cell),
      };
    }
    case "remark":
    case "answer":
      return { icon: "text", tone: "model", what: "Said", summary: oneLine(cell.text) };
    case "check":
      return { icon: "model", tone: "model", what: "Check", summary: checkWords(cell) };
    case "warning":
      return { icon: "warning", tone: "warning", what: "Warning", summary: cell.message };
    case "error":
      return { icon: "error", tone: "error", what: "Error", summary: cell.failure.message };
    case "compaction":
      return {
        icon: "context",
        tone: "warning",
        what: "Context",
        summary: `${cell.how}: ${count(cell.before)} to ${count(cell.after)} tokens`,
      };
    case "output":
      return { icon: "text", tone: "answer", what: "Output", summary: cell.error?.message ?? "" };
    case "round": {
      const agreed = cell.agreed === undefined ? "" : cell.agreed ? "they agree" : "they differ";
      const members = `${count(cell.children.length)} ${cell.children.length === 1 ? "view" : "views"}`;
      return { icon: "people", tone: "tool", what: `Round ${cell.index}`, summary: joined(members, agreed) };
    }
    case "committee":
      return committeeLook(cell);
    case "sandbox":
      return { icon: "people", tone: "tool", what: "Sandbox", summary: oneLine(cell.scenario) };
    case "agent":
      return agentLook(cell);
    case "question":
    case "step":
      return undefined;
  }
}

/** Whether other rows stand under a cell, folded away until it is opened. */
function holds(cell: Cell): boolean {
  return cell.kind === "round" || cell.kind === "sandbox" || (cell.kind === "agent" && !answersAlone(cell));
}

function answersAlone(cell: AgentCell): boolean {
  return isAnswering(cell) && cell.role !== "synthesizer";
}

/** How long a cell took, in words; nothing while it runs, or where it took no time. */
export function timeOf({ start, end, kind }: Cell): string {
  if (end === undefined || kind === "warning" || kind === "compaction" || kind === "output") return "";
  return duration(end - start);
}

/**
 * The lines of a turn in reading order. What answers the turn is drawn below them and is none; what stands under a round
 * or a persona is there when that is open.
 */
export function rowsOf(turn: TurnModel, isOpen: (id: string) => boolean): readonly Row[] {
  const rows: Row[] = [];
  const final = answerCell(turn);
  const isFinal = (cell: Cell): boolean => cell.id === final?.id && final.text === turn.answer;
  const visit = (ids: readonly string[], depth: number): void => {
    for (const id of ids) {
      const cell = turn.cells.get(id);
      if (cell !== undefined && rows.length <= MAX_ROWS) show(cell, depth);
    }
  };
  const show = (cell: Cell, depth: number): void => {
    const isTransparent = cell.kind === "agent" && answersAlone(cell);
    const look = isTransparent || isFinal(cell) ? undefined : lookOf(cell);
    if (look !== undefined) rows.push({ ...look, id: cell.id, cell, depth, holds: holds(cell) });
    if (!holds(cell)) visit(cell.children, depth);
    else if (isOpen(cell.id)) visit(cell.children, depth + 1);
  };
  visit(turn.roots, 0);
  return rows;
}
