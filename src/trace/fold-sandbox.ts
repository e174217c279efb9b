import type { EventOf } from "../agent/events.ts";
import { addCell, endCell } from "./fold-cells.ts";
import type { SandboxCell } from "./cells.ts";
import type { TurnModel } from "./model.ts";

/** Personas begin to talk: the rounds will stand under it. */
export function foldSandboxStart(turn: TurnModel, event: EventOf<"sandbox.start">): void {
  const { scenario, rounds } = event.data;
  addCell(turn, event, {
    kind: "sandbox",
    ...{ scenario, rounds, personas: event.data["conclave.personas"], lines: [] },
  });
}

/** Something was said: its figures belong to the talk, its words, as the others heard them, to its speaker. */
export function foldSandboxMessage(turn: TurnModel, event: EventOf<"sandbox.message">): void {
  const { round, speaker, content, "conclave.counters": counters } = event.data;
  const talk = sandboxOf(turn);
  if (talk === undefined || round === 0 || talk.lines.some(({ id }) => id === event.id)) return;
  talk.lines = [...talk.lines, { id: event.id, round, speaker, counters }];
  talk.revision += 1;
  const agent = event.parentId === null ? undefined : turn.cells.get(event.parentId);
  if (agent?.kind !== "agent") return;
  agent.answer = content;
  agent.revision += 1;
}

/** A talk is over: why, and the figures of its rounds. */
export function foldSandboxEnd(turn: TurnModel, event: EventOf<"sandbox.end">): void {
  const talk = turn.cells.get(event.id);
  if (talk?.kind !== "sandbox") return;
  const { outcome, speaker } = event.data;
  Object.assign(talk, {
    stopped: event.data["conclave.stopped"],
    counters: event.data["conclave.rounds"],
    ...(speaker !== undefined && { failed: speaker }),
  });
  endCell(talk, event.time, outcome === "answered" ? "done" : outcome);
}

/** What was learnt from the turn; of a talk, in which every persona learns, all of it together. */
export function foldLearned(turn: TurnModel, event: EventOf<"memory.learned">): void {
  const before = sandboxOf(turn) === undefined ? undefined : turn.learned;
  const { data } = event;
  if (before === undefined) {
    turn.learned = data;
    return;
  }
  const [known, more] = [before["conclave.learned"], data["conclave.learned"]];
  turn.learned = {
    ...data,
    "conclave.extracted": before["conclave.extracted"] + data["conclave.extracted"],
    "conclave.updated": before["conclave.updated"] + data["conclave.updated"],
    "conclave.duration_ms": before["conclave.duration_ms"] + data["conclave.duration_ms"],
    ...(known !== undefined && {
      "conclave.learned": {
        added: [...known.added, ...(more?.added ?? [])],
        repeated: [...known.repeated, ...(more?.repeated ?? [])],
        closed: [...known.closed, ...(more?.closed ?? [])],
        rejected: [...known.rejected, ...(more?.rejected ?? [])],
        entities: known.entities + (more?.entities ?? 0),
        edges: known.edges + (more?.edges ?? 0),
      },
    }),
  };
}

/** The card of the turn. Those of a talk, one for each message, are not the turn's. */
export function foldCard(turn: TurnModel, event: EventOf<"memory.card">): void {
  if (sandboxOf(turn) === undefined) turn.card = event.data;
}

/** The talk of a turn; nothing where it is a question's. */
function sandboxOf(turn: TurnModel): SandboxCell | undefined {
  for (const id of turn.roots) {
    const cell = turn.cells.get(id);
    if (cell?.kind === "sandbox") return cell;
  }
  return undefined;
}
