import { markInterrupted } from "../trace/fold.ts";
import { emptyTurn, type TurnModel } from "../trace/model.ts";
import type { HostMessage } from "../trace/panel-protocol.ts";
import { foldPosted, type Cuts } from "../trace/posted.ts";

/** A model that is not loaded yet. */
export interface LoadingModel {
  readonly model: string;
  readonly sizeBytes: number | null;
}

/** The turn that is shown, as far as its events have come. */
export class ShownTurn {
  model: TurnModel | undefined;
  /** What was cut from the texts of its events. */
  readonly cuts: Cuts = new Map();
  /** Whether all that the log holds of it has come. */
  loaded = false;
  problems: readonly string[] = [];
  loading: LoadingModel | undefined;
  private ahead = Infinity;

  /** The host's clock, in milliseconds; it may differ from ours. */
  now(): number {
    return Number.isFinite(this.ahead) ? Date.now() - this.ahead : Date.now();
  }

  /** A turn is shown from its beginning; none when it is left out. */
  begin(turn?: { readonly sessionId: string; readonly turnId: string }): void {
    this.model = turn && emptyTurn(turn.sessionId, turn.turnId, this.now());
    this.cuts.clear();
    this.loaded = false;
    this.loading = undefined;
    this.problems = [];
  }

  events(message: Extract<HostMessage, { type: "events" }>): void {
    if (this.model?.turnId !== message.turnId) return;
    for (const posted of message.events) {
      const { type, time } = posted.event;
      if (type === "model.delta" || type === "model.end") this.loading = undefined;
      this.ahead = Math.min(this.ahead, Date.now() - time);
      foldPosted(this.model, this.cuts, posted);
    }
  }

  waitsFor(message: Extract<HostMessage, { type: "model" }>): void {
    if (this.model?.turnId === message.turnId) this.loading = message;
  }

  /** All that the log holds of it has come; `otherWorks`: respondent B is at work on it in this window. */
  finish(message: Extract<HostMessage, { type: "loaded" }>, otherWorks: boolean): void {
    if (this.model?.turnId !== message.turnId) return;
    this.loaded = true;
    this.loading = undefined;
    this.problems = message.problems;
    if (message.interrupted) markInterrupted(this.model);
    if (this.model.other !== undefined && !otherWorks) markInterrupted(this.model.other);
  }
}
