import { SHADOW_RESPONDENT } from "../agent/event-base.ts";
import type { TurnEvent } from "../agent/events.ts";

/** What the product is at right now, for the status bar. */
export type Activity =
  | { readonly state: "idle" }
  | { readonly state: "loading"; readonly model: string }
  | { readonly state: "thinking" }
  | { readonly state: "answering" }
  | { readonly state: "tool"; readonly tool: string }
  | { readonly state: "error"; readonly message: string };

/** A change that the status bar has to show. */
export interface ActivityView {
  readonly activity: Activity;
  /** Sessions in which a turn runs. */
  readonly running: readonly string[];
  /** The latest question was asked in a private session. */
  readonly isPrivate?: true;
}

/** Folds the events of all sessions into one state: that of the turn which moved last. */
export class ActivityModel {
  readonly #running = new Map<string, Activity>();
  #last: Activity = { state: "idle" };
  #isPrivate = false;

  /** Takes an event; gives the new view when something changed. */
  take(event: TurnEvent): ActivityView | undefined {
    const before = this.#last;
    const runningBefore = this.#running.size;
    const privateBefore = this.#isPrivate;
    this.#fold(event);
    const moved = !sameActivity(before, this.#last) || runningBefore !== this.#running.size;
    const changed = moved || privateBefore !== this.#isPrivate;
    return changed ? this.view() : undefined;
  }

  /** Forgets an error that is over, because what it was about has changed; gives the view after that. */
  settle(): ActivityView {
    if (this.#last.state === "error") this.#last = { state: "idle" };
    return this.view();
  }

  /** How things stand now. */
  view(): ActivityView {
    return {
      activity: this.#last,
      running: [...this.#running.keys()],
      ...(this.#isPrivate ? { isPrivate: true } : {}),
    };
  }

  #fold(event: TurnEvent): void {
    // A second respondent answers after its turn: nobody waits for it.
    if (event.respondent === SHADOW_RESPONDENT) return;
    switch (event.type) {
      case "turn.start":
        this.#isPrivate = event.data["conclave.private"] === true;
        this.#set(event.sessionId, { state: "thinking" });
        return;
      case "model.start":
        this.#set(event.sessionId, { state: "loading", model: event.data["gen_ai.request.model"] });
        return;
      case "model.delta": {
        this.#set(event.sessionId, {
          state: event.data.channel === "thinking" ? "thinking" : "answering",
        });
        return;
      }
      case "tool.request":
        this.#set(event.sessionId, { state: "tool", tool: event.data.name });
        return;
      case "turn.end":
        this.#running.delete(event.sessionId);
        this.#last = this.#after(event.data.outcome === "failed" ? event.data.error?.message : undefined);
        return;
      default:
        return;
    }
  }

  #set(sessionId: string, activity: Activity): void {
    this.#running.set(sessionId, activity);
    this.#last = activity;
  }

  /** After a turn: another one that still runs, else its error until the next turn, else nothing. */
  #after(error: string | undefined): Activity {
    const other = [...this.#running.values()].at(-1);
    if (other) return other;
    return error === undefined ? { state: "idle" } : { state: "error", message: error };
  }
}

function sameActivity(a: Activity, b: Activity): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** How the status bar shows it: text with VS Code's icons, and a sentence for hover and screen readers. */
export interface StatusLabel {
  readonly text: string;
  readonly tooltip: string;
  readonly error: boolean;
}

/** The label for a model and what goes on. */
export function statusLabel(model: string, { activity, running, isPrivate }: ActivityView): StatusLabel {
  const name = model === "" ? "no model" : model;
  const more = running.length > 1 ? ` (${running.length} turns run)` : "";
  const secret =
    isPrivate === true
      ? " The latest question was private: nothing of its session is kept until you save it."
      : "";
  const label = (icon: string, what: string): StatusLabel => ({
    text: `$(${icon}) ${name}${isPrivate === true ? " $(lock)" : ""}`,
    tooltip: `Conclave: ${what}${more}. Model: ${model === "" ? "none selected" : model}.${secret}`,
    error: false,
  });
  switch (activity.state) {
    case "idle":
      return label("comment-discussion", "ready");
    case "loading":
      return label("loading~spin", `waiting for ${activity.model}`);
    case "thinking":
      return label("loading~spin", "thinking");
    case "answering":
      return label("loading~spin", "answering");
    case "tool":
      return label("tools", `running ${activity.tool}`);
    case "error":
      return { ...label("error", activity.message.replace(/\.$/, "")), error: true };
  }
}
