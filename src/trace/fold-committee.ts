import type { EventOf } from "../agent/events.ts";
import { addCell, endCell } from "./fold-cells.ts";
import type { StandingOf } from "./cells.ts";
import type { TurnModel } from "./model.ts";

/** A committee begins. */
export function foldCommitteeStart(turn: TurnModel, event: EventOf<"committee.start">): void {
  const { data } = event;
  addCell(turn, event, {
    kind: "committee",
    strategy: data["conclave.strategy"],
    rounds: data["conclave.rounds"],
    personas: data["conclave.personas"],
    synthesizer: data["conclave.synthesizer"],
    estimatedTokens: data["conclave.estimated_tokens"],
  });
}

/** A round begins: its members' agents will stand under it. */
export function foldRoundStart(turn: TurnModel, event: EventOf<"round.start">): void {
  const { index, of } = event.data;
  addCell(turn, event, { kind: "round", index, of, standings: [] });
}

/** A round is over: who changed their mind and why, and whether all agree. */
export function foldRoundEnd(turn: TurnModel, event: EventOf<"round.end">): void {
  const round = turn.cells.get(event.id);
  if (round?.kind !== "round") return;
  const { data } = event;
  const agreed = data["conclave.agreed"];
  const agreement = data["conclave.agreement"];
  round.standings = data.positions.map(({ answer: _answer, ...standing }): StandingOf => standing);
  if (agreed !== undefined) round.agreed = agreed;
  if (agreement !== undefined) round.agreement = agreement;
  endCell(round, event.time, "done");
}

/** How the members ranked each other: it belongs to their committee. */
export function foldRanking(turn: TurnModel, event: EventOf<"committee.ranking">): void {
  const committee = event.parentId === null ? undefined : turn.cells.get(event.parentId);
  if (committee?.kind !== "committee") return;
  committee.ranking = event.data;
  committee.revision += 1;
}

/** A committee is done: what stands beside the synthesis. */
export function foldCommitteeEnd(turn: TurnModel, event: EventOf<"committee.end">): void {
  const committee = turn.cells.get(event.id);
  if (committee?.kind !== "committee") return;
  const { data } = event;
  const { outcome } = data;
  const inputTokens = data["gen_ai.usage.input_tokens"];
  const outputTokens = data["gen_ai.usage.output_tokens"];
  Object.assign(committee, {
    outcome,
    roundsHad: data.rounds,
    stopped: data["conclave.stopped"],
    verdict: data["conclave.verdict"],
    shownAs: data["conclave.shown_as"],
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  });
  endCell(committee, event.time, outcome === "answered" ? "done" : outcome);
}
