import { SHADOW_RESPONDENT } from "../agent/event-base.ts";
import type { TurnEvent } from "../agent/events.ts";
import type { PastSummary, PastTurn } from "../agent/sessions/history-port.ts";

/** Gathers, while a log is read, the summaries that took the place of earlier turns, and which were taken back. */
export class SummaryLines {
  readonly #byTurn = new Map<string, PastSummary[]>();
  readonly #restored = new Set<string>();

  /** Looks at one event. */
  take(event: TurnEvent): void {
    // A second respondent's context is not the conversation's.
    if (event.respondent === SHADOW_RESPONDENT) return;
    if (event.type === "context.restored") this.#restored.add(event.data.compaction);
    if (event.type !== "context.compacted") return;
    const { summary, turns, how, "conclave.context_length": contextLength } = event.data;
    // A summary whose turns were forgotten has no text any more, and no longer holds.
    if (how !== "summary" || typeof contextLength !== "number" || turns.length === 0) return;
    if (summary === undefined || summary === "" || event.forgotten !== undefined) return;
    const made = this.#byTurn.get(event.turnId) ?? [];
    made.push({ id: event.id, text: summary, turns, contextLength, restored: false });
    this.#byTurn.set(event.turnId, made);
  }

  /** The turns, each with the summaries that were made in it. */
  into(turns: readonly PastTurn[]): readonly PastTurn[] {
    return turns.map((turn) => {
      const made = this.#byTurn.get(turn.turnId);
      if (made === undefined) return turn;
      const summaries = made.map((one) => ({ ...one, restored: this.#restored.has(one.id) }));
      return { ...turn, summaries };
    });
  }
}
