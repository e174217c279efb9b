import type { ForkEdit, TurnFork } from "../../agent/events-fork.ts";
import type { Cell } from "../../trace/cells.ts";
import type { TurnModel } from "../../trace/model.ts";
import { PART_WORDS } from "./targets.ts";

/** The cell of a fork that repeats an event of the turn it branches off. */
function repeating(turn: TurnModel, eventId: string): Cell | undefined {
  for (const cell of turn.cells.values()) if (cell.replays === eventId) return cell;
  return undefined;
}

/** The first cell of a kind that was not taken over. */
function firstOwn(turn: TurnModel, kind: "model" | "tool"): Cell | undefined {
  for (const cell of turn.cells.values()) if (cell.kind === kind && cell.replays === undefined) return cell;
  return undefined;
}

/** Where a fork leaves the turn that it branches off, in words. */
export function leavesAt(turn: TurnModel, { eventId, edits }: TurnFork): string {
  if (eventId === undefined) return "at its question";
  const same = repeating(turn, eventId);
  if (same?.kind === "tool") return `at ${same.name}`;
  if (same?.kind === "agent") return `at the answer of ${same.agent}`;
  if (edits.some(({ part }) => part === "tool_arguments")) {
    const call = firstOwn(turn, "tool");
    if (call?.kind === "tool") return `at ${call.name}`;
  }
  const own = firstOwn(turn, "model");
  return own?.kind === "model" ? `at step ${own.step}` : "at a step";
}

/** What was changed for a fork, in words. */
export function whatChanged(turn: TurnModel, { edits, options = {} }: TurnFork): string {
  const words = [
    ...edits.map((edit) => editWords(turn, edit)),
    ...(options.model === undefined ? [] : [`the model (${options.model})`]),
    ...(options.temperature === undefined ? [] : [`the temperature (${options.temperature})`]),
    ...(options.think === undefined ? [] : [`thinking (${options.think === false ? "off" : "on"})`]),
    ...(options.committee === undefined
      ? []
      : [options.committee ? "who answers (the committee)" : "who answers (one agent)"]),
    ...(options.agent === undefined ? [] : [`who answers (${options.agent})`]),
  ];
  return words.length === 0 ? "nothing: it was asked once more" : words.join(", ");
}

function editWords(turn: TurnModel, { part, eventId }: ForkEdit): string {
  const cell = eventId === undefined ? undefined : repeating(turn, eventId);
  if (part === "tool_result" && cell?.kind === "tool") return `the result of ${cell.name}`;
  if (part === "answer" && cell?.kind === "agent") return `what ${cell.agent} said`;
  // A file may name any part.
  return Object.hasOwn(PART_WORDS, part) ? PART_WORDS[part] : "something";
}

/** What was changed at a cell of a fork, if something was. */
export function editAt(
  turn: TurnModel,
  cell: { readonly kind: string; readonly replays?: string },
): ForkEdit | undefined {
  const { fork } = turn;
  if (fork === undefined) return undefined;
  return fork.edits.find((edit) => {
    if (edit.part === "question") return cell.kind === "question";
    if (edit.part === "tool_arguments") return cell === firstOwn(turn, "tool");
    if (edit.part === "tool_result" || edit.part === "answer") return cell.replays === edit.eventId;
    return cell === firstOwn(turn, "model");
  });
}
